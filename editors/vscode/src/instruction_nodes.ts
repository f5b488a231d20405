import type { ExplainInstructionsResult, Instruction, ListInstructionsResult, ListedInstruction } from "./protocol.js";
import { escape, type Translate } from "./status_text.js";

/** A row of the view "Instructions". */
export interface Node {
  /** Unlike any other of the view, and the same after a refresh, so that what is open stays open. */
  id: string;
  label: string;
  description: string;
  /** Markdown. */
  tooltip?: string;
  icon: string;
  /** The file that a click opens, and at which line, from 0. */
  open?: { uri: string; line: number };
  /** Rows below it, or which question to ask the server for them. */
  children?: Node[];
  ask?: "tools" | "workspace";
  expanded?: boolean;
}

type State = Instruction["state"];

/** The states in the order of the view: what the model gets, what it may get, what keeps a file from it. */
const states: State[] = [
  "sent",
  "truncated",
  "on-read",
  "listed",
  "model-decides",
  "manual",
  "needs-trust",
  "needs-approval",
  "needs-setting",
  "shadowed",
  "out-of-scope",
  "blank",
  "excluded",
  "unreadable",
  "not-read-by-tool",
];

/** States in which the user may want to do something. */
const wanting: State[] = ["truncated", "needs-trust", "needs-approval", "unreadable"];

const icons: Partial<Record<State, string>> = {
  sent: "check",
  truncated: "warning",
  "on-read": "eye",
  "needs-trust": "shield",
  "needs-approval": "shield",
  unreadable: "error",
};

/** What a state is called. */
export function stateName(state: State, t: Translate): string {
  const names: Record<State, string> = {
    sent: t("Sent"),
    truncated: t("Sent in part"),
    "on-read": t("Sent when a file below it is read"),
    listed: t("Named to the model, not sent"),
    "model-decides": t("The model decides"),
    manual: t("Only when it is asked for"),
    shadowed: t("Shadowed by another file"),
    "out-of-scope": t("For other files"),
    blank: t("Empty"),
    excluded: t("Excluded"),
    "needs-trust": t("Needs a trusted workspace"),
    "needs-approval": t("Needs approval"),
    "needs-setting": t("Needs a setting"),
    "not-read-by-tool": t("Not read by this tool"),
    unreadable: t("Cannot be read"),
  };
  return names[state];
}

/** The rows for the file in front, and those that lead to the tools and to the whole workspace. */
export function roots(file: string | undefined, result: ExplainInstructionsResult | undefined, t: Translate): Node[] {
  const more: Node[] = [
    { id: "tools", label: t("By tool"), description: "", icon: "tools", ask: "tools" },
    { id: "workspace", label: t("All of the workspace"), description: "", icon: "root-folder", ask: "workspace" },
  ];
  if (!result || file === undefined) return more;
  const sent = result.entries.filter((entry) => entry.sent).length;
  const here: Node = {
    id: "file",
    label: file,
    description: t("{0} sent · {1} tokens", sent, result.tokens),
    tooltip: t("What a model is told about {0}", escape(file)),
    icon: "file",
    children: byState(result.entries, "file", t),
    expanded: true,
  };
  return [here, ...more];
}

/** The rows below "By tool": each tool with what it sends for the file in front. */
export function toolNodes(result: ExplainInstructionsResult, t: Translate): Node[] {
  return (result.profiles ?? []).map(({ profile, title, entries, tokens }) => ({
    id: `tool/${profile}`,
    label: title,
    description: t("{0} sent · {1} tokens", entries.filter((entry) => entry.sent).length, tokens),
    icon: "tools",
    children: byState(entries, `tool/${profile}`, t),
  }));
}

/** The rows below "All of the workspace". */
export function listNodes(result: ListInstructionsResult, t: Translate): Node[] {
  return result.files.map((file) => ({
    id: `workspace/${file.uri}`,
    label: file.path,
    description: t("{0} files · {1} tokens", file.reach, file.tokens),
    tooltip: listTooltip(file, t),
    icon: (file.state && icons[file.state]) ?? "circle-outline",
    open: { uri: file.uri, line: 0 },
  }));
}

/** How many files the user may want to do something about. */
export function wanted(result: ExplainInstructionsResult | undefined): number {
  return result?.entries.filter(({ state }) => wanting.includes(state)).length ?? 0;
}

function byState(entries: readonly Instruction[], parent: string, t: Translate): Node[] {
  return states.flatMap((state) => {
    const here = entries.filter((entry) => entry.state === state);
    if (here.length === 0) return [];
    return {
      id: `${parent}/${state}`,
      label: stateName(state, t),
      description: String(here.length),
      icon: icons[state] ?? "circle-outline",
      children: here.map((entry, i) => fileNode(entry, `${parent}/${state}/${i}/${entry.uri}`, t)),
      expanded: state === "sent" || state === "truncated",
    };
  });
}

function fileNode(entry: Instruction, id: string, t: Translate): Node {
  const cost = t("{0} tokens", entry.tokens);
  return {
    id,
    label: entry.path,
    description: entry.order > 0 ? `${entry.order} · ${cost}` : cost,
    tooltip: entryTooltip(entry, t),
    icon: icons[entry.state] ?? "circle-outline",
    // A file that is cut opens where the tool stops reading it.
    open: { uri: entry.uri, line: entry.cut?.line ?? 0 },
  };
}

function entryTooltip(entry: Instruction, t: Translate): string {
  const { rule } = entry;
  return [
    `**${escape(entry.path)}**: ${stateName(entry.state, t)}`,
    `${escape(entry.why)}`,
    entry.importedBy ? t("Imported by {0}", escape(entry.importedBy)) : undefined,
    entry.sameAs ? t("Says the same as {0}", escape(entry.sameAs)) : undefined,
    entry.dirty ? t("Not saved: what the editor shows counts.") : undefined,
    t("Rule of {0} ({1}), checked on {2}: {3}", escape(rule.tool), escape(rule.versions), rule.checked, escape(rule.source)),
  ]
    .filter((line) => line !== undefined)
    .join("\n\n");
}

function listTooltip(file: ListedInstruction, t: Translate): string {
  return [
    `**${escape(file.path)}**${file.state ? `: ${stateName(file.state, t)}` : ""}`,
    file.description ? escape(file.description) : undefined,
    file.why ? escape(file.why) : undefined,
    file.patterns?.length ? t("For {0}", escape(file.patterns.join(", "))) : undefined,
    file.tools.length > 0 ? t("Sent by {0}", escape(file.tools.join(", "))) : t("No tool sends it."),
  ]
    .filter((line) => line !== undefined)
    .join("\n\n");
}
