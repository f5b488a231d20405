import type { Translate } from "../status_text.js";
import type { Sent } from "./conversation.js";

/** A stretch of the bar that shows what the window holds. */
export interface Part {
  kind: "system" | "instructions" | "files" | "history" | "reserve" | "free";
  label: string;
  tokens: number;
}

/** What is sent, for the bar and the list below it. */
export interface ContextView {
  parts: Part[];
  total: number;
  window: number;
  /** Where the window's size comes from. */
  windowSource: string;
  exact: boolean;
  /** One line for a screen reader, and for the eye. */
  summary: string;
  instructions: { label: string; tokens: number; why: string; uri?: string }[];
  leftOut: { label: string; state: string; why: string }[];
  /** What is going to be said of what changed. */
  updates: { label: string; tokens: number; why: string }[];
  /** What the provider's cache should hold, or held. */
  cache: string;
  warnings: string[];
  /** Whether this is of a turn that was sent, or of the next one. */
  sent: boolean;
}

const ofFiles = [
  "core/buffers",
  "core/attachments",
  "core/active",
  "core/focus",
  "core/context",
  "context/",
  "core/references",
];

/** Which part of the bar a section belongs to: by where it comes from, not by what stands in it. */
export function partOf(key: string): "system" | "instructions" | "files" {
  if (key.startsWith("instructions/") || key === "core/instructions") return "instructions";
  return ofFiles.some((prefix) => key === prefix || (prefix.endsWith("/") && key.startsWith(prefix)))
    ? "files"
    : "system";
}

type Account = Pick<Sent, "tokens" | "sections" | "updates" | "injections" | "notApplied" | "warnings"> &
  Partial<Pick<Sent, "cache">>;

/** Sums up what a turn sends. */
export function contextOf(sent: Account, cache: string, isSent: boolean, t: Translate): ContextView {
  const sum = { system: 0, instructions: 0, files: 0 };
  for (const section of sent.sections) sum[partOf(section.key)] += section.tokens;
  const said = sent.updates.reduce((all, update) => all + update.tokens, 0);
  for (const update of sent.updates) sum[partOf(update.key)] += update.tokens;
  const injected = sent.injections.reduce((all, injection) => all + injection.tokens, 0);
  sum.instructions += injected;
  const { tokens } = sent;
  // What a turn counts as history holds its updates and injections; it is told apart here.
  const history = isSent ? Math.max(0, (tokens.history ?? 0) - injected - said) : (tokens.history ?? 0);
  const parts: Part[] = [
    { kind: "system", label: t("System"), tokens: sum.system },
    { kind: "instructions", label: t("Instructions"), tokens: sum.instructions },
    { kind: "files", label: t("Files"), tokens: sum.files },
    { kind: "history", label: t("Conversation"), tokens: history },
    { kind: "reserve", label: t("Kept for the answer"), tokens: tokens.window > 0 ? tokens.reserve : 0 },
    { kind: "free", label: t("Free"), tokens: tokens.free },
  ];
  const exact = tokens.counter === "exact";
  return {
    parts,
    total: tokens.total,
    window: tokens.window,
    windowSource: tokens.windowSource,
    exact,
    summary: summaryOf(tokens.total, tokens.window, exact, t),
    instructions: [
      ...sent.sections
        .filter(({ key }) => partOf(key) === "instructions")
        .map((section) => ({ label: nameOf(section.key), tokens: section.tokens, why: section.why })),
      ...sent.injections.map((injection) => ({
        label: lastOf(injection.uri),
        tokens: injection.tokens,
        why: injection.why,
        uri: injection.uri,
      })),
    ],
    leftOut: sent.notApplied
      .filter(({ state }) => state !== "absent")
      .map((one) => ({ label: one.uri ? lastOf(one.uri) : nameOf(one.key), state: one.state, why: one.why })),
    updates: sent.updates.map((update) => ({ label: nameOf(update.key), tokens: update.tokens, why: update.why })),
    cache,
    warnings: sent.warnings,
    sent: isSent,
  };
}

function summaryOf(total: number, window: number, exact: boolean, t: Translate): string {
  const about = (exact ? "" : "~") + total.toLocaleString();
  const kind = exact ? t("exact") : t("an estimate");
  if (window === 0) return t("{0} tokens ({1})", about, kind);
  const percent = Math.max(1, Math.round((total / window) * 100));
  return t("{0} of {1} tokens, {2} % ({3})", about, window.toLocaleString(), percent, kind);
}

/** A section's name without its namespace, for people. */
export const nameOf = (key: string) => key.replace(/^(core|instructions|context)\//, "");

/** The last two names of a URI, which is enough to know a file by. */
export function lastOf(uri: string): string {
  try {
    return decodeURIComponent(uri)
      .replace(/^file:\/\//, "")
      .split("/")
      .slice(-2)
      .join("/");
  } catch {
    return uri;
  }
}

/** What the cache should give, before a turn. */
export function forecast(cache: Sent["cache"], t: Translate): string {
  if (cache.tokens > 0) {
    const held = t("{0} tokens should come from the provider's cache.", cache.tokens.toLocaleString());
    return cache.broken ? `${held} ${t("The rest is new from {0} on: {1}.", cache.broken, cache.because ?? "")}` : held;
  }
  return t("Nothing will come from the provider's cache: {0}.", cache.because ?? t("it is the first request"));
}
