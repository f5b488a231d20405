import type { EditorDiagnostic } from "./protocol.js";

/** What of a vscode.Diagnostic counts here. */
export interface Shown {
  range: { start: Place; end: Place };
  severity: number;
  message: string;
  source?: string;
  code?: string | number | { value: string | number };
}

interface Place {
  line: number;
  character: number;
}

/** By vscode.DiagnosticSeverity. */
const severities = ["error", "warning", "info", "hint"] as const;

/** A problem as the server takes it. */
export function problemOf({ range, severity, message, source, code }: Shown): EditorDiagnostic {
  const place = ({ line, character }: Place) => ({ line, character });
  const rule = typeof code === "object" ? code.value : code;
  return {
    range: { start: place(range.start), end: place(range.end) },
    severity: severities[severity] ?? "error",
    message,
    ...(source ? { source } : {}),
    ...(rule === undefined || rule === "" ? {} : { code: String(rule) }),
  };
}
