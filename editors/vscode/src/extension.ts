import * as vscode from "vscode";
import { registerChat } from "./chat_view.js";
import { Client } from "./client.js";
import { registerCommands } from "./commands.js";
import { followDiagnostics } from "./diagnostics.js";
import { Documents } from "./documents.js";
import { followFocus } from "./focus.js";
import { InstructionsView } from "./instructions_view.js";
import { registerTools } from "./lm_tools.js";
import { registerOrigins } from "./origins.js";
import { registerParticipant } from "./participant.js";
import { Reports } from "./reports.js";
import type { SectionProvider } from "./sections.js";
import { StatusBar } from "./status_bar.js";
import { StatusDocument } from "./status_document.js";
import { followTrust } from "./trust.js";

let client: Client | undefined;

/** What other extensions get from activate(); see docs/hooks.md. */
export interface ForewordApi {
  /** Adds sections to every prompt, under a name that stands before the keys of its sections. */
  registerSectionProvider(name: string, provider: SectionProvider): vscode.Disposable;
}

/** VS Code calls this once, when it has started up. */
export async function activate(context: vscode.ExtensionContext): Promise<ForewordApi> {
  const log = vscode.window.createOutputChannel("Foreword", { log: true });
  client = new Client(context.extensionUri, log);
  const documents = new Documents(client);
  const status = new StatusDocument(client);
  const instructions = new InstructionsView(client);
  const reports = new Reports();
  context.subscriptions.push(
    log,
    client,
    documents,
    status,
    instructions,
    reports,
    new StatusBar(client),
    followFocus(client),
    followDiagnostics(client),
    followTrust(client),
    registerOrigins(),
    registerCommands({ client, documents, status, instructions, reports, log }),
    registerTools(client),
    registerParticipant(client),
    registerChat({ context, client, documents, log }),
  );
  await client.start();
  const { sections } = client;
  return {
    registerSectionProvider: (name, provider) => new vscode.Disposable(sections.register(name, provider).dispose),
  };
}

/** VS Code calls this when the window closes, and waits for the answer. */
export async function deactivate(): Promise<void> {
  await client?.stop();
}
