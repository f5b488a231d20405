import * as vscode from "vscode";
import { isReal } from "./focus.js";
import { explainScheme, previewScheme, targetOf } from "./target.js";

/** The file that the user looks at: that of the active editor, or the one that the virtual document in it is about. */
export function activeFile(): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active) return behind(active);
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = (input as { uri?: unknown } | undefined)?.uri; // a notebook, a picture
  return uri instanceof vscode.Uri ? behind(uri) : undefined;
}

/** What a command is about: the active file, else one that can be seen, else a folder; the user is asked which. */
export async function subject(): Promise<vscode.Uri> {
  const visible = vscode.window.visibleTextEditors
    .map((editor) => behind(editor.document.uri))
    .find((uri) => uri !== undefined);
  const file = activeFile() ?? visible;
  if (file) return file;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (folder) return folder.uri;
  if (folders.length > 0) throw new vscode.CancellationError(); // nothing was picked
  throw new Error(vscode.l10n.t("Open a file or a folder first."));
}

function behind(uri: vscode.Uri): vscode.Uri | undefined {
  if (isReal(uri)) return uri;
  if (uri.scheme !== previewScheme && uri.scheme !== explainScheme) return undefined;
  const target = targetOf(uri.query);
  return target === undefined ? undefined : vscode.Uri.parse(target, true);
}
