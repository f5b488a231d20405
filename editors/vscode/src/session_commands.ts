import * as vscode from "vscode";
import type { Client } from "./client.js";
import type { SessionSummary } from "./protocol.js";
import type { Reports } from "./reports.js";
import { sessionPage } from "./session_page.js";

/** The commands about what the server remembers of conversations, from whatever panel. */
export function sessionCommands(client: Client, reports: Reports): Record<string, (name?: unknown) => Promise<void>> {
  const report = async ({ session, title }: SessionSummary) =>
    reports.show(
      vscode.l10n.t("session {0}", title || session),
      sessionPage(await client.command("foreword.session.show", { session }), vscode.l10n.t),
    );
  return {
    "foreword.sessions.show": async (name) => report(await pick(client, name)),
    "foreword.sessions.compare": async (name) => {
      const { session, title } = await pick(client, name);
      const { text } = await client.command("foreword.prompt.diff", { session });
      await reports.show(vscode.l10n.t("cache of {0}", title || session), text);
    },
    "foreword.sessions.rebase": async (name) => {
      const { session } = await pick(client, name);
      await client.command("foreword.session.rebase", { session, reason: "asked for by the user" });
      void vscode.window.showInformationMessage(vscode.l10n.t("The next message says the whole prompt anew."));
    },
    "foreword.sessions.fork": async (name) => {
      const { session, turns } = await pick(client, name);
      const as = await vscode.window.showInputBox({
        title: vscode.l10n.t("Fork Session"),
        prompt: vscode.l10n.t("Name of the new session"),
        value: `${session}-fork`,
        validateInput: (value) => (value.trim() === "" ? vscode.l10n.t("A name is needed.") : undefined),
      });
      if (as === undefined) return;
      const forked = await client.command("foreword.session.fork", { session, turn: turns, as: as.trim() });
      await report({ ...forked, title: "", turns, created: "", updated: "" });
    },
    "foreword.sessions.forget": async (name) => {
      const { session, title } = await pick(client, name);
      const forget = vscode.l10n.t("Forget");
      const question = vscode.l10n.t("Forget all that is remembered of {0}? This cannot be undone.", title || session);
      if ((await vscode.window.showWarningMessage(question, { modal: true }, forget)) !== forget) return;
      await client.command("foreword.session.forget", { session });
    },
  };
}

/** The session that the caller names, else the one that the user picks. */
async function pick(client: Client, name: unknown): Promise<SessionSummary> {
  const { sessions } = await client.command("foreword.session.list", {});
  const named = sessions.find(({ session }) => session === name);
  if (named) return named;
  if (sessions.length === 0) throw new Error(vscode.l10n.t("No session is remembered yet"));
  const items = sessions.map((summary) => ({
    label: summary.title || summary.session,
    description: vscode.l10n.t("{0} turns", summary.turns),
    detail: `${summary.session} · ${new Date(summary.updated).toLocaleString()}`,
    summary,
  }));
  const placeHolder = vscode.l10n.t("Which session?");
  const chosen = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  if (!chosen) throw new vscode.CancellationError();
  return chosen.summary;
}
