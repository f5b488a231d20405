import * as path from "node:path";
import * as vscode from "vscode";
import type { Client } from "./client.js";
import { isReal } from "./focus.js";
import type { CountTokensParams, CountTokensResult } from "./protocol.js";

/** Tells what the given files cost, else what is selected, else the active document. */
export async function countTokens(client: Client, files: vscode.Uri[]): Promise<void> {
  const { what, params } = files.length > 0 ? ofFiles(client, files) : ofEditor(client, vscode.window.activeTextEditor);
  const result = await client.command("foreword.tokens.count", params);
  const warnings = result.warnings.map((warning) => ` ${warning.message}`).join("");
  void vscode.window.showInformationMessage(describe(what, result) + warnings);
}

function ofFiles(client: Client, files: vscode.Uri[]): { what: string; params: CountTokensParams } {
  const what =
    files.length === 1 && files[0] ? path.posix.basename(files[0].path) : vscode.l10n.t("{0} files", files.length);
  return { what, params: { uris: files.map((file) => client.wireUri(file)) } };
}

function ofEditor(client: Client, editor: vscode.TextEditor | undefined): { what: string; params: CountTokensParams } {
  if (!editor) throw new Error(vscode.l10n.t("Open a file first."));
  const { document, selections } = editor;
  const selected = selections.map((selection) => document.getText(selection)).join("\n");
  if (selected.trim() !== "") return { what: vscode.l10n.t("Selection"), params: { text: selected } };
  if (isReal(document.uri) && document.uri.scheme === "file") return ofFiles(client, [document.uri]);
  return { what: path.posix.basename(document.uri.path), params: { text: document.getText() } };
}

function describe(what: string, result: CountTokensResult): string {
  const tokens = result.tokens.toLocaleString();
  if (result.counter === "exact") return vscode.l10n.t("{0}: {1} tokens, exact by {2}.", what, tokens, result.encoding);
  const percent = Math.round(result.errorBound * 100);
  return vscode.l10n.t(
    "{0}: about {1} tokens, an estimate by {2} that may be off by {3} %.",
    what,
    tokens,
    result.encoding,
    percent,
  );
}
