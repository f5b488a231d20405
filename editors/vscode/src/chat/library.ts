import * as vscode from "vscode";
import type { Client } from "../client.js";
import { text } from "../error_text.js";
import type { Chat } from "./chat.js";
import type { Conversation } from "./conversation.js";
import { markdownOf } from "./export.js";
import type { Store } from "./store.js";

/** What the panel does when another conversation is to be seen. */
interface Panel {
  open(conversation: Conversation): Promise<void>;
  startAnew(): Promise<void>;
  changed(): void;
}

/** The conversations of the workspace: what the user does with them as wholes. */
export class Library {
  constructor(
    private readonly chat: Chat,
    private readonly store: Store,
    private readonly client: Client,
    private readonly log: vscode.LogOutputChannel,
    private readonly panel: Panel,
  ) {}

  async choose(): Promise<void> {
    const all = await this.store.list();
    if (all.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t("There is no chat yet in this workspace."));
      return;
    }
    const picked = await vscode.window.showQuickPick(
      all.map((one) => ({
        label: one.title || vscode.l10n.t("Untitled"),
        description: one.id === this.chat.conversation.id ? vscode.l10n.t("open") : "",
        detail: [
          one.messages === 1 ? vscode.l10n.t("1 message") : vscode.l10n.t("{0} messages", one.messages),
          new Date(one.updated).toLocaleString(),
        ].join(", "),
        id: one.id,
      })),
      { title: vscode.l10n.t("Chats of this workspace"), matchOnDetail: true },
    );
    if (!picked || picked.id === this.chat.conversation.id) return;
    const conversation = await this.store.load(picked.id);
    if (!conversation) throw new Error(vscode.l10n.t("This chat cannot be read; its file is left alone"));
    await this.panel.open(conversation);
  }

  async rename(): Promise<void> {
    const { conversation } = this.chat;
    const title = await vscode.window.showInputBox({
      title: vscode.l10n.t("Name of the chat"),
      value: conversation.title,
    });
    if (title === undefined || title.trim() === "") return;
    conversation.title = title.trim();
    conversation.named = true;
    this.store.save(conversation);
    this.panel.changed();
  }

  async fork(): Promise<void> {
    const { title } = this.chat.conversation;
    const copy = await this.chat.fork(vscode.l10n.t("{0} (fork)", title || vscode.l10n.t("Untitled")));
    this.store.save(copy);
    await this.panel.open(copy);
  }

  async export(): Promise<void> {
    const document = await vscode.workspace.openTextDocument({
      language: "markdown",
      content: markdownOf(this.chat.conversation, vscode.l10n.t),
    });
    await vscode.window.showTextDocument(document);
  }

  async remove(): Promise<void> {
    const { conversation } = this.chat;
    const remove = vscode.l10n.t("Delete");
    const answer = await vscode.window.showWarningMessage(
      vscode.l10n.t("Delete the chat {0}? This cannot be undone.", JSON.stringify(conversation.title)),
      { modal: true },
      remove,
    );
    if (answer !== remove) return;
    await this.panel.startAnew();
    await this.store.remove(conversation.id);
    // What foreword itself remembers of it goes, too; where it knows nothing of it there is nothing to do.
    await this.client
      .command("foreword.session.forget", { session: conversation.id })
      .catch((error: unknown) => this.log.info(`foreword.session.forget: ${text(error)}`));
  }
}
