import { Answer } from "../models/answer.js";
import { ModelProblem } from "../models/problem.js";
import type { Delta, Usage } from "../models/stream.js";
import type { CommandName, Commands, PrepareTurnParams, PrepareTurnResult, Tool } from "../protocol.js";
import {
  answerText,
  lastSent,
  messagesOf,
  newMessages,
  parentTurn,
  type AnswerEntry,
  type Conversation,
  type Sent,
  type Trim,
} from "./conversation.js";

/** What a request is sent to. */
export interface Choice {
  /** Names the choice, for it to be kept. */
  id: string;
  label: string;
  /** The model as its provider spells it. */
  model: string;
  provider?: string;
  wire: PrepareTurnParams["wire"];
  window?: number;
}

/** The server's commands. */
export type Server = <C extends CommandName>(
  command: C,
  params: Commands[C]["params"],
) => Promise<Commands[C]["result"]>;

/** Sends a prepared request and hands on the pieces of the answer. */
export type AskModel = (
  choice: Choice,
  prepared: PrepareTurnResult,
  signal: AbortSignal,
  onDelta: (delta: Delta) => void,
) => Promise<void>;

/** What a turn needs from around it. */
export interface Surroundings {
  server: Server;
  ask: AskModel;
  newID(): string;
  /** Waits, unless the user stops the answer. */
  wait(seconds: number, signal: AbortSignal): Promise<void>;
  /** Says what is going on, or nothing any more. */
  notice(notice: { seconds: number; detail: string } | undefined): void;
  /** A piece of the answer came. */
  grown(entry: AnswerEntry, text: string, thinking: string): void;
  /** The entry is another one now. */
  changed(): void;
  /** The request is prepared and goes out. */
  sending(prepared: PrepareTurnResult): void;
}

/** What a turn is prepared with beside the conversation. */
export interface Request {
  uri?: string;
  choice: Choice;
  tools: Tool[];
}

const attempts = 4; // three waits are as long as anybody looks at a notice
const longestWait = 120; // seconds; who is to wait longer is told at once

/** Runs one turn: prepares it, asks the model, reports what it cost. The answer is the conversation's last entry. */
export async function runTurn(
  conversation: Conversation,
  entry: AnswerEntry,
  asked: () => Promise<Request>,
  around: Surroundings,
  signal: AbortSignal,
): Promise<Answer> {
  let answer = new Answer("", around.newID);
  let wire: Choice["wire"] = "text";
  try {
    const request = await asked();
    const { choice } = request;
    wire = choice.wire;
    answer = new Answer(choice.model, around.newID);
    const untold = await touch(conversation, choice, around.server);
    const prepared = await prepare(conversation, request, around.server);
    entry.turn = prepared.turn;
    entry.sent = sentOf(prepared, conversation);
    entry.sent.warnings.push(...untold);
    delete conversation.whole;
    around.sending(prepared);
    around.changed();
    signal.throwIfAborted();
    if (choice.wire === "text") {
      // Nobody is asked: the prompt is the answer.
      answer.add({ kind: "text", text: textOf(prepared) });
      entry.parts = answer.parts;
      entry.state = "done";
      entry.reason = "prompt";
      return answer;
    }
    await withPatience(
      around,
      signal,
      () =>
        around.ask(choice, prepared, signal, (delta) => {
          if (entry.state === "waiting") {
            entry.state = "streaming";
            around.changed(); // before there is a text: each piece is told by itself
          }
          answer.add(delta);
          entry.parts = answer.parts;
          if (delta.kind === "text") around.grown(entry, delta.text, "");
          if (delta.kind === "thinking") around.grown(entry, "", delta.text ?? "");
        }),
      () => answer.parts.length === 0,
    );
    if (answer.parts.length === 0) throw new ModelProblem("empty", answer.reason);
    entry.state = "done";
  } catch (error) {
    if (signal.aborted) entry.state = "stopped";
    else {
      entry.state = "failed";
      entry.failure = failureOf(error);
    }
  }
  entry.parts = answer.parts;
  entry.reason = answer.reason;
  if (answer.usage) entry.usage = answer.usage;
  if (entry.turn > 0) await report(conversation, entry, answer.usage && inItsOwnWords(answer.usage, wire), around.server);
  return answer;
}

/** Says which files go with the new messages, so that the instructions of their folders do, too. */
async function touch(conversation: Conversation, choice: Choice, server: Server): Promise<string[]> {
  const { entries, id } = conversation;
  const last = lastSent(entries);
  const untold: string[] = [];
  for (const entry of entries.slice(last ? entries.indexOf(last) : 0)) {
    const uris = entry.kind === "user" ? entry.attachments.flatMap(({ files }) => files ?? []) : [];
    if (uris.length === 0) continue;
    const model = choice.model ? { model: choice.model } : {};
    try {
      await server("foreword.context.touch", { session: id, message: entry.id, uris, kind: "attach", ...model });
    } catch (error) {
      untold.push(error instanceof Error ? error.message : String(error)); // the files go all the same
    }
  }
  return untold;
}

