import { randomBytes, randomUUID } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import type { ChatParts } from "../chat_view.js";
import { text } from "../error_text.js";
import { Models } from "../models/models.js";
import type { PrepareTurnResult } from "../protocol.js";
import { activeFile } from "../subject.js";
import { Attachments } from "./attachments.js";
import { Chat } from "./chat.js";
import { lastSent, type Conversation } from "./conversation.js";
import { Context } from "./context.js";
import { pageOf } from "./html.js";
import { Library } from "./library.js";
import type { Ask, PanelView, Tell } from "./messages.js";
import { insertAtCursor, Proposals, withBlock } from "./proposals.js";
import { Requests } from "./requests.js";
import { Store } from "./store.js";
import { Tools } from "../tools/tools.js";
import { entriesView } from "./view_model.js";
import { runAction } from "./actions.js";

const currentKey = "foreword.chat.current";

/** The chat: one panel, one conversation in it at a time. */
export class Panel implements vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private readonly chat: Chat;
  private readonly store: Store;
  private readonly models: Models;
  private readonly attachments: Attachments;
  private readonly proposals = new Proposals();
  private readonly requests = new Requests();
  private readonly tools: Tools;
  private readonly context: Context;
  /** The conversations of the workspace. */
  readonly library: Library;
  private readonly subscriptions: vscode.Disposable[];
  /** How many messages the panel was told of. */
  private known = 0;
  private lastFile: vscode.Uri | undefined;
  private panelPlanned = false;
  private lastDraftSave: NodeJS.Timeout | undefined;

  constructor(private readonly parts: ChatParts) {
    const { context, client, log } = parts;
    const folder = context.storageUri ?? context.globalStorageUri;
    this.store = new Store(path.join(folder.fsPath, "chats"), (message) => log.warn(message));
    this.models = new Models(context, log);
    this.attachments = new Attachments(client, randomUUID);
    this.tools = new Tools(client, this.proposals, () => this.target());
    this.attachments.diff = () => this.tools.diff();
    this.chat = new Chat(
      {
        server: (command, params) => client.command(command, params),
        ask: this.models.ask,
        tools: this.tools,
        choice: () => this.models.current(),
        target: () => this.target(),
        newID: randomUUID,
        now: () => new Date().toISOString(),
        wait,
        maxSteps: () => vscode.workspace.getConfiguration("foreword").get("chat.maxSteps", 25),
        interrupted: vscode.l10n.t("Interrupted: the window was closed."),
        save: (conversation) => this.store.save(conversation),
        sending: (conversation, prepared) => this.sending(conversation, prepared),
      },
      {
        entries: (from) => this.sendEntries(from),
        delta: (id, piece, thinking) => {
          this.tell({ type: "delta", id, text: piece, thinking });
          this.saveSoon();
        },
        panel: () => {
          this.panelChanged();
          if (!this.chat.busy) this.context.refresh(); // from here on the next message counts
        },
      },
    );
    this.context = new Context(
      client,
      this.chat,
      this.models,
      this.tools,
      () => this.target(),
      () => this.panelChanged(),
    );
    this.library = new Library(this.chat, this.store, client, log, {
      open: (conversation) => this.open(conversation),
      startAnew: () => this.startAnew(),
      changed: () => this.panelChanged(),
    });
    this.subscriptions = [
      this.models,
      this.proposals,
      this.requests,
      this.context,
      this.models.onDidChange(() => this.context.refresh()),
      client.onDidChangeState(() => this.context.refresh()),
      client.onDidChangePrompt(() => this.context.refresh()),
      vscode.window.tabGroups.onDidChangeTabs(() => this.context.refresh()),
      vscode.window.onDidChangeActiveTextEditor(() => this.context.refresh()),
    ];
  }

  dispose(): void {
    clearTimeout(this.lastDraftSave);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Opens the conversation that was open when the window was closed. */
  async restore(): Promise<void> {
    const id = this.parts.context.workspaceState.get<string>(currentKey);
    const conversation = id === undefined ? undefined : await this.store.load(id);
    if (conversation) await this.chat.open(conversation);
  }

  /** VS Code calls this when the panel is to be seen. */
  resolve(view: vscode.WebviewView): void {
    this.view = view;
    const dist = vscode.Uri.joinPath(this.parts.context.extensionUri, "dist");
    view.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    view.webview.onDidReceiveMessage((ask: Ask) => void this.answer(ask));
    view.onDidDispose(() => {
      if (this.view === view) this.view = undefined;
    });
    view.webview.html = pageOf(view.webview, dist, randomBytes(16).toString("base64"));
  }

  async reveal(): Promise<void> {
    await vscode.commands.executeCommand("foreword.chat.focus");
    this.tell({ type: "focus" });
  }

  async startAnew(): Promise<void> {
    await this.chat.startAnew();
    this.opened();
    this.tell({ type: "draft", text: "" });
    await this.reveal();
  }

  async stop(): Promise<void> {
    await this.chat.stop();
  }

  async attachFiles(file: unknown, files: unknown): Promise<void> {
    const chosen = Array.isArray(files) && files.length > 0 ? files : [file ?? activeFile()];
    for (const uri of chosen) {
      if (!(uri instanceof vscode.Uri)) continue;
      const { type } = await vscode.workspace.fs.stat(uri);
      await this.attach(`${type & vscode.FileType.Directory ? "folder" : "file"}:${uri.toString()}`);
    }
    await this.reveal();
  }

  async chooseModel(): Promise<void> {
    await this.models.choose();
  }

  async setKey(): Promise<void> {
    await this.models.setKey();
  }

  /** Shows the prompt of the conversation: as it was sent, else as it would be. */
  async showPrompt(): Promise<void> {
    if (this.requests.last(this.chat.conversation.id)) return this.requests.show(this.chat.conversation.id);
    const target = this.target();
    if (!target) throw new Error(vscode.l10n.t("Open a file or a folder first"));
    await this.parts.documents.preview(vscode.Uri.parse(target, true));
  }

  async showDifference(): Promise<void> {
    const { conversation } = this.chat;
    await this.requests.showDifference(conversation.id, async () => {
      const turn = lastSent(conversation.entries)?.turn;
      if (turn === undefined) throw new Error(vscode.l10n.t("There is something to compare once a message was sent"));
      const params = { session: conversation.id, to: turn };
      return (await this.parts.client.command("foreword.prompt.diff", params)).text;
    });
  }

  private async open(conversation: Conversation): Promise<void> {
    await this.chat.open(conversation);
    this.opened();
    this.tell({ type: "draft", text: conversation.draft });
    await this.reveal();
  }

  private opened(): void {
    void this.parts.context.workspaceState.update(currentKey, this.chat.conversation.id);
    this.context.refresh();
  }

  /** The file in front; behind a page of settings or the like the one before, as long as it is open. */
  private target(): string | undefined {
    const file = activeFile();
    if (file) this.lastFile = file;
    const uri = file ?? (isOpen(this.lastFile) ? this.lastFile : vscode.workspace.workspaceFolders?.[0]?.uri);
    return uri && this.parts.client.wireUri(uri);
  }

  private sending(conversation: Conversation, prepared: PrepareTurnResult): void {
    this.requests.keep(conversation.id, prepared);
    this.context.sent();
    void this.parts.context.workspaceState.update(currentKey, conversation.id);
  }

  private tell(message: Tell): void {
    void this.view?.webview.postMessage(message);
  }

  private sendEntries(from: number): void {
    const first = Math.min(from, this.known);
    this.tell({ type: "entries", from: first, entries: entriesView(this.chat.conversation, first, vscode.l10n.t) });
    this.known = this.chat.conversation.entries.length;
  }

  /** Tells the panel how things stand; many changes at once are told once. */
  private panelChanged(): void {
    if (this.panelPlanned) return;
    this.panelPlanned = true;
    setImmediate(() => {
      this.panelPlanned = false;
      this.tell({ type: "panel", panel: this.panelView() });
    });
  }

  private panelView(): PanelView {
    const { chat, context } = this;
    const { conversation } = chat;
    const trouble = context.trouble ?? this.limit();
    const target = this.target();
    return {
      title: conversation.title,
      model: context.choice?.label ?? "",
      agent: conversation.agent,
      agents: ["build", "plan", "explore"],
      mode: conversation.mode,
      busy: chat.busy,
      ...(chat.notice
        ? {
            notice: vscode.l10n.t(
              "The endpoint wants a pause ({0}). Next try in {1} s.",
              chat.notice.detail,
              chat.notice.seconds,
            ),
          }
        : {}),
      queue: chat.queue.map((queued) => ({ id: queued.id, text: queued.text })),
      attachments: chat.conversation.attached.map(({ text: _, ...shown }) => shown),
      ...(context.view ? { context: context.view } : {}),
      ...(trouble ? { trouble } : {}),
      promptOnly: context.choice?.wire === "text",
      restricted: !vscode.workspace.isTrusted,
      target: target === undefined ? "" : vscode.workspace.asRelativePath(vscode.Uri.parse(target)),
    };
  }

  private limit(): PanelView["trouble"] {
    if (!this.chat.exhausted) return undefined;
    return {
      text: vscode.l10n.t("The model has used all requests that one message may take."),
      actions: [{ label: vscode.l10n.t("Continue"), run: "continue" }],
    };
  }

  private async answer(ask: Ask): Promise<void> {
    try {
      await this.act(ask);
    } catch (error) {
      if (error instanceof vscode.CancellationError) return;
      this.parts.log.error(`chat, ${ask.type}: ${text(error)}`);
      void vscode.window.showErrorMessage(`Foreword: ${text(error)}.`);
    }
  }

  private async act(ask: Ask): Promise<void> {
    const { chat } = this;
    switch (ask.type) {
      case "ready":
        this.tell({ type: "strings", strings: vscode.l10n.bundle ?? {} });
        this.sendEntries(0);
        this.tell({ type: "panel", panel: this.panelView() });
        this.tell({ type: "draft", text: chat.conversation.draft });
        return this.context.refresh();
      case "send":
        chat.conversation.draft = "";
        chat.send(ask.text, chat.conversation.attached.splice(0));
        return this.panelChanged();
      case "draft":
        chat.conversation.draft = ask.text;
        return this.saveSoon();
      case "unqueue": {
        const taken = chat.unqueue(ask.id);
        if (!taken) return;
        chat.conversation.attached.push(...taken.attachments);
        this.tell({ type: "draft", text: taken.text });
        return this.panelChanged();
      }
      case "stop":
        return chat.stop();
      case "retry":
        return chat.retry();
      case "edit":
        return chat.edit(ask.id, ask.text);
      case "version":
        return chat.version(ask.id, ask.by);
      case "copy":
        return vscode.env.clipboard.writeText(ask.text);
      case "insert":
        return insertAtCursor(ask.text);
      case "apply": {
        const proposal = withBlock(ask.text);
        await this.proposals.propose(proposal.file, proposal.text);
        return;
      }
      case "permit":
        return this.tools.permit(ask.id, ask.answer);
      case "keep":
        chat.keep(ask.messages);
        vscode.window.setStatusBarMessage(vscode.l10n.t("They are sent whole from the next message on."), 5000);
        return;
      case "suggest":
        return this.tell({
          type: "suggestions",
          request: ask.request,
          items: await this.attachments.suggest(ask.query),
        });
      case "attach":
        return this.attach(ask.choice);
      case "detach":
        chat.conversation.attached = chat.conversation.attached.filter(({ id }) => id !== ask.id);
        this.saveSoon();
        return this.panelChanged();
      case "agent":
        chat.conversation.agent = ask.agent;
        chat.conversation.mode = ask.agent === "plan" ? "plan" : "build";
        this.store.save(chat.conversation);
        this.context.refresh();
        return this.panelChanged();
      case "mode":
        chat.conversation.mode = ask.mode;
        this.store.save(chat.conversation);
        this.context.refresh();
        return this.panelChanged();
      case "link":
        return this.follow(ask.href);
      case "open":
        return this.openOutput(ask.id);
      case "action":
        return runAction(ask.run, chat, this.models, () => this.startAnew());
      case "show":
        return this.show(ask.what);
    }
  }

  private async show(what: Extract<Ask, { type: "show" }>["what"]): Promise<void> {
    switch (what) {
      case "prompt":
        return this.showPrompt();
      case "difference":
        return this.showDifference();
      case "model":
        return this.chooseModel();
      case "sessions":
        return this.library.choose();
      case "attach":
        return this.attachFiles(undefined, undefined);
      case "instructions": {
        const target = this.target();
        if (target) await this.parts.documents.explain(vscode.Uri.parse(target, true));
      }
    }
  }

  private async attach(choice: string): Promise<void> {
    const attachment = await this.attachments.attach(choice);
    if (!attachment) {
      void vscode.window.showInformationMessage(vscode.l10n.t("There is nothing of that kind to attach."));
      return;
    }
    const { conversation } = this.chat;
    const others = conversation.attached.filter(
      ({ detail, kind }) => detail !== attachment.detail || kind !== attachment.kind,
    );
    conversation.attached = [...others, attachment];
    this.saveSoon();
    this.panelChanged();
  }

  /** A link that the model wrote: a page, after VS Code has asked, or a place in the workspace. */
  private async follow(href: string): Promise<void> {
    if (/^https?:\/\//.test(href)) {
      await vscode.env.openExternal(vscode.Uri.parse(href, true));
      return;
    }
    const [, name = "", line] = /^(?:\.\/)?([^#:]+)(?:(?:#L|:)(\d+))?/.exec(href) ?? [];
    const [found] = await vscode.workspace.findFiles(name, undefined, 1);
    if (!found) throw new Error(vscode.l10n.t("The workspace has no file {0}", name));
    const at = new vscode.Position(Math.max(0, Number(line ?? 1) - 1), 0);
    await vscode.window.showTextDocument(found, { selection: new vscode.Range(at, at) });
  }

  private async openOutput(id: string): Promise<void> {
    const entry = this.chat.conversation.entries.find((one) => one.id === id);
    if (!entry) return;
    const content =
      entry.kind === "tool"
        ? entry.output
        : entry.kind === "answer"
          ? entry.parts.map((part) => part.text ?? "").join("")
          : entry.text;
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
  }

  /** Stores the conversation a little later: pieces of an answer come fast. */
  private saveSoon(): void {
    this.lastDraftSave ??= setTimeout(() => {
      this.lastDraftSave = undefined;
      this.store.save(this.chat.conversation);
    }, 1000);
  }
}

function isOpen(file: vscode.Uri | undefined): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === file?.toString()),
  );
}

/** Waits, unless the signal comes before. */
function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal.addEventListener("abort", stop, { once: true });
  });
}
