import * as vscode from "vscode";
import type { Client } from "./client.js";
import { debounce } from "./debounce.js";
import { isReal } from "./focus.js";
import { problemOf } from "./problem.js";

/** How long nothing must have changed, in ms: several extensions report one edit. */
const rest = 300;

/** Tells the server what problems are shown in the open files, from whatever extension. */
export function followDiagnostics(client: Client): vscode.Disposable {
  const changed = new Set<string>();
  /** The files of which the server knows problems. */
  const known = new Set<string>();
  const tell = debounce(rest, () => {
    if (client.state.kind !== "running") return; // it asks for all when it runs
    for (const document of vscode.workspace.textDocuments) {
      const name = document.uri.toString();
      if (!changed.has(name) || !isReal(document.uri)) continue;
      const diagnostics = vscode.languages.getDiagnostics(document.uri).map(problemOf);
      if (diagnostics.length === 0 && !known.has(name)) continue;
      if (diagnostics.length > 0) known.add(name);
      else known.delete(name);
      // Without a version: VS Code does not say when an extension has looked again and found the same.
      client.tell("foreword/didChangeDiagnostics", { uri: client.wireUri(document.uri), diagnostics });
    }
    changed.clear();
  });
  const queue = (uris: readonly vscode.Uri[]) => {
    for (const uri of uris) changed.add(uri.toString());
    tell.call();
  };
  const queueAll = () => queue(vscode.workspace.textDocuments.map((document) => document.uri));
  queueAll();
  return vscode.Disposable.from(
    tell,
    vscode.languages.onDidChangeDiagnostics((event) => queue(event.uris)),
    vscode.workspace.onDidOpenTextDocument((document) => queue([document.uri])),
    // The server forgets what was wrong with a file that is closed.
    vscode.workspace.onDidCloseTextDocument((document) => known.delete(document.uri.toString())),
    client.onDidChangeState((state) => {
      if (state.kind !== "running") return;
      known.clear();
      queueAll();
    }),
  );
}
