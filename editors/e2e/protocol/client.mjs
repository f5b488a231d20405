// A bare LSP client: Microsoft's own protocol library on the server's standard input and output, and no editor.
//
//   const c = await start(workspace(), { encodings: ["utf-8"] });
//   const hover = await c.hover(c.ws.uri("pay/x.go"), 0, 0);
//   await c.stop();

import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import * as lsp from "vscode-languageserver-protocol/node";

export { lsp };

export const BIN = process.argv[2] ?? process.env.FOREWORD_BIN;
if (!BIN) throw new Error("usage: node FILE.test.mjs PATH_OF_FOREWORD");

const temporary = [], servers = [];
process.on("exit", () => {
  servers.forEach((p) => p.kill("SIGKILL"));
  temporary.forEach((d) => fs.rmSync(d, { recursive: true, force: true }));
});

export function tempDir() {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "foreword-protocol-")));
  temporary.push(dir);
  return dir;
}

const FILES = {
  "AGENTS.md": "# House rules\n\nUse the metric system.\n",
  "main.go": "package main\n\nfunc main() {}\n",
  "pay/AGENTS.md": "Amounts are cents.\n",
  "pay/x.go": "package pay\n\nvar x = 1\n\n// far from line 1\nvar y = 2\n",
  "pay/deep/er/z.go": "package er\n",
  "ship/AGENTS.md": "Parcels are sorted by weight.\n",
  "ship/y.go": "package ship\n",
};

// workspace makes a git repository with nested instruction files, in a home folder of its own.
export function workspace(more = {}) {
  const home = tempDir(), root = path.join(home, "repo");
  for (const [name, text] of Object.entries({ ...FILES, ...more })) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  const git = (...args) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false", ...args],
    { cwd: root, env: environment(home), stdio: "pipe" });
  git("init", "-q", "-b", "trunk");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  return { home, root, path: (name) => path.join(root, name), uri: (name = "") => pathToFileURL(path.join(root, name)).href };
}

function environment(home) {
  const env = { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  for (const k of Object.keys(env)) if (/^(XDG_|GIT_DIR|GIT_WORK_TREE|FOREWORD_)/.test(k)) delete env[k];
  return env;
}

export function spawnServer(home, args = ["serve"]) {
  const proc = spawn(BIN, args, { cwd: home, env: environment(home), stdio: ["pipe", "pipe", "pipe"] });
  proc.log = "";
  proc.stderr.on("data", (d) => (proc.log += d));
  proc.stdin.on("error", () => {}); // it may end before it has read all
  // Rejects when the process outlives the limit.
  proc.exited = new Promise((r) => proc.once("exit", (code, signal) => r(signal ?? code)));
  proc.ended = (ms = 45_000) => Promise.race([proc.exited,
    new Promise((_, no) => setTimeout(() => no(new Error(`the server still runs after ${ms} ms; it logged:\n${proc.log}`)), ms).unref())]);
  servers.push(proc);
  return proc;
}

const CAPABILITIES = {
  workspace: {
    applyEdit: true, configuration: true, workspaceFolders: true, executeCommand: {},
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    textDocumentContent: { dynamicRegistration: true },
    codeLens: { refreshSupport: true },
  },
  textDocument: {
    hover: { contentFormat: ["markdown", "plaintext"] },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [""] } }, dataSupport: true, resolveSupport: { properties: ["edit", "command"] } },
    codeLens: {},
  },
  window: { workDoneProgress: true, showDocument: { support: true } },
};

// start runs the server in a workspace and shakes hands. encodings: what the client offers; undefined offers nothing.
export async function start(ws, { encodings, capabilities = CAPABILITIES, folders = [ws.root] } = {}) {
  const proc = spawnServer(ws.home);
  const connection = lsp.createProtocolConnection(new lsp.StreamMessageReader(proc.stdout), new lsp.StreamMessageWriter(proc.stdin));
  const c = { ws, proc, connection, shown: [], edits: [], registered: [], configurationAsked: 0, notifications: [] };
  connection.onRequest(lsp.ConfigurationRequest.type, (p) => (c.configurationAsked++, p.items.map(() => null)));
  connection.onRequest(lsp.RegistrationRequest.type, (p) => void c.registered.push(...p.registrations));
  connection.onRequest(lsp.ShowDocumentRequest.type, (p) => (c.shown.push(p), { success: true }));
  connection.onRequest(lsp.ApplyWorkspaceEditRequest.type, (p) => (c.edits.push(p), { applied: true }));
  connection.onRequest(lsp.WorkDoneProgressCreateRequest.type, () => {});
  connection.onRequest(lsp.CodeLensRefreshRequest.type, () => {});
  connection.onUnhandledNotification((n) => c.notifications.push(n));
  connection.onError(() => {});
  connection.listen();

  const folderList = folders.map((dir) => ({ uri: pathToFileURL(dir).href, name: path.basename(dir) }));
  c.init = await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid,
    clientInfo: { name: "bare client" },
    rootUri: folderList[0]?.uri ?? null,
    capabilities: { ...capabilities, general: encodings ? { positionEncodings: encodings } : undefined },
    workspaceFolders: folderList,
  });
  await connection.sendNotification(lsp.InitializedNotification.type, {});

  c.open = (uri, text, languageId = "markdown") =>
    connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId, version: 1, text } });
  c.change = (uri, version, ...contentChanges) =>
    connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version }, contentChanges });
  c.close = (uri) => connection.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  c.hover = (uri, line, character, token) =>
    connection.sendRequest(lsp.HoverRequest.type, { textDocument: { uri }, position: { line, character } }, token);
  c.command = (command, params = {}, token) =>
    connection.sendRequest(lsp.ExecuteCommandRequest.type, { command, arguments: [params] }, token);
  c.explain = (name, more) => c.command("foreword.instructions.explain", { uri: ws.uri(name), ...more });
  c.actions = (uri) => connection.sendRequest(lsp.CodeActionRequest.type,
    { textDocument: { uri }, range: edit(0, 0, 0, 0).range, context: { diagnostics: [] } });
  c.stop = async () => {
    await connection.sendRequest(lsp.ShutdownRequest.type);
    await connection.sendNotification(lsp.ExitNotification.type);
    return proc.ended();
  };
  return c;
}

// edit is an incremental change from line:character to line:character.
export const edit = (line, from, endLine, to, text) =>
  ({ range: { start: { line, character: from }, end: { line: endLine, character: to } }, text });

// failure gives the error that a request must end in.
export async function failure(promise) {
  let result;
  try {
    result = await promise;
  } catch (e) {
    return e;
  }
  throw new Error("no error but " + JSON.stringify(result)?.slice(0, 300));
}
