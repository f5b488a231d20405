import type { Translate } from "../status_text.js";
import type { AnswerEntry, Failure, Trim } from "./conversation.js";
import type { Action, NoteView, Trouble } from "./messages.js";

/** What went wrong, in a sentence, with what can be done. */
export function troubleOf(
  { kind, detail: given, status }: Failure,
  model: string,
  /** Whether there are messages that the user wants sent whole. */
  pinned: boolean,
  t: Translate,
): Trouble {
  const detail = stop(given); // the sentence has its own
  const retry: Action = { label: t("Try Again"), run: "retry" };
  const settings: Action = { label: t("Open Settings"), run: "settings" };
  const choose: Action = { label: t("Choose Another Model"), run: "model" };
  const key: Action = { label: t("Set API Key…"), run: "key" };
  const log: Action = { label: t("Show Log"), run: "log" };
  const restart: Action = { label: t("Restart Server"), run: "restart" };
  const said = detail ? t(" It said: {0}", detail) : "";
  switch (kind) {
    case "refused":
      return {
        text: t("Nobody answers at the address of the model: {0}. Is it running?", detail),
        actions: [retry, settings],
      };
    case "unknown-host":
      return { text: t("The address of the model leads nowhere: {0}.", detail), actions: [retry, settings] };
    case "certificate":
      return { text: t("The certificate of the endpoint is not trusted: {0}.", detail), actions: [retry, settings] };
    case "cut":
      return { text: t("The connection ended before the answer did. What came of it is kept."), actions: [retry] };
    case "garbage":
      return { text: t("The endpoint sent something that is no answer: {0}", detail), actions: [retry, settings] };
    case "page":
      return {
        text: t("The endpoint sent a web page, not an answer: {0}. Is the address right?", detail),
        actions: [settings, retry],
      };
    case "endless":
      return { text: t("The answer did not end and was cut after {0}.", detail), actions: [retry] };
    case "key":
      return { text: t("The endpoint does not accept the key.") + said, actions: [key, retry] };
    case "not-found":
      return {
        text: t("The endpoint does not know the model {0}, or the address is wrong.", model) + said,
        actions: [choose, settings],
      };
    case "rate":
      return { text: t("The endpoint wants fewer requests.") + said, actions: [retry, choose] };
    case "server":
      return {
        text: t("The endpoint is in trouble{0}.", status ? ` (${status})` : "") + said,
        actions: [retry, choose],
      };
    case "request":
      return { text: t("The endpoint refuses the request.") + said, actions: [choose, retry] };
    case "blocked":
      return { text: t("The provider does not answer this: {0}.", detail), actions: [retry, choose] };
    case "permission":
      return { text: t("VS Code does not let foreword use this model: {0}.", detail), actions: [choose, retry] };
    case "empty":
      return { text: t("The model said nothing."), actions: [retry, choose] };
    case "conflict":
      return { text: t("This conversation went on in another window."), actions: [retry] };
    case "budget_impossible":
      return {
        text: t("The conversation does not fit the model's window: {0}.", detail),
        actions: [
          ...(pinned ? [{ label: t("Shorten Again"), run: "release" } as const] : []),
          choose,
          { label: t("New Chat"), run: "new" },
        ],
      };
    case "needs_trust":
      return {
        text: t("This needs a trusted workspace: {0}.", detail),
        actions: [{ label: t("Trust…"), run: "trust" }, retry],
      };
    default:
      return { text: t("The prompt could not be prepared: {0}.", detail), actions: [retry, restart, log] };
  }
}

const stop = (text: string) => text.replace(/\.$/, "");

/** What was done to the conversation in a turn, and not in the one before already, told in the transcript. */
export function notesOf(
  entry: AnswerEntry,
  before: AnswerEntry | undefined,
  inTurn: ReadonlySet<string>,
  t: Translate,
): NoteView[] {
  const { sent } = entry;
  if (!sent) return [];
  const notes: NoteView[] = [];
  if (sent.epoch.status === "replaced")
    notes.push({ text: t("The whole prompt was said anew: {0}.", stop(sent.epoch.because ?? "")) });
  if (sent.updates.length > 0)
    notes.push({
      text:
        sent.updates.length === 1
          ? t("1 change was told to the model.")
          : t("{0} changes were told to the model.", sent.updates.length),
      detail: sent.updates.map((update) => `${update.key}: ${update.why} (${update.tokens})`).join("\n"),
    });
  const injected = sent.injections.filter(({ message }) => inTurn.has(message));
  if (injected.length > 0) notes.push(injectionNote(injected, t));
  const known = new Set(before?.sent?.history.actions.map((trim) => JSON.stringify(trim)));
  const trims = sent.history.actions
    .filter(({ kind }) => ["truncated", "cleared", "pruned", "dropped"].includes(kind))
    .filter((trim) => !known.has(JSON.stringify(trim)));
  if (trims.length > 0) notes.push(trimNote(trims, t));
  for (const warning of sent.warnings) if (!before?.sent?.warnings.includes(warning)) notes.push({ text: warning });
  return notes;
}

