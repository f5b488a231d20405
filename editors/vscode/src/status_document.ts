import * as vscode from "vscode";
import type { Client } from "./client.js";
import { text } from "./error_text.js";
import { show } from "./documents.js";
import { statusPage } from "./status_page.js";
import { activeFile } from "./subject.js";

const uri = vscode.Uri.from({ scheme: "foreword-status", path: "/foreword status.md" });

/** The read-only document that says what the server works with. */
export class StatusDocument implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable[];
  /** The file that was active when the document was asked for. */
  private file: vscode.Uri | undefined;

  readonly onDidChange = this.changes.event;

  constructor(private readonly client: Client) {
    const changed = () => this.changes.fire(uri);
    this.subscriptions = [
      this.changes,
      vscode.workspace.registerTextDocumentContentProvider(uri.scheme, this),
      client.onDidChangePrompt(changed),
      client.onDidChangeState(changed),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  async show(): Promise<void> {
    this.file = activeFile() ?? this.file;
    this.changes.fire(uri);
    await show(uri);
  }

  async provideTextDocumentContent(_uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    try {
      const status = await this.client.command(
        "foreword.status",
        this.file ? { uri: this.client.wireUri(this.file) } : {},
        token,
      );
      const { state } = this.client; // after the answer: it may have waited for a start
      return statusPage(status, state.kind === "running" ? state : { file: "", origin: "" }, vscode.l10n.t);
    } catch (error) {
      return `# ${vscode.l10n.t("Status of foreword")}\n\n${text(error)}.\n`;
    }
  }
}
