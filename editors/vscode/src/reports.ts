import * as vscode from "vscode";
import { show } from "./documents.js";

const scheme = "foreword-report";

/** Read-only pages that a command wrote once: what a session remembers, why a cache missed, which skills there are. */
export class Reports implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly texts = new Map<string, string>();
  readonly onDidChange = this.changes.event;
  // After the event, which VS Code asks for at once.
  private readonly subscription = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  dispose(): void {
    this.subscription.dispose();
    this.changes.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? `${vscode.l10n.t("This page is from before the window was reloaded.")}\n`;
  }

  /** Shows a page under a name, in place of the one of that name. */
  async show(name: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${name.replaceAll("/", "∕")}.md` });
    this.texts.set(uri.toString(), markdown);
    this.changes.fire(uri);
    await show(uri);
  }
}