/** Which instruction files came with what was read. */
export function injectionNote(
  injected: readonly { uri: string; why: string; tokens: number }[],
  t: Translate,
): NoteView {
  const folders = [...new Set(injected.map(({ uri }) => folderOf(uri)))].join(", ");
  return {
    text:
      injected.length === 1
        ? t("1 instruction file of {0} was added.", folders)
        : t("{0} instruction files of {1} were added.", injected.length, folders),
    detail: injected.map(({ uri, why, tokens }) => `${uri.split("/").at(-1)}: ${why} (${tokens})`).join("\n"),
  };
}

function folderOf(uri: string): string {
  try {
    return decodeURIComponent(uri).split("/").slice(-3, -1).join("/");
  } catch {
    return uri;
  }
}

function trimNote(trims: readonly Trim[], t: Translate): NoteView {
  const saved = trims.reduce((all, trim) => all + trim.before - trim.after, 0);
  const messages = [...new Set(trims.flatMap(({ message }) => (message ? [message] : [])))];
  const text =
    trims.length === 1
      ? t("1 message was shortened or left out, to save {0} tokens.", saved.toLocaleString())
      : t("{0} messages were shortened or left out, to save {1} tokens.", trims.length, saved.toLocaleString());
  const detail = trims
    .map((trim) =>
      t("{0}: {1} → {2} tokens", reasonOf(trim, t), trim.before.toLocaleString(), trim.after.toLocaleString()),
    )
    .join("\n");
  return { text, detail, ...(messages.length > 0 ? { undo: { label: t("Keep Them"), messages } } : {}) };
}

/** What was done to a message, in words; docs/commands.md has the server's. */
function reasonOf({ kind, reason }: Trim, t: Translate): string {
  switch (reason) {
    case "over_budget":
      return t("left out, as the oldest, when the room was used up");
    case "tool_pair":
      return t("left out, with the call or the result that it belongs to");
    case "orphan_result":
      return t("left out: a result that no call asked for");
    case "orphan_call":
      return t("left out: a call that was never answered");
    case "expired":
      return t("left out: its time was over");
    case "old_result":
      return t("what a tool answered long ago was cleared");
    case "repeated":
      return t("shortened: a later message says the same");
    case "thoughts":
      return t("shortened: without what the model thought aloud");
    case "code_middle":
      return t("shortened: code blocks without their middle");
    case "structure":
      return t("shortened to signatures, errors and changes");
    case "extract":
      return t("shortened to the sentences that say most");
    case "head_tail":
      return t("shortened to its beginning and its end");
    case "reference":
      return t("shortened to a note");
    default:
      return `${kind}, ${reason}`;
  }
}

/** What a turn cost, in one line. */
export function costOf({ usage, sent }: AnswerEntry, t: Translate): string | undefined {
  if (!usage) return undefined;
  const parts = [t("{0} in", usage.input.toLocaleString()), t("{0} out", usage.output.toLocaleString())];
  if (usage.cacheRead !== undefined)
    parts.push(
      sent && sent.cache.tokens > 0
        ? t("cache {0} of {1}", usage.cacheRead.toLocaleString(), sent.cache.tokens.toLocaleString())
        : t("cache {0}", usage.cacheRead.toLocaleString()),
    );
  return parts.join(" · ");
}

/** Why the provider's cache gave less than it should have; nothing where it did not. */
export function missOf({ usage, sent }: AnswerEntry, t: Translate): string | undefined {
  if (!usage || usage.cacheRead === undefined || !sent) return undefined;
  if (sent.cache.broken && sent.cache.because)
    return t("The request differs from the last one from {0} on: {1}.", sent.cache.broken, stop(sent.cache.because));
  // Providers count in blocks, so a little less is no miss.
  if (sent.cache.tokens > 2048 && usage.cacheRead < sent.cache.tokens / 2)
    return t("The request begins as the last one did, so the provider no longer had it, or keeps none.");
  return undefined;
}