async function prepare(conversation: Conversation, request: Request, server: Server): Promise<PrepareTurnResult> {
  const { entries, id, agent, mode } = conversation;
  const { uri, choice, tools } = request;
  const params: PrepareTurnParams = {
    ...(uri === undefined ? {} : { uri }),
    session: id,
    ...(choice.model ? { model: choice.model } : {}),
    ...(choice.provider ? { provider: choice.provider } : {}),
    ...(choice.window ? { window: choice.window } : {}),
    agent,
    mode,
    tools,
    wire: choice.wire,
    // An object of JavaScript has its own order for names that are numbers, and its own form of numbers.
    bodyText: choice.wire !== "vscode-lm" && choice.wire !== "text",
  };
  const parent = parentTurn(entries);
  const all = { ...params, parentTurn: 0, messages: messagesOf(entries) };
  if (conversation.whole) return server("foreword.turn.prepare", { ...all, parentTurn: parent });
  try {
    return await server("foreword.turn.prepare", { ...params, parentTurn: parent, append: newMessages(entries) });
  } catch (error) {
    // The server's store was deleted, or moved to another machine: it is told all that was said.
    const code = codeOf(error);
    if (code !== "unknown_session" && code !== "unknown_turn") throw error;
    return server("foreword.turn.prepare", all);
  }
}

/** The value of data.code in an error of the server; see docs/commands.md. */
export function codeOf(error: unknown): string | undefined {
  const data = (error as { data?: { code?: unknown } } | null)?.data;
  return typeof data?.code === "string" ? data.code : undefined;
}

/** Asks again when the provider wants to be left alone for a while, as long as nothing came yet. */
async function withPatience(
  around: Surroundings,
  signal: AbortSignal,
  ask: () => Promise<void>,
  fresh: () => boolean,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const patient = error instanceof ModelProblem && error.kind === "rate" && fresh();
      const seconds = patient ? (error.retryAfter ?? 2 ** attempt) : 0;
      if (!patient || attempt >= attempts || seconds > longestWait || signal.aborted) throw error;
      around.notice({ seconds: Math.ceil(seconds), detail: error.detail });
      try {
        await around.wait(seconds, signal);
      } finally {
        around.notice(undefined);
      }
    }
  }
}

/** What a provider counted, as it says it: Anthropic's input is without what its cache had or took. */
function inItsOwnWords(usage: Usage, wire: Choice["wire"]): Usage {
  if (wire !== "anthropic") return usage;
  return { ...usage, input: usage.input - (usage.cacheRead ?? 0) - (usage.cacheWrite ?? 0) };
}

async function report(
  conversation: Conversation,
  entry: AnswerEntry,
  usage: Usage | undefined,
  server: Server,
): Promise<void> {
  const failed = entry.state !== "done" ? (entry.failure ? entry.failure.kind : "stopped") : undefined;
  const answer = answerText(entry);
  // Some endpoints count nothing; then there is nothing to hold against the prediction.
  if (!usage && failed === undefined) return;
  try {
    await server("foreword.turn.finish", {
      session: conversation.id,
      turn: entry.turn,
      ...(usage ? { usage } : {}),
      ...(failed === undefined ? {} : { error: failed }),
      ...(answer ? { answer } : {}),
    });
  } catch (error) {
    // The answer is there; that its cost was not noted must not take it away.
    entry.sent?.warnings.push(error instanceof Error ? error.message : String(error));
  }
}

function failureOf(error: unknown): NonNullable<AnswerEntry["failure"]> {
  if (error instanceof ModelProblem)
    return {
      kind: error.kind,
      detail: error.detail,
      ...(error.status === undefined ? {} : { status: error.status }),
    };
  return { kind: codeOf(error) ?? "failed", detail: error instanceof Error ? error.message : String(error) };
}

function textOf(prepared: PrepareTurnResult): string {
  return typeof prepared.body.text === "string" ? prepared.body.text : JSON.stringify(prepared.body, null, 2);
}

function sentOf(prepared: PrepareTurnResult, conversation: Conversation): Sent {
  const ids = messagesOf(conversation.entries).map((message) => message.id);
  const { history } = prepared;
  const trims = history.report.actions.map((action): Trim => {
    const restored = action.restore?.id;
    const message = typeof restored === "string" ? restored : ids[action.index];
    return {
      kind: action.kind,
      reason: action.reason,
      before: action.before,
      after: action.after,
      ...(message === undefined ? {} : { message }),
    };
  });
  return {
    tokens: prepared.tokens,
    cache: prepared.cache,
    epoch: prepared.epoch,
    sections: prepared.sections.map(({ key, layer, title, tokens, why }) => ({ key, layer, title, tokens, why })),
    updates: prepared.updates.map(({ key, kind, tokens, why }) => ({ key, kind, tokens, why: why ?? "" })),
    injections: prepared.injections.map(({ uri, tokens, why, message }) => ({
      uri,
      tokens,
      why,
      message: message ?? "",
    })),
    notApplied: prepared.notApplied,
    history: {
      status: history.report.status,
      before: history.report.before,
      after: history.report.after,
      actions: trims,
    },
    prefix: prepared.fingerprint.prefix,
    warnings: prepared.warnings.map(({ message }) => message),
    downgrades: prepared.downgrades,
  };
}
