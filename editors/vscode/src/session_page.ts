import type { ListSkillsResult, ShowSessionResult } from "./protocol.js";
import { escape, type Translate } from "./status_text.js";

/** Writes what a session remembers as a Markdown page. */
export function sessionPage(session: ShowSessionResult, t: Translate): string {
  const number = (value: number | undefined) => (value === undefined ? "" : String(value));
  return [
    `# ${t("Session {0}", escape(session.title || session.session))}`,
    `\`${session.session}\` · ${t("{0} turns", session.turns)} · ${session.updated}`,
    `## ${t("Turns")}`,
    table(
      [t("turn"), t("state"), t("model"), t("tokens"), t("cache foreseen"), t("cache used"), t("what broke it")],
      session.history.map((turn) => [
        String(turn.turn),
        turn.error ? `${turn.state}: ${turn.error}` : turn.state,
        turn.model ?? "",
        String(turn.input),
        String(turn.cachePredicted),
        number(turn.usage?.cacheRead),
        turn.broken ?? "",
      ]),
    ),
    `## ${t("Whole prompts")}`,
    ...session.epochs.map(({ began, because, due }) =>
      [t("- Turn {0}: {1}", began, escape(because)), due ? t("the next one: {0}", escape(due)) : ""]
        .filter(Boolean)
        .join("; "),
    ),
    `## ${t("Told since")}`,
    table(
      [t("turn"), t("how"), t("what"), t("tokens"), t("why")],
      session.ledger.map((told) => [String(told.turn), told.how, told.key, String(told.tokens), told.why ?? ""]),
    ),
    "",
  ].join("\n\n");
}

/** Writes the skills of a place as a Markdown page. */
export function skillsPage(result: ListSkillsResult, t: Translate): string {
  const skills = result.skills.flatMap((skill) => [
    `## ${escape(skill.name)}`,
    escape(skill.description),
    `[${escape(skill.path)}](${skill.location}) · ${t("{0} tokens", skill.tokens)} · ${skill.state}: ${escape(skill.why)}`,
    ...skill.problems.map((problem) => `- ${problem.severity}: ${escape(problem.message)}`),
  ]);
  return [`# ${t("Skills")}`, ...(skills.length > 0 ? skills : [t("No skill was found.")]), ""].join("\n\n");
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(escape).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
