import type { StatusNotificationParams, StatusResult } from "./protocol.js";

/** Translates: vscode.l10n.t, or whatever fills in {0} in a test. */
export type Translate = (message: string, ...parts: (string | number)[]) => string;

/** What the status bar item says. */
export interface Item {
  text: string;
  /** Markdown. */
  tooltip: string;
  /** For a screen reader, which does not read icons. */
  label: string;
  kind: "plain" | "warning" | "error";
  /** What a click does. */
  command: "foreword.explain" | "foreword.showStatus" | "foreword.restartServer";
}

/** The item for a server that answers: how many instructions apply to the file, and what they cost. */
export function itemFor(
  file: string,
  status: StatusResult,
  busy: StatusNotificationParams | undefined,
  t: Translate,
): Item | undefined {
  const here = status.instructions;
  if (!here) return undefined;
  const restricted = status.folders.some((folder) => !folder.trusted);
  const problems = status.problems.filter((problem) => problem.severity !== "info");
  const about = here.counter === "exact" ? "" : "~";
  const tokens = here.tokens.toLocaleString();
  const count = here.applies === 1 ? t("1 instruction") : t("{0} instructions", here.applies);
  const cost = here.tokens === 1 ? t("1 token") : t("{0} tokens", about + tokens);
  const icon = busy ? "loading~spin" : problems.length > 0 ? "warning" : restricted ? "shield" : "book";
  const notes = [
    here.leftOut > 0 ? t("{0} more were found and do not apply.", here.leftOut) : undefined,
    restricted ? t("Restricted Mode: nothing is read outside the repository, nothing is run.") : undefined,
    busy?.message,
    ...[...problems, ...status.warnings].map((problem) => `$(warning) ${escape(problem.message)}`),
  ].filter((note) => note !== undefined);
  const said = `${count}, ${cost}`;
  return {
    text: `$(${icon}) ${count} · ${cost}`,
    tooltip: [
      `**${t("What a model is told about {0}", escape(file))}**`,
      `${said} (${here.counter === "exact" ? t("exact") : t("an estimate")})`,
      ...notes,
      [
        `[${t("Explain Instructions")}](command:foreword.explain)`,
        `[${t("Preview Prompt")}](command:foreword.preview)`,
        `[${t("Show Status")}](command:foreword.showStatus)`,
      ].join(" · "),
    ].join("\n\n"),
    label: [
      `Foreword: ${said}`,
      restricted ? t("Restricted Mode") : undefined,
      problems.length > 0 ? t("{0} problems", problems.length) : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(", "),
    kind: problems.some((problem) => problem.severity === "error") ? "warning" : "plain",
    command: "foreword.explain",
  };
}

/** The item for a file of which the server knows nothing to say. */
export function itemWithout(why: string, t: Translate): Item {
  const said = t("no instructions");
  return {
    text: `$(book) ${said}`,
    tooltip: escape(why),
    label: `Foreword: ${said}`,
    kind: "plain",
    command: "foreword.showStatus",
  };
}

/** The item for a server that is starting, or that there is not. */
export function itemWhile(
  state: { kind: "starting" | "stopped" | "missing" | "failed"; message?: string },
  t: Translate,
): Item {
  switch (state.kind) {
    case "starting":
      return {
        text: "$(loading~spin) Foreword",
        tooltip: t("Foreword is starting."),
        label: t("Foreword is starting."),
        kind: "plain",
        command: "foreword.showStatus",
      };
    case "stopped":
      return {
        text: "$(circle-slash) Foreword",
        tooltip: t("Foreword is stopped."),
        label: t("Foreword is stopped."),
        kind: "plain",
        command: "foreword.restartServer",
      };
    default:
      return {
        text: "$(error) Foreword",
        tooltip: `${escape(state.message ?? "")}\n\n[${t("Restart Server")}](command:foreword.restartServer) · [${t("Show Log")}](command:foreword.showLog)`,
        label: `Foreword: ${state.message ?? ""}`,
        kind: "error",
        command: "foreword.restartServer",
      };
  }
}

/** Takes from Markdown what could make a link, an icon or a cell out of a foreign text within a line. */
export function escape(text: string): string {
  return text.replace(/[\\`*_[\]|<>$~]/g, "\\$&").replace(/\s+/g, " ");
}
