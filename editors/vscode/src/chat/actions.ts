import * as vscode from "vscode";
import { openSettings, type Models } from "../models/models.js";
import type { Chat } from "./chat.js";
import type { Action } from "./messages.js";

/** Does what a button below a sentence says. */
export async function runAction(
  run: Action["run"],
  chat: Chat,
  models: Models,
  startAnew: () => Promise<void>,
): Promise<void> {
  const command = (name: string) => vscode.commands.executeCommand(name);
  switch (run) {
    case "retry":
      return chat.retry();
    case "continue":
      return chat.goOn();
    case "release":
      return chat.release();
    case "key":
      return models.setKey();
    case "model":
      return models.choose();
    case "settings":
      return openSettings();
    case "server":
      await vscode.commands.executeCommand("workbench.action.openSettings", "foreword.server.path");
      return;
    case "log":
      await command("foreword.showLog");
      return;
    case "restart":
      await command("foreword.restartServer");
      return;
    case "trust":
      await command("workbench.trust.manage");
      return;
    case "new":
      return startAnew();
  }
}
