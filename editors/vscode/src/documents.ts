import * as vscode from "vscode";
import type { Client } from "./client.js";
import { explainScheme, previewScheme } from "./target.js";

/** Shows the server's virtual documents. The language client asks for their text, and again when the server says that it changed. */
export class Documents implements vscode.Disposable {
  private readonly subscription: vscode.Disposable;

  constructor(private readonly client: Client) {
    // The name of a preview ends in .prompt.md, which VS Code takes for a prompt file of its own.
    this.subscription = vscode.workspace.onDidOpenTextDocument((document) => void asMarkdown(document));
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Shows what a model is told about a file. */
  async preview(target: vscode.Uri): Promise<void> {
    const { uri } = await this.client.command("foreword.prompt.preview", { uri: this.client.wireUri(target) });
    await show(vscode.Uri.parse(uri, true));
  }

  /** Shows which instruction files apply to a file, and why the others do not. */
  async explain(target: vscode.Uri): Promise<void> {
    const { document } = await this.client.command("foreword.instructions.explain", {
      uri: this.client.wireUri(target),
    });
    await show(vscode.Uri.parse(document, true));
  }
}

/** Opens a read-only document where it is open already, else beside the text. */
export async function show(uri: vscode.Uri): Promise<void> {
  const document = await asMarkdown(await vscode.workspace.openTextDocument(uri));
  const open = vscode.window.tabGroups.all.find((group) =>
    group.tabs.some((tab) => tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString()),
  );
  await vscode.window.showTextDocument(document, { viewColumn: open?.viewColumn ?? besideText() });
}

/** The next column, except from a column that shows such a document already. */
function besideText(): vscode.ViewColumn {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.scheme.startsWith("foreword-"));
  return shown?.viewColumn ?? vscode.ViewColumn.Beside;
}

async function asMarkdown(document: vscode.TextDocument): Promise<vscode.TextDocument> {
  const ours = document.uri.scheme === previewScheme || document.uri.scheme === explainScheme;
  return ours && document.languageId !== "markdown"
    ? vscode.languages.setTextDocumentLanguage(document, "markdown")
    : document;
}
