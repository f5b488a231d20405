import * as vscode from "vscode";
import type { Client, clientCommands } from "./client.js";
import { text } from "./error_text.js";
import { countTokens } from "./count.js";
import type { Documents } from "./documents.js";
import type { StatusDocument } from "./status_document.js";
import { subject } from "./subject.js";

interface Parts {
  client: Client;
  documents: Documents;
  status: StatusDocument;
  log: vscode.LogOutputChannel;
}

type Command = (file?: vscode.Uri, selected?: vscode.Uri[]) => Promise<void>;

/** Registers what the palette, the menus and the server's code actions and lenses call. */
export function registerCommands({ client, documents, status, log }: Parts): vscode.Disposable {
  // The server gives {uri: string}; menus give the file, and all files that are selected.
  const commands: Record<string, Command> & Record<(typeof clientCommands)[number], Command> = {
    "foreword.preview": async (file) => documents.preview(file ?? (await subject())),
    "foreword.explain": async (file) => documents.explain(file ?? (await subject())),
    "foreword.countTokens": async (file, selected) => countTokens(client, selected ?? (file ? [file] : [])),
    "foreword.showStatus": () => status.show(),
    "foreword.restartServer": () => client.restart(),
    "foreword.showLog": () => Promise.resolve(log.show()),
    "foreword.client.showPreview": async (argument) => documents.preview(named(argument)),
    "foreword.client.showExplain": async (argument) => documents.explain(named(argument)),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(name, async (file?: vscode.Uri, selected?: vscode.Uri[]) => {
        try {
          await run(file, selected);
        } catch (error) {
          if (error instanceof vscode.CancellationError) return;
          log.error(`${name}: ${text(error)}`);
          void tell(error, log);
        }
      }),
    ),
  );
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
