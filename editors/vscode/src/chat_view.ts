import * as vscode from "vscode";
import type { Client } from "./client.js";
import { text } from "./error_text.js";
import type { Panel } from "./chat/panel.js";
import type { Documents } from "./documents.js";

/** What the chat needs of the extension. */
export interface ChatParts {
  context: vscode.ExtensionContext;
  client: Client;
  documents: Documents;
  log: vscode.LogOutputChannel;
}

/** The commands of the chat, and what each calls. */
const commands: Record<string, (panel: Panel, ...args: unknown[]) => unknown> = {
  "foreword.chat.open": (panel) => panel.reveal(),
  "foreword.chat.new": (panel) => panel.startAnew(),
  "foreword.chat.sessions": (panel) => panel.library.choose(),
  "foreword.chat.rename": (panel) => panel.library.rename(),
  "foreword.chat.fork": (panel) => panel.library.fork(),
  "foreword.chat.export": (panel) => panel.library.export(),
  "foreword.chat.delete": (panel) => panel.library.remove(),
  "foreword.chat.stop": (panel) => panel.stop(),
  "foreword.chat.attach": (panel, file, files) => panel.attachFiles(file, files),
  "foreword.chat.chooseModel": (panel) => panel.chooseModel(),
  "foreword.chat.setKey": (panel) => panel.setKey(),
  "foreword.chat.showPrompt": (panel) => panel.showPrompt(),
  "foreword.chat.showDifference": (panel) => panel.showDifference(),
};

/** Registers the chat. Nothing of it is loaded before somebody looks at it or calls one of its commands. */
export function registerChat(parts: ChatParts): vscode.Disposable {
  let loading: Promise<Panel> | undefined;
  const load = () =>
    (loading ??= import("./chat_panel.js").then(async ({ Panel }) => {
      const panel = new Panel(parts);
      parts.context.subscriptions.push(panel);
      await panel.restore();
      return panel;
    }));
  return vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider("foreword.chat", {
      resolveWebviewView: async (view) => (await load()).resolve(view),
    }),
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(name, async (...args: unknown[]) => {
        try {
          return await run(await load(), ...args);
        } catch (error) {
          if (error instanceof vscode.CancellationError) return undefined;
          parts.log.error(`${name}: ${text(error)}`);
          void vscode.window.showErrorMessage(`Foreword: ${text(error)}.`);
          return undefined;
        }
      }),
    ),
  );
}
