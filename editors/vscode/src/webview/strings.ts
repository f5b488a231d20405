let strings: Record<string, string> = {};

/** The texts of the editor's language, by the English ones. */
export function setStrings(given: Record<string, string>): void {
  strings = given;
}

/** Translates and fills in, as vscode.l10n.t does. */
export function t(message: string, ...parts: (string | number)[]): string {
  return (strings[message] ?? message).replace(/\{(\d+)\}/g, (_, i: string) => String(parts[Number(i)] ?? ""));
}
