// Which files count: monorepos, the user's own file, secrets, several folders, and clients that can do little.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { tally, until } from "../tally.mjs";
import { failure, lsp, start, workspace } from "./client.mjs";

const t = tally();
const sent = (r) => r.entries.filter((e) => e.sent).map((e) => e.path);
const everything = (r) => JSON.stringify(r.sections);

await t.check("a folder inside a repository is told the repository's instructions too", async () => {
  const ws = workspace();
  const c = await start(ws, { folders: [ws.path("pay")] });
  assert.deepEqual(sent(await c.explain("pay/x.go")), ["AGENTS.md", "pay/AGENTS.md"]);
  assert.equal(await c.stop(), 0);
});
await t.check("nothing above the repository counts, and of the home folder only the user's own file", async () => {
  const ws = workspace();
  fs.writeFileSync(path.join(ws.home, "AGENTS.md"), "Above the repository.\n");
  fs.mkdirSync(path.join(ws.home, ".config/foreword"), { recursive: true });
  fs.writeFileSync(path.join(ws.home, ".config/foreword/AGENTS.md"), "The user's own rule.\n");
  const c = await start(ws);
  const r = await c.explain("main.go");
  assert.match(r.text, /The user's own rule\.[^]*metric system/);
  assert.doesNotMatch(r.text, /Above the repository/);
  assert.equal(await c.stop(), 0);
  return sent(r);
});
await t.check("AGENTS.md and CLAUDE.md of the same text are told once, and the other says so", async () => {
  const ws = workspace({ "CLAUDE.md": "# House rules\n\nUse the metric system.\n", "pay/CLAUDE.md": "Only in Claude's file.\n" });
  const c = await start(ws);
  const r = await c.explain("pay/x.go");
  assert.equal(r.text.split("Use the metric system.").length, 2);
  assert.match(r.text, /Only in Claude's file\./);
  const twin = r.entries.find((e) => e.path === "CLAUDE.md");
  assert.ok(twin && !twin.sent && twin.why, JSON.stringify(twin));
  assert.equal(await c.stop(), 0);
  return twin.why;
});
await t.check("secrets and ignored files are in no prompt, open buffers included", async () => {
  const ws = workspace({ ".gitignore": "private/\n", "private/notes.txt": "IGNORED-WORD\n", ".env": "KEY=SECRET-WORD\n", "id_ed25519": "KEY-WORD\n" });
  const c = await start(ws);
  for (const name of [".env", "id_ed25519", "private/notes.txt", "pay/x.go"]) await c.open(ws.uri(name), fs.readFileSync(ws.path(name), "utf8"), "plaintext");
  const r = await c.command("foreword.prompt.build", { uri: ws.uri("pay/x.go"), model: "gpt-4o" });
  assert.doesNotMatch(everything(r), /SECRET-WORD|KEY-WORD|IGNORED-WORD/);
  assert.match(everything(r), /pay\/x\.go/);
  assert.equal(await c.stop(), 0);
  return r.notApplied.map((n) => n.key);
});
await t.check("two folders: each file has its own root, and only that one's rules", async () => {
  const a = workspace(), b = workspace({ "AGENTS.md": "Rules of b.\n" });
  const c = await start(a, { folders: [a.root, b.root] });
  const [ra, rb] = await Promise.all([a, b].map((ws) => c.command("foreword.instructions.explain", { uri: ws.uri("main.go") })));
  assert.match(ra.text, /metric system/);
  assert.doesNotMatch(ra.text, /Rules of b/);
  assert.match(rb.text, /Rules of b/);
  assert.doesNotMatch(rb.text, /metric system/);
  assert.equal(await c.stop(), 0);
});
await t.check("a client that cannot watch files: the server notices a change on disk by itself", async () => {
  const ws = workspace();
  const c = await start(ws, { capabilities: {} });
  assert.match((await c.explain("main.go")).text, /metric system/);
  fs.writeFileSync(ws.path("AGENTS.md"), "Changed behind the client's back.\n");
  await until("the new text", async () => /behind the client's back/.test((await c.explain("main.go")).text));
  fs.mkdirSync(ws.path("new/sub"), { recursive: true });
  fs.writeFileSync(ws.path("new/AGENTS.md"), "A new folder's rule.\n");
  fs.writeFileSync(ws.path("new/sub/f.go"), "package f\n");
  await until("the new file", async () => sent(await c.explain("new/sub/f.go")).includes("new/AGENTS.md"));
  fs.rmSync(ws.path("new/AGENTS.md"));
  await until("its removal", async () => !sent(await c.explain("new/sub/f.go")).includes("new/AGENTS.md"));
  assert.equal(await c.stop(), 0);
});
await t.check("a client without capabilities is asked for nothing and gets plain text", async () => {
  const ws = workspace();
  const c = await start(ws, { capabilities: {} });
  await c.open(ws.uri("main.go"), "package main\n", "go");
  const hover = await c.hover(ws.uri("main.go"), 0, 0);
  assert.notEqual(hover.contents.kind, "markdown");
  const action = (await c.actions(ws.uri("main.go"))).find((a) => a.title === "Preview the prompt for this file");
  assert.equal(typeof action.command, "string", "a client without literals gets commands, not code actions");
  await c.command(action.command, action.arguments[0]);
  assert.deepEqual([c.configurationAsked, c.registered.length, c.shown.length], [0, 0, 0]);
  assert.equal(await c.stop(), 0);
});
await t.check("a client that can show no document is told of a file of its user only, gone after shutdown", async () => {
  const ws = workspace();
  const c = await start(ws, { capabilities: {} });
  const action = (await c.actions(ws.uri("pay/x.go"))).find((a) => a.title === "Preview the prompt for this file");
  await c.command(action.command, action.arguments[0]);
  const message = await until("window/showMessage", () => c.notifications.find((n) => n.method === "window/showMessage"));
  const file = /\/\S+/.exec(message.params.message)[0];
  assert.match(fs.readFileSync(file, "utf8"), /Amounts are cents/);
  assert.deepEqual([fs.statSync(file).mode & 0o777, fs.statSync(path.dirname(file)).mode & 0o777], [0o600, 0o700]);
  await c.connection.sendRequest(lsp.ShutdownRequest.type);
  c.proc.kill("SIGKILL"); // some editors, eglot for one, do not wait for what follows exit
  await c.proc.ended();
  assert.ok(!fs.existsSync(path.dirname(file)), `${path.dirname(file)} is left behind`);
});
await t.check("without any folder an open file is still served", async () => {
  const ws = workspace();
  const c = await start(ws, { folders: [] });
  await c.open(ws.uri("pay/x.go"), "package pay\n", "go");
  const hover = await c.hover(ws.uri("pay/x.go"), 0, 0);
  assert.match(hover.contents.value, /pay\/AGENTS\.md/);
  assert.equal(await c.stop(), 0);
});
await t.check("trust comes from the client, never from a file of the workspace", async () => {
  const ws = workspace({ "foreword.toml": "trusted = true\n\n[trust]\ntrusted = true\n" });
  const c = await start(ws);
  const trusted = async () => (await c.command("foreword.status")).folders[0].trusted;
  assert.equal(await trusted(), false);
  await c.connection.sendNotification("foreword/didChangeTrust", { folder: ws.uri(), trusted: true });
  assert.equal(await trusted(), true);
  await c.connection.sendNotification("foreword/didChangeTrust", { folder: ws.uri(), trusted: false });
  assert.equal(await trusted(), false);
  assert.equal(await c.stop(), 0);
});
await t.check("a link out of the repository is not followed while it is restricted", async () => {
  const ws = workspace({ "out/f.go": "package out\n" });
  fs.writeFileSync(path.join(ws.home, "outside.md"), "OUTSIDE-WORD\n");
  fs.symlinkSync(path.join(ws.home, "outside.md"), ws.path("out/AGENTS.md"));
  const c = await start(ws);
  const r = await c.explain("out/f.go");
  assert.doesNotMatch(r.text, /OUTSIDE-WORD/);
  const entry = r.entries.find((e) => e.path === "out/AGENTS.md");
  assert.ok(entry && !entry.sent && entry.why, JSON.stringify(entry));
  assert.equal(await c.stop(), 0);
  return `${entry.state}: ${entry.why}`;
});
await t.check("the same tree gives the same bytes in another process", async () => {
  const ws = workspace();
  const prefix = async () => {
    const c = await start(ws);
    const r = await c.command("foreword.prompt.build", { uri: ws.uri("pay/x.go"), model: "gpt-4o" });
    await c.stop();
    return r.fingerprint.prefix;
  };
  assert.equal(await prefix(), await prefix());
});
await t.check("$/setTrace is accepted, and an unknown value of it survived", async () => {
  const ws = workspace();
  const c = await start(ws);
  for (const value of ["verbose", "messages", "off", "loud"]) await c.connection.sendNotification("$/setTrace", { value });
  assert.ok(await c.command("foreword.status"));
  assert.equal((await failure(c.command("foreword.nothing"))).code, -32602);
  assert.equal(await c.stop(), 0);
});
t.done();
