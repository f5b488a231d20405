import * as vscode from "vscode";
import type { Client, clientCommands } from "./client.js";
import { text } from "./error_text.js";
import { countTokens } from "./count.js";
import type { Documents } from "./documents.js";
import type { InstructionsView } from "./instructions_view.js";
import type { Reports } from "./reports.js";
import { sessionCommands } from "./session_commands.js";
import type { StatusDocument } from "./status_document.js";
import { subject } from "./subject.js";
import { workspaceCommands } from "./workspace_commands.js";

interface Parts {
  client: Client;
  documents: Documents;
  status: StatusDocument;
  instructions: InstructionsView;
  reports: Reports;
  log: vscode.LogOutputChannel;
}

/** A menu of a file gives the file, one of the view "Instructions" its row. */
type Argument = vscode.Uri | { open?: { uri: string } };

type Command = (file?: vscode.Uri, selected?: vscode.Uri[]) => Promise<void>;

/** Registers what the palette, the menus and the server's code actions and lenses call. */
export function registerCommands({
  client,
  documents,
  status,
  instructions,
  reports,
  log,
}: Parts): vscode.Disposable {
  const found = vscode.languages.createDiagnosticCollection("foreword.check");
  // The server gives {uri: string}; menus give the file, and all files that are selected.
  const commands: Record<string, Command> & Record<(typeof clientCommands)[number], Command> = {
    "foreword.preview": async (file) => documents.preview(file ?? (await subject())),
    "foreword.explain": async (file) => documents.explain(file ?? (await subject())),
    "foreword.countTokens": async (file, selected) => countTokens(client, selected ?? (file ? [file] : [])),
    "foreword.showStatus": () => status.show(),
    "foreword.restartServer": () => client.restart(),
    "foreword.instructions.refresh": () => Promise.resolve(instructions.refresh()),
    ...sessionCommands(client, reports),
    ...workspaceCommands(client, reports, found),
    "foreword.showLog": () => Promise.resolve(log.show()),
    "foreword.client.showPreview": async (argument) => documents.preview(named(argument)),
    "foreword.client.showExplain": async (argument) => documents.explain(named(argument)),
  };
  return vscode.Disposable.from(
    found,
    // The server tells what is wrong with a file that is open, and follows its edits.
    vscode.workspace.onDidOpenTextDocument(({ uri }) => found.delete(uri)),
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(name, async (argument?: Argument, selected?: unknown) => {
        try {
          const files = Array.isArray(selected) && selected[0] instanceof vscode.Uri ? (selected as vscode.Uri[]) : undefined;
          await run(fileOf(argument), files);
        } catch (error) {
          if (error instanceof vscode.CancellationError) return;
          log.error(`${name}: ${text(error)}`);
          void tell(error, log);
        }
      }),
    ),
  );
}

/** The file of a row; what the server gives passes as it is, for named to read. */
function fileOf(argument: Argument | undefined): vscode.Uri | undefined {
  if (argument === undefined || argument instanceof vscode.Uri) return argument;
  return typeof argument === "object" && argument.open ? vscode.Uri.parse(argument.open.uri, true) : (argument as vscode.Uri);
}

function named(argument: unknown): vscode.Uri {
  const uri = (argument as { uri?: unknown } | undefined)?.uri;
  if (typeof uri !== "string") throw new Error('the argument must be {"uri": "…"}');
  return vscode.Uri.parse(uri, true);
}

async function tell(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  const showLog = vscode.l10n.t("Show Log");
  if ((await vscode.window.showErrorMessage(`Foreword: ${text(error)}.`, showLog)) === showLog) log.show();
}
