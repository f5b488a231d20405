import * as path from "node:path";
import * as vscode from "vscode";
import type { Client } from "./client.js";
import type { InstructionDiagnostic } from "./protocol.js";
import type { Reports } from "./reports.js";
import { skillsPage } from "./session_page.js";
import { subject } from "./subject.js";

const severities: Record<InstructionDiagnostic["severity"], vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** The commands about the files of the workspace. */
export function workspaceCommands(
  client: Client,
  reports: Reports,
  found: vscode.DiagnosticCollection,
): Record<string, (file?: vscode.Uri) => Promise<void>> {
  return {
    "foreword.check": () => check(client, found),
    "foreword.copyPrompt": async (file) => {
      const { messages, tokens } = await client.command("foreword.prompt.build", {
        uri: client.wireUri(file ?? (await subject())),
      });
      await vscode.env.clipboard.writeText(messages.map(({ content }) => content).join("\n\n"));
      void vscode.window.showInformationMessage(vscode.l10n.t("The prompt was copied: {0} tokens.", tokens.total));
    },
    "foreword.createInstructions": async (folder) => create(folder ?? (await place())),
    "foreword.skills.show": async (file) =>
      reports.show(
        vscode.l10n.t("skills"),
        skillsPage(
          await client.command("foreword.skills.list", { uri: client.wireUri(file ?? (await subject())) }),
          vscode.l10n.t,
        ),
      ),
    "foreword.commands.approve": async () => approve(client, await place()),
    "foreword.openSettings": async () => {
      await vscode.commands.executeCommand("workbench.action.openSettings", "@ext:foreword.foreword");
    },
    "foreword.openWalkthrough": async () => {
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", "foreword.foreword#foreword.start", false);
    },
  };
}

/** Shows what is wrong in all instruction files as problems. Those of open files the server tells by itself. */
async function check(client: Client, found: vscode.DiagnosticCollection): Promise<void> {
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t("Checking instruction files"),
    cancellable: true,
  };
  const { diagnostics, files } = await vscode.window.withProgress(progress, async (_progress, token) => {
    const result = client.command("foreword.instructions.check", {}, token);
    return result.catch((error: unknown) => {
      throw token.isCancellationRequested ? new vscode.CancellationError() : error;
    });
  });
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  const byFile = new Map<string, vscode.Diagnostic[]>();
  for (const { uri, range, message, severity, code } of diagnostics) {
    const key = vscode.Uri.parse(uri, true).toString();
    if (open.has(key)) continue;
    const { start, end } = range;
    const place = new vscode.Range(start.line, start.character, end.line, end.character);
    const diagnostic = new vscode.Diagnostic(place, message, severities[severity]);
    diagnostic.source = "foreword";
    diagnostic.code = code;
    byFile.set(key, [...(byFile.get(key) ?? []), diagnostic]);
  }
  found.clear();
  for (const [uri, problems] of byFile) found.set(vscode.Uri.parse(uri, true), problems);
  const said =
    diagnostics.length === 0
      ? vscode.l10n.t("Nothing is wrong in {0} instruction files.", files)
      : vscode.l10n.t("{0} problems in {1} instruction files.", diagnostics.length, files);
  if (diagnostics.length > 0) await vscode.commands.executeCommand("workbench.actions.view.problems");
  void vscode.window.showInformationMessage(said);
}

/** Opens the AGENTS.md of a folder; a new one is not written before the user saves it. */
async function create(folder: vscode.Uri): Promise<void> {
  const directory = await vscode.workspace.fs.stat(folder).then(
    ({ type }) => (type & vscode.FileType.Directory ? folder : vscode.Uri.joinPath(folder, "..")),
    () => vscode.Uri.joinPath(folder, ".."),
  );
  const file = vscode.Uri.joinPath(directory, "AGENTS.md");
  const exists = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (exists) {
    await vscode.window.showTextDocument(file);
    return;
  }
  const document = await vscode.workspace.openTextDocument(file.with({ scheme: "untitled" }));
  const editor = await vscode.window.showTextDocument(document);
  const name = path.posix.basename(directory.path);
  if (document.getText() === "")
    await editor.insertSnippet(new vscode.SnippetString().appendText(`# ${name}\n\n`).appendTabstop(0));
}

/** Shows what the workspace would have run, and approves what the user ticks. */
async function approve(client: Client, folder: vscode.Uri): Promise<void> {
  if (!vscode.workspace.isTrusted) throw new Error(vscode.l10n.t("This needs a trusted workspace"));
  const uri = client.wireUri(folder);
  const { commands } = await client.command("foreword.trust.commands", { folder: uri });
  if (commands.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t("The workspace names no commands to run."));
    return;
  }
  const items = commands.map((command) => ({
    label: command.argv.join(" "),
    description: `${command.use} · ${command.state}`,
    detail: [command.origin, ...command.files.map((file) => file.path), command.why ?? ""].filter(Boolean).join(" · "),
    picked: command.state === "approved",
    id: command.id,
  }));
  const placeHolder = vscode.l10n.t("Tick the commands that foreword may run for this workspace");
  const chosen = await vscode.window.showQuickPick(items, { canPickMany: true, placeHolder });
  if (!chosen) return;
  await client.command("foreword.trust.commands", { folder: uri, revoke: true, approve: chosen.map(({ id }) => id) });
}

/** The folder of the workspace that a command is about. */
async function place(): Promise<vscode.Uri> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (folder) return folder.uri;
  if (folders.length > 0) throw new vscode.CancellationError();
  throw new Error(vscode.l10n.t("Open a file or a folder first."));
}
