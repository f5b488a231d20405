import type { Translate } from "../status_text.js";
import {
  answerText,
  lastSent,
  thinkingOf,
  versionsAt,
  type AnswerEntry,
  type Conversation,
  type Entry,
  type ToolEntry,
} from "./conversation.js";
import type { AnswerView, EntryView, ToolView } from "./messages.js";
import { costOf, injectionNote, missOf, notesOf, troubleOf } from "./sentences.js";

/** What of a tool's output is shown; the rest is the model's. */
const mostOutput = 20_000;

/** The messages as the panel shows them, from an index on. */
export function entriesView(conversation: Conversation, from: number, t: Translate): EntryView[] {
  return conversation.entries.slice(from).map((entry, i) => entryView(conversation, entry, from + i, t));
}

function entryView(conversation: Conversation, entry: Entry, at: number, t: Translate): EntryView {
  switch (entry.kind) {
    case "user": {
      const version = versionsAt(conversation, at);
      return {
        kind: "user",
        id: entry.id,
        text: entry.text,
        attachments: entry.attachments.map(({ text: _, ...shown }) => shown),
        ...(version.of > 1 ? { version } : {}),
      };
    }
    case "answer":
      return answerView(conversation, entry, at, t);
    case "tool":
      return toolView(entry, t);
  }
}

function answerView(conversation: Conversation, entry: AnswerEntry, at: number, t: Translate): AnswerView {
  const cost = costOf(entry, t);
  const miss = missOf(entry, t);
  const pinned = conversation.entries.some((one) => one.pinned);
  return {
    kind: "answer",
    id: entry.id,
    text: answerText(entry),
    thinking: thinkingOf(entry),
    model: entry.model,
    state: entry.state,
    prompt: entry.reason === "prompt",
    ...(entry.failure && entry.state === "failed" ? { trouble: troubleOf(entry.failure, entry.model, pinned, t) } : {}),
    notes: notesOf(entry, lastSent(conversation.entries.slice(0, at)), newIDs(conversation.entries, at), t),
    ...(cost ? { cost } : {}),
    ...(miss ? { miss } : {}),
  };
}

/** The ids of the user's messages that went out with a turn for the first time; tools tell of their own. */
function newIDs(entries: readonly Entry[], at: number): Set<string> {
  const before = entries.findLastIndex((entry, i) => i < at && entry.kind === "answer" && entry.turn > 0);
  return new Set(entries.slice(before + 1, at).flatMap((entry) => (entry.kind === "user" ? [entry.id] : [])));
}

function toolView(entry: ToolEntry, t: Translate): ToolView {
  const long = entry.output.length > mostOutput;
  return {
    kind: "tool",
    id: entry.id,
    name: entry.name,
    subject: subjectOf(entry.arguments),
    state: entry.state,
    output: long ? `${entry.output.slice(0, mostOutput)}\n…` : entry.output,
    notes: entry.injected.length > 0 ? [injectionNote(entry.injected, t).text] : [],
    ...(entry.state === "asking"
      ? {
          question:
            entry.name === "edit"
              ? t("Take the change that the editor shows?")
              : t("Let the model use {0}?", entry.name),
        }
      : {}),
  };
}

/** What a call is about: the path, the pattern, else all of it. */
export function subjectOf(call: unknown): string {
  const longest = 120;
  if (typeof call === "object" && call !== null) {
    const of = call as Record<string, unknown>;
    const names = ["filePath", "path", "pattern", "query", "command", "name"].flatMap((key) =>
      typeof of[key] === "string" ? [of[key]] : [],
    );
    if (names.length > 0) return names.join(" ").slice(0, longest);
    const text = JSON.stringify(call);
    return text === "{}" ? "" : text.slice(0, longest);
  }
  return typeof call === "string" ? call.slice(0, longest) : "";
}
