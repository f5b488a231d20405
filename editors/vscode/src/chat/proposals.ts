import * as path from "node:path";
import * as vscode from "vscode";
import { isReal } from "../focus.js";

const scheme = "foreword-proposal";

/** Texts that the model proposes for files, shown beside them until the user takes or leaves them. */
export class Proposals implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly subscription: vscode.Disposable;
  private count = 0;

  constructor() {
    this.subscription = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Shows what a file would become, asks, and writes it where the answer is yes. */
  async propose(file: vscode.Uri, text: string): Promise<boolean> {
    const before = await textOf(file);
    const name = path.posix.basename(file.path);
    const apply = vscode.l10n.t("Apply");
    const taken = await this.review(file, text, async () => {
      const answer = await vscode.window.showInformationMessage(
        vscode.l10n.t("Apply the proposed change to {0}? It can be undone.", name),
        apply,
        vscode.l10n.t("Discard"),
      );
      return answer === apply;
    });
    if (taken) await this.write(file, before, text);
    return taken;
  }

  /** Shows a file as it is beside what it would become, until it is decided. */
  async review(file: vscode.Uri, text: string, decide: () => Promise<boolean>): Promise<boolean> {
    const exists = (await textOf(file)) !== undefined;
    const proposed = vscode.Uri.from({ scheme, path: file.path, query: String(++this.count) });
    this.texts.set(proposed.toString(), text);
    const empty = vscode.Uri.from({ scheme, path: file.path, query: "empty" });
    try {
      await vscode.commands.executeCommand(
        "vscode.diff",
        exists ? file : empty,
        proposed,
        vscode.l10n.t("{0}: as it is ↔ as proposed", path.posix.basename(file.path)),
        { preview: true, preserveFocus: true },
      );
      return await decide();
    } finally {
      await closeDiff(proposed);
      this.texts.delete(proposed.toString());
    }
  }

  /** Puts a text in the place of a file's, as one edit that can be undone; the file is not saved. */
  async write(file: vscode.Uri, before: string | undefined, text: string): Promise<void> {
    if ((await textOf(file)) !== before)
      throw new Error(vscode.l10n.t("{0} was changed in the meantime", path.posix.basename(file.path)));
    const edit = new vscode.WorkspaceEdit();
    if (before === undefined) edit.createFile(file, { ignoreIfExists: true });
    const start = new vscode.Position(0, 0);
    const end =
      before === undefined ? start : (await vscode.workspace.openTextDocument(file)).positionAt(before.length);
    edit.replace(file, new vscode.Range(start, end), text);
    if (!(await vscode.workspace.applyEdit(edit)))
      throw new Error(vscode.l10n.t("{0} could not be changed", path.posix.basename(file.path)));
    await vscode.window.showTextDocument(file, { preview: false });
  }
}

/** What the editor has for a file, saved or not; nothing where there is no such file. */
export async function textOf(file: vscode.Uri): Promise<string | undefined> {
  if (file.scheme === "file") {
    try {
      await vscode.workspace.fs.stat(file);
    } catch {
      return undefined; // it is to be written
    }
  }
  return (await vscode.workspace.openTextDocument(file)).getText();
}

async function closeDiff(proposed: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === proposed.toString(),
    );
  await vscode.window.tabGroups.close(tabs);
}

/** Puts a text at the cursor of the editor that was used last. */
export async function insertAtCursor(text: string): Promise<void> {
  const editor = target();
  await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

/** The text of the file in front with a block of code in the place of what is selected, or of all of it. */
export function withBlock(text: string): { file: vscode.Uri; text: string } {
  const { document, selection } = target();
  const whole = document.getText();
  const from = selection.isEmpty ? 0 : document.offsetAt(selection.start);
  const to = selection.isEmpty ? whole.length : document.offsetAt(selection.end);
  // A block ends with a line end; what it replaces need not.
  const block = whole.slice(from, to).endsWith("\n") ? text : text.replace(/\r?\n$/, "");
  return { file: document.uri, text: whole.slice(0, from) + block + whole.slice(to) };
}

function target(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (!editor || !isReal(editor.document.uri)) throw new Error(vscode.l10n.t("Open a file first."));
  return editor;
}
