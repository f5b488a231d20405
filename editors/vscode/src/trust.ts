import * as vscode from "vscode";
import type { Client } from "./client.js";

/** Tells the server when the user trusts the workspace. VS Code asks once for all folders; when trust is taken back, it reloads the window. */
export function followTrust(client: Client): vscode.Disposable {
  return vscode.workspace.onDidGrantWorkspaceTrust(() => client.tell("foreword/didChangeTrust", { trusted: true }));
}
