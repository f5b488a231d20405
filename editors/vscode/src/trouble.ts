import * as vscode from "vscode";

/** Tells why there is no server, with what can be done about it. */
export async function tellTrouble(message: string, log: vscode.LogOutputChannel): Promise<void> {
  const settings = vscode.l10n.t("Open Settings");
  const again = vscode.l10n.t("Try Again");
  const showLog = vscode.l10n.t("Show Log");
  switch (await vscode.window.showErrorMessage(message, settings, again, showLog)) {
    case settings:
      await vscode.commands.executeCommand("workbench.action.openSettings", "foreword.server.path");
      break;
    case again:
      await vscode.commands.executeCommand("foreword.restartServer");
      break;
    case showLog:
      log.show();
      break;
  }
}
