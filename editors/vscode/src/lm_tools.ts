import * as vscode from "vscode";
import type { Client } from "./client.js";

interface FileInput {
  /** Relative to a folder of the workspace, or absolute. */
  path: string;
}

/** Gives the editor's own chat what foreword knows, where the editor has tools. */
export function registerTools(client: Client): vscode.Disposable {
  if (typeof vscode.lm?.registerTool !== "function") return new vscode.Disposable(() => undefined);
  const tool = (
    name: string,
    message: (path: string) => string,
    run: (input: FileInput, token: vscode.CancellationToken) => Promise<string>,
  ) =>
    vscode.lm.registerTool<FileInput>(name, {
      prepareInvocation: ({ input }) => ({ invocationMessage: message(input.path) }),
      invoke: async ({ input }, token) =>
        new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(await run(input, token))]),
    });
  return vscode.Disposable.from(
    tool(
      "foreword_explain",
      (path) => vscode.l10n.t("Looking which instructions apply to {0}", path),
      async ({ path }, token) => {
        const uri = client.wireUri(await fileOf(path));
        return (await client.command("foreword.instructions.explain", { uri }, token)).markdown;
      },
    ),
    tool(
      "foreword_prompt",
      (path) => vscode.l10n.t("Building the prompt for {0}", path),
      async ({ path }, token) => {
        const uri = client.wireUri(await fileOf(path));
        return (await client.command("foreword.prompt.preview", { uri }, token)).markdown;
      },
    ),
    tool("foreword_read", (path) => vscode.l10n.t("Reading {0} with its instructions", path), (input, token) =>
      read(client, input, token),
    ),
  );
}

/** So many reads were made in this window. */
let reads = 0;

/**
 * Reads a file, and puts the instructions behind it that apply to it. Each call has a session of its own: VS Code does
 * not say which conversation a call belongs to, and instructions that were told in another one would be missing here.
 */
async function read(client: Client, { path }: FileInput, token: vscode.CancellationToken): Promise<string> {
  const uri = await fileOf(path);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const session = `vscode-tool-${vscode.env.sessionId}-${++reads}`;
  try {
    const result = await client.command(
      "foreword.tools.call",
      {
        name: "read",
        arguments: { path: uri.fsPath },
        uri: client.wireUri(folder?.uri ?? uri),
        session,
        message: "read",
      },
      token,
    );
    if (result.ask !== undefined) return result.ask;
    return [result.text, ...result.injections.map(({ text }) => text)].join("\n\n");
  } finally {
    await client.command("foreword.session.forget", { session }).catch(() => undefined); // nothing was remembered
  }
}

/** The file of a path: an absolute one, or one of the first folder that has it. */
async function fileOf(path: string): Promise<vscode.Uri> {
  if (typeof path !== "string" || path === "") throw new Error("path is missing: give the path of a file");
  if (/^(?:[/\\]|[A-Za-z]:[/\\])/.test(path)) return vscode.Uri.file(path);
  const folders = vscode.workspace.workspaceFolders ?? [];
  for (const folder of folders) {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    const there = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (there) return uri;
  }
  throw new Error(`no folder of the workspace has ${path}; give a path relative to one of them`);
}
