import * as path from "node:path";
import * as vscode from "vscode";
import type { Client } from "./client.js";
import { text } from "./error_text.js";
import { debounce } from "./debounce.js";
import type { StatusNotificationParams } from "./protocol.js";
import { itemFor, itemWhile, itemWithout, type Item } from "./status_text.js";
import { activeFile } from "./subject.js";

/** How long to wait after a change before asking, in ms. The server has waited already when it was the prompt that changed. */
const rest = 50;

/** Makes the item; nothing where there is no file to tell of. The work that goes on may change while the answer stays. */
type Render = (busy: StatusNotificationParams | undefined) => Item | undefined;

/** The item that tells how many instructions apply to the active file, and what they cost. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "foreword.instructions",
    vscode.StatusBarAlignment.Right,
    90,
  );
  private readonly subscriptions: vscode.Disposable[];
  private render: Render = () => undefined;
  private busy: StatusNotificationParams | undefined;
  /** The question that is not answered yet; a newer one cancels it. */
  private question: vscode.CancellationTokenSource | undefined;

  constructor(private readonly client: Client) {
    this.item.name = vscode.l10n.t("Foreword: instructions of the active file");
    const update = debounce(rest, () => void this.update());
    this.subscriptions = [
      this.item,
      update,
      client.onDidChangeState(update.call),
      client.onDidChangePrompt(update.call),
      // Shown without asking again: the work that is reported may be the answer to our own question.
      client.onDidReport((report) => {
        this.busy = report.busy ? report : undefined;
        this.show();
      }),
      vscode.window.onDidChangeActiveTextEditor(update.call),
      vscode.window.tabGroups.onDidChangeTabs(update.call),
    ];
    update.call();
  }

  dispose(): void {
    this.question?.cancel();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async update(): Promise<void> {
    this.question?.cancel();
    const question = new vscode.CancellationTokenSource();
    this.question = question;
    const render = await this.ask(question.token);
    if (question.token.isCancellationRequested) return;
    this.render = render;
    this.show();
  }

  private async ask(token: vscode.CancellationToken): Promise<Render> {
    const { client } = this;
    const file = activeFile();
    if (client.state.kind !== "running")
      return () => (client.state.kind === "running" ? undefined : itemWhile(client.state, vscode.l10n.t));
    if (!file) return () => undefined;
    try {
      const status = await client.command("foreword.status", { uri: client.wireUri(file) }, token);
      return (busy) => itemFor(path.posix.basename(file.path), status, busy, vscode.l10n.t);
    } catch (error) {
      return () => itemWithout(text(error), vscode.l10n.t);
    }
  }

  private show(): void {
    const item = this.render(this.busy);
    if (!item) return this.item.hide();
    const tooltip = new vscode.MarkdownString(item.tooltip, true);
    tooltip.isTrusted = {
      enabledCommands: [
        "foreword.explain",
        "foreword.preview",
        "foreword.showStatus",
        "foreword.restartServer",
        "foreword.showLog",
      ],
    };
    this.item.text = item.text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: item.label, role: "button" };
    this.item.command = item.command;
    this.item.backgroundColor =
      item.kind === "plain" ? undefined : new vscode.ThemeColor(`statusBarItem.${item.kind}Background`);
    this.item.show();
  }
}
