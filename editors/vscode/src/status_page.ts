import type { StatusResult } from "./protocol.js";
import { escape, type Translate } from "./status_text.js";

/** Where the server's program was found. */
export interface Program {
  file: string;
  origin: string;
}

/** Writes what the server works with as a Markdown page. */
export function statusPage(status: StatusResult, program: Program, t: Translate): string {
  return [
    `# ${t("Status of foreword")}`,
    t(
      "Server {0}, built with {1} for {2}: {3} ({4}).",
      escape(status.server),
      escape(status.go),
      escape(status.platform),
      code(program.file),
      originOf(program.origin, t),
    ),
    ...problems(status, t),
    ...instructions(status, t),
    `## ${t("Folders")}`,
    status.folders.length === 0
      ? t("No folder is open.")
      : table(
          [t("folder"), t("trusted"), t("repository"), t("branch")],
          status.folders.map((folder) => [
            link(folder.name, folder.uri),
            folder.trusted ? t("yes") : t("no, restricted"),
            code(pathOf(folder.repository)),
            code(folder.branch),
          ]),
        ),
    `## ${t("Settings")}`,
    table(
      [t("setting"), t("value"), t("from")],
      status.settings.map((setting) => [
        code(setting.key),
        code(JSON.stringify(setting.value)),
        escape(setting.origin),
      ]),
    ),
    `## ${t("Inside")}`,
    t(
      "Profile {0}. {1} open documents, {2} sessions. Changes on disk: {3}.",
      code(status.profile),
      status.buffers,
      status.sessions,
      escape(status.watcher),
    ),
    table(
      [t("cache"), t("entries"), t("hits"), t("misses")],
      status.caches.map((cache) => [
        escape(cache.name),
        String(cache.entries),
        String(cache.hits),
        String(cache.misses),
      ]),
    ),
    "",
  ].join("\n\n");
}

function problems(status: StatusResult, t: Translate): string[] {
  const lines = [
    ...status.problems.map(
      (problem) => `- ${problem.severity}: ${place(problem.uri, problem.line)}${escape(problem.message)}`,
    ),
    ...status.warnings.map((warning) => `- warning: ${place(warning.uri, undefined)}${escape(warning.message)}`),
  ];
  return lines.length === 0 ? [t("No problems were found.")] : [`## ${t("Problems")}`, lines.join("\n")];
}

function place(uri: string | undefined, line: number | undefined): string {
  if (uri === undefined) return "";
  const name = uri.slice(uri.lastIndexOf("/") + 1) + (line ? `:${line}` : "");
  return `${link(name, line ? `${uri}#L${line}` : uri)}: `;
}

function instructions({ instructions: here }: StatusResult, t: Translate): string[] {
  if (!here) return [];
  return [
    `## ${t("Active file")}`,
    t(
      "{0}: {1} instruction files apply, {2} tokens ({3}); {4} do not apply.",
      link(pathOf(here.uri).split("/").pop() ?? "", here.uri),
      here.applies,
      here.tokens,
      here.counter,
      here.leftOut,
    ),
  ];
}

function originOf(origin: string, t: Translate): string {
  switch (origin) {
    case "setting":
      return t("from the setting foreword.server.path");
    case "bundled":
      return t("from the extension");
    default:
      return t("found on the PATH");
  }
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A code span; what it holds may hold backticks itself, and bars would end the cell of a table. */
function code(text: string | undefined): string {
  if (!text) return "";
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return fence + pad + text.replaceAll("|", "\\|").replace(/\s+/g, " ") + pad + fence;
}

function link(name: string, uri: string): string {
  return `[${escape(name)}](${uri.replace(/[()<>\s]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, "0")}`)})`;
}

function pathOf(uri: string | undefined): string {
  if (uri === undefined) return "";
  const path = uri.replace(/^file:\/\//, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // not encoded as it should be; shown as it is
  }
}
