import type { Message, MessagePart, PrepareTurnResult, Usage } from "../protocol.js";
import type { Attachment } from "./messages.js";

/** A message of the user. */
export interface UserEntry {
  kind: "user";
  id: string;
  time: string;
  text: string;
  attachments: Attachment[];
  /** Never shortened and never dropped. */
  pinned?: boolean;
}

/** What is kept of a prepared turn: what the panel shows of it later. */
export interface Sent {
  tokens: PrepareTurnResult["tokens"];
  cache: PrepareTurnResult["cache"];
  epoch: PrepareTurnResult["epoch"];
  sections: { key: string; layer: string; title: string; tokens: number; why: string }[];
  updates: { key: string; kind: string; tokens: number; why: string }[];
  injections: { uri: string; tokens: number; why: string; message: string }[];
  notApplied: PrepareTurnResult["notApplied"];
  history: { status: string; before: number; after: number; actions: Trim[] };
  prefix: string;
  warnings: string[];
  downgrades: string[];
}

/** One thing that was done to the history. */
export interface Trim {
  kind: string;
  reason: string;
  before: number;
  after: number;
  /** The message, where it is one of ours. */
  message?: string;
}

/** Why an answer is not whole. */
export interface Failure {
  kind: string;
  detail: string;
  status?: number;
}

/** An answer of the model. */
export interface AnswerEntry {
  kind: "answer";
  id: string;
  time: string;
  /** The turn that asked for it; 0 before it was prepared. */
  turn: number;
  parts: MessagePart[];
  model: string;
  state: "waiting" | "streaming" | "done" | "stopped" | "failed";
  failure?: Failure;
  sent?: Sent;
  usage?: Usage;
  /** Why the model stopped, in the provider's word. */
  reason?: string;
  pinned?: boolean;
}

/** A call of a tool, and what came of it. */
export interface ToolEntry {
  kind: "tool";
  id: string;
  time: string;
  call: string;
  name: string;
  arguments: unknown;
  state: "asking" | "running" | "done" | "failed" | "denied";
  output: string;
  /** Instruction files that were said with the result. */
  injected: { uri: string; why: string; tokens: number }[];
  pinned?: boolean;
}

export type Entry = UserEntry | AnswerEntry | ToolEntry;

/** What came after a message before the user went another way. */
export interface Branch {
  /** The entry that it followed; empty for the beginning. */
  after: string;
  entries: Entry[];
}

/** A conversation as it is stored. */
export interface Conversation {
  version: 1;
  /** Also the name of foreword's session. */
  id: string;
  title: string;
  /** Whether the user gave the title. */
  named: boolean;
  created: string;
  updated: string;
  agent: string;
  mode: "build" | "plan";
  entries: Entry[];
  branches: Branch[];
  /** Tools that the user allowed for all of the conversation. */
  allowed: string[];
  /** What is being written, and what is attached to it. */
  draft: string;
  attached: Attachment[];
  /** The next turn sends all messages, not only the new ones: one of the old ones was changed. */
  whole?: boolean;
}

/** A new conversation. */
export function begin(id: string, now: string): Conversation {
  return {
    version: 1,
    id,
    title: "",
    named: false,
    created: now,
    updated: now,
    agent: "build",
    mode: "build",
    entries: [],
    branches: [],
    allowed: [],
    draft: "",
    attached: [],
  };
}

/** The last turn that was sent, which the next one continues; 0 for none. */
export function parentTurn(entries: readonly Entry[]): number {
  return lastSent(entries)?.turn ?? 0;
}

/** The answer to the last turn that was sent. */
export function lastSent(entries: readonly Entry[]): AnswerEntry | undefined {
  return entries.findLast((entry): entry is AnswerEntry => entry.kind === "answer" && entry.turn > 0);
}

/** The messages since the last turn: its answer, what its calls gave, what the user said. */
export function newMessages(entries: readonly Entry[]): Message[] {
  const last = lastSent(entries);
  return messagesOf(last ? entries.slice(entries.indexOf(last)) : entries);
}

/** Entries as messages for foreword. An answer that says nothing is none. */
export function messagesOf(entries: readonly Entry[]): Message[] {
  return entries.flatMap((entry): Message[] => {
    const common = { id: entry.id, time: entry.time, ...(entry.pinned ? { pinned: true } : {}) };
    switch (entry.kind) {
      case "user": {
        const files = entry.attachments.flatMap((attachment) => attachment.files ?? []);
        return [{ ...common, role: "user", content: userText(entry), ...(files.length > 0 ? { files } : {}) }];
      }
      case "answer": {
        const content = entry.parts.filter((part) => part.type !== "text" || part.text);
        return content.length > 0 ? [{ ...common, role: "assistant", content, model: entry.model }] : [];
      }
      case "tool":
        return [
          {
            ...common,
            role: "tool",
            content: [
              {
                type: "tool-result",
                toolCallID: entry.call,
                name: entry.name,
                content: entry.output,
                ...(entry.state === "done" ? {} : { isError: true }),
              },
            ],
          },
        ];
    }
  });
}

