import * as path from "node:path";
import * as vscode from "vscode";
import { text, type Client } from "./client.js";
import { debounce } from "./debounce.js";
import type { StatusNotificationParams } from "./protocol.js";
import { itemFor, itemWhile, itemWithout, type Item } from "./status_text.js";
import { activeFile } from "./subject.js";

/** How long to wait after a change before asking, in ms. The server has waited already when it was the prompt that changed. */
const rest = 50;

/** The item that tells how many instructions apply to the active file, and what they cost. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("foreword.instructions", vscode.StatusBarAlignment.Right, 90);
  private readonly subscriptions: vscode.Disposable[];
  /** The report of work that goes on. */
  private busy: StatusNotificationParams | undefined;
  /** The newest question; answers to older ones are dropped. */
  private asked = 0;

  constructor(private readonly client: Client) {
    this.item.name = vscode.l10n.t("Foreword: instructions of the active file");
    const update = debounce(rest, () => void this.update());
    this.subscriptions = [
      this.item,
      update,
      client.onDidChangeState(update.call),
      client.onDidChangePrompt(update.call),
      client.onDidReport((report) => {
        this.busy = report.busy ? report : undefined;
        update.call();
      }),
      vscode.window.onDidChangeActiveTextEditor(update.call),
      vscode.window.tabGroups.onDidChangeTabs(update.call),
    ];
    update.call();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async update(): Promise<void> {
    const question = ++this.asked;
    const item = await this.answer();
    if (question !== this.asked) return;
    if (!item) return this.item.hide();
    this.item.text = item.text;
    this.item.tooltip = new vscode.MarkdownString(item.tooltip, true);
    this.item.tooltip.isTrusted = {
      enabledCommands: ["foreword.explain", "foreword.preview", "foreword.showStatus", "foreword.restartServer", "foreword.showLog"],
    };
    this.item.accessibilityInformation = { label: item.label, role: "button" };
    this.item.command = this.client.state.kind === "running" ? "foreword.explain" : "foreword.restartServer";
    this.item.backgroundColor = item.kind === "plain" ? undefined : new vscode.ThemeColor(`statusBarItem.${item.kind}Background`);
    this.item.show();
  }

  private async answer(): Promise<Item | undefined> {
    const state = this.client.state;
    if (state.kind !== "running") return itemWhile(state, vscode.l10n.t);
    const file = activeFile();
    if (!file) return undefined;
    try {
      const status = await this.client.command("foreword.status", { uri: this.client.wireUri(file) });
      return itemFor(path.posix.basename(file.path), status, this.busy, vscode.l10n.t) ?? itemWithout("", vscode.l10n.t);
    } catch (error) {
      return itemWithout(text(error), vscode.l10n.t);
    }
  }
}
