import * as vscode from "vscode";
import type { Client } from "./client.js";
import { debounce } from "./debounce.js";

/** How long the editors must be at rest, in ms: a change of tab takes the old editor away before the new one comes. */
const rest = 100;

/** Tells the server which file the user looks at and which others can be seen. */
export function followFocus(client: Client): vscode.Disposable {
  const tell = debounce(rest, () => {
    const active = vscode.window.activeTextEditor;
    if (!active || !isReal(active.document.uri)) return;
    const { start, end } = active.selection;
    const visible = vscode.window.visibleTextEditors.map((editor) => editor.document.uri).filter(isReal);
    client.tell("foreword/didFocus", {
      uri: client.wireUri(active.document.uri),
      range: {
        start: { line: start.line, character: start.character },
        end: { line: end.line, character: end.character },
      },
      visible: [...new Set(visible.map((uri) => client.wireUri(uri)))].sort(),
    });
  });
  return vscode.Disposable.from(
    tell,
    vscode.window.onDidChangeActiveTextEditor(tell.call),
    vscode.window.onDidChangeVisibleTextEditors(tell.call),
    client.onDidChangeState(tell.call),
  );
}

/** Tells files and new documents from logs, diffs and the like. */
export function isReal(uri: vscode.Uri): boolean {
  return uri.scheme === "file" || uri.scheme === "untitled";
}