/** What the user wrote, and below it what was attached as text. */
export function userText(entry: UserEntry): string {
  const texts = entry.attachments.flatMap((attachment) => (attachment.text ? [attachment.text] : []));
  return [entry.text, ...texts].join("\n\n");
}

/** What the user reads of an answer. */
export function answerText(entry: AnswerEntry): string {
  return entry.parts.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("");
}

/** What the model thought, where it said so. */
export function thinkingOf(entry: AnswerEntry): string {
  return entry.parts.flatMap((part) => (part.type === "thinking" ? [part.text ?? ""] : [])).join("\n\n");
}

/** Takes away an entry and all after it; they are kept as a branch. */
export function cutFrom(conversation: Conversation, id: string): Entry[] {
  const at = conversation.entries.findIndex((entry) => entry.id === id);
  if (at < 0) return [];
  const cut = conversation.entries.splice(at);
  conversation.branches.push({ after: conversation.entries.at(-1)?.id ?? "", entries: cut });
  return cut;
}

/** How many ways go on from the place of an entry, and which one this is. */
export function versionsAt(conversation: Conversation, at: number): { at: number; of: number } {
  const after = at > 0 ? (conversation.entries[at - 1]?.id ?? "") : "";
  const others = conversation.branches.filter((branch) => branch.after === after);
  const here = conversation.entries[at];
  // In the order in which they began.
  const before = others.filter(
    ({ entries: [first] }) => first && here && first.time <= here.time && first.id !== here.id,
  );
  return { at: before.length + 1, of: others.length + 1 };
}

/** Goes another way from the place of an entry: the one before (-1) or after (1) in time. */
export function switchVersion(conversation: Conversation, id: string, by: -1 | 1): boolean {
  const at = conversation.entries.findIndex((entry) => entry.id === id);
  const here = conversation.entries[at];
  if (!here) return false;
  const after = conversation.entries[at - 1]?.id ?? "";
  const ways = [
    { began: here.time, branch: undefined },
    ...conversation.branches
      .filter((branch) => branch.after === after)
      .map((branch) => ({ began: branch.entries[0]?.time ?? "", branch })),
  ].sort((a, b) => a.began.localeCompare(b.began));
  const there = ways[ways.findIndex(({ branch }) => branch === undefined) + by]?.branch;
  if (!there) return false;
  const cut = conversation.entries.splice(at, Infinity, ...there.entries);
  conversation.branches.splice(conversation.branches.indexOf(there), 1, { after, entries: cut });
  return true;
}

/** What was going on when the window was closed is over. */
export function settle(conversation: Conversation, interrupted: string): void {
  for (const entry of conversation.entries) {
    if (entry.kind === "answer" && (entry.state === "waiting" || entry.state === "streaming")) entry.state = "stopped";
    if (entry.kind === "tool" && (entry.state === "asking" || entry.state === "running")) {
      entry.state = "failed";
      entry.output = interrupted;
    }
  }
  // An answer that was never asked for leaves nothing to show.
  const last = conversation.entries.at(-1);
  if (last?.kind === "answer" && last.turn === 0 && last.parts.length === 0) conversation.entries.pop();
}

/**
 * Lets go of what only the newest turn is asked for: which sections it had, and what was left out. A long conversation
 * would be stored with hundreds of such lists.
 */
export function thin(entries: readonly Entry[]): void {
  for (const entry of entries)
    if (entry.kind === "answer" && entry.sent) Object.assign(entry.sent, { sections: [], notApplied: [] });
}

/** A title out of the first question, until the user gives one. */
export function titleOf(text: string): string {
  const longest = 60;
  const line = text.trim().split("\n")[0]?.replace(/\s+/g, " ").trim() ?? "";
  return line.length <= longest
    ? line
    : `${line.slice(0, line.lastIndexOf(" ", longest) > 20 ? line.lastIndexOf(" ", longest) : longest)}…`;
}

/** Tells a conversation from what else may stand in a file. */
export function isConversation(value: unknown): value is Conversation {
  const it = value as Partial<Conversation> | null;
  return (
    typeof it === "object" &&
    it !== null &&
    it.version === 1 &&
    typeof it.id === "string" &&
    typeof it.title === "string" &&
    Array.isArray(it.entries) &&
    Array.isArray(it.branches) &&
    Array.isArray(it.allowed) &&
    Array.isArray(it.attached) &&
    it.entries.every(isEntry)
  );
}

function isEntry(value: unknown): value is Entry {
  const it = value as Partial<Entry> | null;
  if (typeof it !== "object" || it === null || typeof it.id !== "string") return false;
  switch (it.kind) {
    case "user":
      return typeof it.text === "string" && Array.isArray(it.attachments);
    case "answer":
      return typeof it.turn === "number" && Array.isArray(it.parts);
    case "tool":
      return typeof it.call === "string" && typeof it.output === "string" && Array.isArray(it.injected);
    default:
      return false;
  }
}
