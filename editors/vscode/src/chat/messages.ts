// What the chat's panel and the extension say to each other. Both sides import this file and nothing else of the other.

import type { ContextView } from "./account.js";

/** Something that the user adds to a message. */
export interface Attachment {
  /** Unique among those of one message. */
  id: string;
  kind: "file" | "folder" | "selection" | "symbol" | "diagnostics" | "diff" | "editors";
  /** What the chip says. */
  label: string;
  /** Where it is, for the tooltip. */
  detail: string;
  /** URIs of files that foreword reads itself, as they are in the editor. */
  files?: string[];
  /** Text that goes with the message as it is. */
  text?: string;
  tokens?: number;
  /** An estimate. */
  about?: boolean;
  /** Why foreword will not send it. */
  refused?: string;
}

/** What can be attached, as the list below the @ shows it. */
export interface Suggestion {
  label: string;
  detail: string;
  icon: string;
  /** For the extension: what is chosen. */
  choice: string;
}

/** What a button does. */
export interface Action {
  label: string;
  /** A command of the panel; see Ask. */
  run: "retry" | "key" | "model" | "settings" | "log" | "restart" | "continue" | "trust" | "new" | "release" | "server";
}

/** A sentence that says what is wrong, with what can be done. */
export interface Trouble {
  text: string;
  actions: Action[];
}

/** A message of the user. */
export interface UserView {
  kind: "user";
  id: string;
  text: string;
  attachments: Attachment[];
  /** Which of the versions of this place it is, from 1; only where there are more. */
  version?: { at: number; of: number };
}

/** An answer of the model. */
export interface AnswerView {
  kind: "answer";
  id: string;
  text: string;
  thinking: string;
  model: string;
  state: "waiting" | "streaming" | "done" | "stopped" | "failed";
  /** It is the prompt itself: nobody was asked. */
  prompt: boolean;
  trouble?: Trouble;
  /** What was done to the conversation, to be told in the transcript. */
  notes: NoteView[];
  /** What the turn cost, in one line. */
  cost?: string;
  /** Why the cache gave less than it should have. */
  miss?: string;
}

/** A line between messages. */
export interface NoteView {
  text: string;
  detail?: string;
  /** What takes it back. */
  undo?: { label: string; messages: string[] };
}

/** A call of a tool. */
export interface ToolView {
  kind: "tool";
  id: string;
  name: string;
  /** What it works on, in a few words. */
  subject: string;
  state: "asking" | "running" | "done" | "failed" | "denied";
  output: string;
  notes: string[];
  /** What the user is asked. */
  question?: string;
}

export type EntryView = UserView | AnswerView | ToolView;

/** Everything in the panel but the messages. */
export interface PanelView {
  title: string;
  model: string;
  agent: string;
  agents: string[];
  mode: "build" | "plan";
  busy: boolean;
  /** What is going on, where it is worth a word: a wait for a rate limit. */
  notice?: string;
  queue: { id: string; text: string }[];
  attachments: Attachment[];
  context?: ContextView;
  trouble?: Trouble;
  /** Nobody answers; the prompt is shown and copied. */
  promptOnly: boolean;
  restricted: boolean;
  /** Name of the file that the conversation is about. */
  target: string;
}

/** What the extension tells the panel. */
export type Tell =
  | { type: "strings"; strings: Record<string, string> }
  | { type: "panel"; panel: PanelView }
  /** These take the place of all messages from an index on. */
  | { type: "entries"; from: number; entries: EntryView[] }
  | { type: "delta"; id: string; text: string; thinking: string }
  | { type: "suggestions"; request: number; items: Suggestion[] }
  /** Takes the place of what is being written. */
  | { type: "draft"; text: string }
  | { type: "focus" };

/** What the panel asks of the extension. */
export type Ask =
  | { type: "ready" }
  | { type: "send"; text: string }
  | { type: "draft"; text: string }
  | { type: "unqueue"; id: string }
  | { type: "stop" }
  | { type: "retry" }
  | { type: "edit"; id: string; text: string }
  | { type: "version"; id: string; by: -1 | 1 }
  | { type: "copy"; text: string }
  | { type: "insert"; text: string }
  | { type: "apply"; text: string; language: string }
  | { type: "permit"; id: string; answer: "once" | "session" | "deny" }
  | { type: "keep"; messages: string[] }
  | { type: "suggest"; request: number; query: string }
  | { type: "attach"; choice: string }
  | { type: "detach"; id: string }
  | { type: "agent"; agent: string }
  | { type: "mode"; mode: "build" | "plan" }
  | { type: "link"; href: string }
  | { type: "open"; id: string }
  | { type: "action"; run: Action["run"] }
  | { type: "show"; what: "prompt" | "difference" | "instructions" | "model" | "sessions" | "attach" };
