import * as vscode from "vscode";
import type { Client } from "../client.js";
import { text } from "../error_text.js";
import { debounce } from "../debounce.js";
import type { Models } from "../models/models.js";
import type { BuildPromptResult } from "../protocol.js";
import { contextOf, forecast, type ContextView } from "./account.js";
import type { Chat, Toolbox } from "./chat.js";
import { lastSent, type Sent } from "./conversation.js";
import type { Trouble } from "./messages.js";
import type { Choice } from "./turn.js";

/** How long nothing may change before the account of the next turn is made, in ms. */
const rest = 250;

/** What the next turn would send, and what the last one sent. */
export class Context implements vscode.Disposable {
  view: ContextView | undefined;
  choice: Choice | undefined;
  /** Why there is no account, where it concerns the user. */
  trouble: Trouble | undefined;
  private generation = 0;
  private readonly later = debounce(rest, () => void this.read());

  constructor(
    private readonly client: Client,
    private readonly chat: Chat,
    private readonly models: Models,
    private readonly tools: Toolbox,
    private readonly target: () => string | undefined,
    private readonly changed: () => void,
  ) {}

  dispose(): void {
    this.generation++;
    this.later.dispose();
  }

  refresh(): void {
    this.later.call();
  }

  /** A turn goes out: what is shown is what is sent. */
  sent(): void {
    this.generation++;
    const sent = lastSent(this.chat.conversation.entries)?.sent;
    if (sent) this.view = contextOf(sent, forecast(sent.cache, vscode.l10n.t), true, vscode.l10n.t);
    this.changed();
  }

  private async read(): Promise<void> {
    const generation = ++this.generation;
    const t = vscode.l10n.t;
    try {
      const choice = await this.models.current();
      if (generation !== this.generation) return;
      this.choice = choice;
      this.changed(); // which model answers is known before the server is
      const { conversation } = this.chat;
      const tools = choice.wire === "text" ? [] : await this.tools.offered(conversation);
      const last = lastSent(conversation.entries)?.sent;
      const uri = this.target();
      const prompt = await this.client.command("foreword.prompt.build", {
        ...(uri === undefined ? {} : { uri }),
        session: conversation.id,
        ...(choice.model ? { model: choice.model } : {}),
        ...(choice.provider ? { provider: choice.provider } : {}),
        ...(choice.window ? { window: choice.window } : {}),
        agent: conversation.agent,
        mode: conversation.mode,
        tools,
      });
      if (generation !== this.generation || this.chat.busy) return;
      this.trouble = undefined;
      this.view = contextOf(
        {
          tokens: withRest(prompt, last?.tokens.history ?? 0),
          sections: prompt.sections,
          updates: prompt.updates.map((update) => ({ ...update, why: update.why ?? "" })),
          injections: [],
          notApplied: prompt.notApplied,
          warnings: prompt.warnings.map(({ message }) => message),
        },
        expectation(last, prompt.fingerprint.prefix),
        false,
        t,
      );
    } catch (error) {
      if (generation !== this.generation) return;
      this.choice = await this.models.current();
      this.trouble = this.serverTrouble(text(error));
    }
    this.changed();
  }

  private serverTrouble(message: string): Trouble {
    const { kind } = this.client.state;
    const t = vscode.l10n.t;
    if (kind === "starting") return { text: t("Foreword is starting."), actions: [] };
    return {
      text: `${message}.`,
      actions: [
        { label: t("Restart Server"), run: "restart" },
        ...(kind === "missing" || kind === "failed" ? [{ label: t("Open Settings"), run: "server" } as const] : []),
        { label: t("Show Log"), run: "log" },
      ],
    };
  }
}

/** The account of a prompt with what goes with it: the conversation as it was in the last turn, and what changed. */
function withRest({ tokens, updates }: BuildPromptResult, history: number): Sent["tokens"] {
  const rest = updates.reduce((all, update) => all + update.tokens, history);
  return { ...tokens, history, total: tokens.total + rest, free: Math.max(0, tokens.free - rest) };
}

/** What the provider's cache should hold of the next turn, by what was sent last. */
function expectation(last: Sent | undefined, prefix: string): string {
  const t = vscode.l10n.t;
  if (!last) return t("Nothing was sent yet, so nothing is in the provider's cache.");
  const total = last.tokens.total.toLocaleString();
  return prefix === last.prefix
    ? t("The beginning is as it was: about {0} tokens may come from the provider's cache.", total)
    : t("The beginning is another one now: the provider's cache will not help with the next message.");
}
