import * as vscode from "vscode";

/**
 * The server's settings that an editor may set, as docs/settings.md has them. What is not listed here is the
 * extension's own.
 */
export const serverSettings = [
  "active.tokens",
  "agent.folder",
  "buffers.tokens",
  "cache.minutes",
  "codeLens.enabled",
  "context.files",
  "context.tokens",
  "defaultAgent",
  "diagnostics.tokens",
  "exclude",
  "history.everywhere",
  "history.otherTools",
  "history.tokens",
  "hover.sources",
  "instructions.files",
  "instructions.names",
  "instructions.order",
  "instructions.otherTools",
  "instructions.rules",
  "instructions.userFile",
  "model",
  "plan.file",
  "profile",
  "project.about",
  "project.name",
  "provider",
  "reserve",
  "skills.tokens",
  "tree.tokens",
  "updates.tokens",
  "user.about",
  "window",
] as const;

/**
 * What the user has set in the editor, by dotted keys. Defaults are left out: the editor's settings win over
 * foreword.toml, and a default that nobody chose must not.
 */
export function editorSettings(): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration("foreword");
  const settings: Record<string, unknown> = {};
  for (const key of serverSettings) {
    const set = section.inspect(key);
    const values = [set?.globalValue, set?.workspaceValue, set?.workspaceFolderValue].filter(
      (value) => value !== undefined,
    );
    if (values.length === 0) continue;
    // get knows what counts in Restricted Mode. A workspace may add to the user's exclusions, not take from them.
    settings[key] = key === "exclude" ? [...new Set(values.flat())] : section.get(key);
  }
  return settings;
}
