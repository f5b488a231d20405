// What a client can ask of the server, end to end: handshake, hover, code actions, commands, unsaved text, wrong input.
import assert from "node:assert/strict";
import fs from "node:fs";
import { tally, until } from "../tally.mjs";
import { edit, failure, lsp, start, workspace } from "./client.mjs";

const t = tally();
const sent = (r) => r.entries.filter((e) => e.sent).map((e) => e.path);

for (const [offered, chosen] of [
  [undefined, "utf-16"],
  [["utf-16"], "utf-16"],
  [["utf-8", "utf-16"], "utf-8"],
  [["utf-32", "utf-16", "utf-8"], /^utf-(8|16|32)$/],
]) {
  await t.check(`a client that offers ${offered ?? "no encoding"} is counted with in it, past an astral character`, async () => {
    const ws = workspace();
    const c = await start(ws, { encodings: offered });
    const got = c.init.capabilities.positionEncoding ?? "utf-16";
    typeof chosen === "string" ? assert.equal(got, chosen) : assert.match(got, chosen);
    const uri = ws.uri("AGENTS.md");
    await c.open(uri, "a𝒳b\r\nsecond\r\n");
    // Replace the b, which stands after three units of the negotiated encoding and one astral character.
    const at = 1 + { "utf-8": 4, "utf-16": 2, "utf-32": 1 }[got];
    await c.change(uri, 2, edit(0, at, 0, at + 1, "PUT"));
    const r = await c.explain("main.go");
    assert.match(r.text, /a𝒳PUT\r?\nsecond/);
    assert.equal(await c.stop(), 0);
    return got;
  });
}

const ws = workspace({
  "dir/AGENTS.md/inner.txt": "a directory of that name\n",
  "dir/f.go": "package dir\n",
  "bin/AGENTS.md": Buffer.from([0, 1, 2, 3, 0, 255, 254]),
  "bin/f.go": "package bin\n",
  "latin/AGENTS.md": Buffer.concat([Buffer.from("Rules "), Buffer.from([0xe9, 0xff]), Buffer.from(" end\n")]),
  "latin/f.go": "package latin\n",
});
const c = await start(ws, { encodings: ["utf-16"] });
const source = ws.uri("pay/x.go");
await c.open(source, fs.readFileSync(ws.path("pay/x.go"), "utf8"), "go");

await t.check("initialize names the server and what it can do", () => {
  const { serverInfo, capabilities: k } = c.init;
  assert.equal(serverInfo.name, "foreword");
  assert.ok(serverInfo.version);
  assert.equal(k.textDocumentSync.change ?? k.textDocumentSync, lsp.TextDocumentSyncKind.Incremental);
  assert.ok(k.hoverProvider && k.codeActionProvider && k.codeLensProvider);
  for (const name of ["prompt.build", "prompt.preview", "instructions.explain", "tokens.count", "status", "context.touch", "turn.prepare", "history.prepare"]) {
    assert.ok(k.executeCommandProvider.commands.includes("foreword." + name), name);
  }
  return serverInfo;
});

const hoverText = async (uri, line, character) => (await c.hover(uri, line, character))?.contents?.value;

await t.check("hover on line 1 lists the instructions in order, outermost first, and no sibling's", async () => {
  const text = await hoverText(source, 0, 2);
  const root = text.search(/(?<![\w/])AGENTS\.md/), nested = text.indexOf("pay/AGENTS.md");
  assert.ok(root >= 0 && nested > root, text);
  assert.doesNotMatch(text, /ship\/AGENTS\.md/);
  assert.match(text, /token/i);
  return text;
});
await t.check("hover elsewhere in a source file says nothing", async () => assert.equal(await c.hover(source, 4, 3), null));
await t.check("hover in a file that is not open works from disk", async () =>
  assert.match(await hoverText(ws.uri("ship/y.go"), 0, 0), /ship\/AGENTS\.md/));
await t.check("hover past the end of the file is answered", async () => void (await c.hover(source, 9999, 9999)));

await t.check("code actions offer the preview and the explanation", async () => {
  const titles = (await c.actions(source)).map((a) => a.title);
  assert.ok(titles.includes("Preview the prompt for this file"), titles.join());
  assert.ok(titles.includes("Explain instructions for this file"), titles.join());
  return titles;
});

for (const title of ["Preview the prompt for this file", "Explain instructions for this file"]) {
  await t.check(`"${title}" shows a document that workspace/textDocumentContent serves`, async () => {
    const action = (await c.actions(source)).find((a) => a.title === title);
    const command = typeof action.command === "string" ? action : action.command;
    const before = c.shown.length;
    const result = await c.connection.sendRequest(lsp.ExecuteCommandRequest.type, { command: command.command, arguments: command.arguments });
    await until("window/showDocument", () => c.shown.length > before);
    const { uri } = c.shown.at(-1);
    const content = await c.connection.sendRequest(lsp.TextDocumentContentRequest.type, { uri });
    assert.equal(content.text, result.markdown);
    assert.match(content.text, /Amounts are cents\.|pay\/AGENTS\.md/);
    return uri;
  });
}

await t.check("code lens on an instruction file says how far it reaches", async () => {
  const uri = ws.uri("pay/AGENTS.md");
  let lenses = await c.connection.sendRequest(lsp.CodeLensRequest.type, { textDocument: { uri } });
  if (!lenses[0].command) lenses = [await c.connection.sendRequest(lsp.CodeLensResolveRequest.type, lenses[0])];
  assert.match(lenses.map((l) => l.command.title).join(), /applies to \d+ files?/);
  return lenses.map((l) => l.command.title);
});

await t.check("prompt.build: layers in order, every section counted and traced, instructions outermost first", async () => {
  const r = await c.command("foreword.prompt.build", { uri: source, model: "gpt-4o" });
  assert.equal(r.version, 1);
  assert.ok(Array.isArray(r.warnings));
  const rank = { core: 0, cacheable: 1, dynamic: 2 };
  const layers = r.sections.map((s) => rank[s.layer]);
  assert.deepEqual(layers, [...layers].sort());
  assert.equal(r.boundary.section, layers.filter((l) => l < 2).length);
  const system = r.sections.map((s) => s.text).join("\n");
  assert.ok(system.indexOf("metric system") >= 0 && system.indexOf("metric system") < system.indexOf("Amounts are cents"));
  assert.doesNotMatch(system, /Parcels are sorted/);
  assert.match(system, /trunk/);
  for (const s of r.sections) {
    assert.ok(s.key && s.title && s.why && s.tokens >= 0 && s.origins.length > 0, s.key);
    assert.equal(s.range[1] - s.range[0], Buffer.byteLength(s.text), s.key);
  }
  assert.match(r.fingerprint.full, /^[0-9a-f]{64}$/);
  return `${r.sections.length} sections, ${r.tokens.total} tokens`;
});
await t.check("prompt.build twice gives the same prefix", async () => {
  const [a, b] = await Promise.all([1, 2].map(() => c.command("foreword.prompt.build", { uri: source, model: "gpt-4o" })));
  assert.equal(a.fingerprint.prefix, b.fingerprint.prefix);
  assert.deepEqual(a.sections.filter((s) => s.layer !== "dynamic"), b.sections.filter((s) => s.layer !== "dynamic"));
});
await t.check("prompt.preview holds what the model is sent, and its URI serves it", async () => {
  const r = await c.command("foreword.prompt.preview", { uri: source, model: "gpt-4o" });
  assert.match(r.uri, /^foreword-preview:/);
  assert.match(r.markdown, /Amounts are cents\./);
  const content = await c.connection.sendRequest(lsp.TextDocumentContentRequest.type, { uri: r.uri });
  assert.equal(content.text, r.markdown);
});
await t.check("instructions.explain: order, state and reason", async () => {
  const r = await c.explain("pay/deep/er/z.go");
  assert.deepEqual(sent(r), ["AGENTS.md", "pay/AGENTS.md"]);
  assert.deepEqual(r.entries.filter((e) => e.sent).map((e) => e.order), [1, 2]);
  for (const e of r.entries) assert.ok(e.why && e.state && e.kind && e.rule.tool, e.path);
  assert.match(r.text, /metric system[^]*Amounts are cents/);
});
await t.check("tokens.count is exact where the tokenizer is known", async () => {
  const r = await c.command("foreword.tokens.count", { text: "hello world", model: "gpt-4o" });
  assert.deepEqual([r.tokens, r.counter], [2, "exact"]);
  const f = await c.command("foreword.tokens.count", { uris: [source], model: "gpt-4o" });
  assert.ok(f.tokens > 5 && f.files.length === 1);
  return f.files;
});
await t.check("status tells version, folder, branch and what applies", async () => {
  const r = await c.command("foreword.status", { uri: source });
  assert.ok(r.server && r.go);
  assert.equal(r.folders[0].uri.replace(/\/$/, ""), ws.uri().replace(/\/$/, ""));
  assert.equal(r.folders[0].branch, "trunk");
  assert.equal(r.instructions.applies, 2);
  assert.ok(r.buffers >= 1);
});
await t.check("context.touch tells nested instructions once in a session", async () => {
  const touch = (session, name, kind = "read") => c.command("foreword.context.touch", { session, message: "m1", uris: [ws.uri(name)], kind });
  assert.deepEqual((await touch("s1", "pay/x.go", "list")).injections, []);
  const first = await touch("s1", "pay/x.go");
  assert.match(first.injections.at(-1).uri, /pay\/AGENTS\.md$/);
  assert.match(first.injections.at(-1).text, /Amounts are cents\./);
  assert.ok(!first.injections.some((i) => i.uri.includes("ship/")));
  assert.deepEqual((await touch("s1", "pay/x.go")).injections, []);
  assert.match((await touch("s1", "ship/y.go")).injections.at(-1).uri, /ship\/AGENTS\.md$/);
  assert.match((await touch("s2", "pay/x.go")).injections.at(-1).uri, /pay\/AGENTS\.md$/, "another session was told nothing yet");
  return first.injections.map((i) => i.uri);
});
await t.check("turn.prepare answers a body that is ready to be sent", async () => {
  const r = await c.command("foreword.turn.prepare", { uri: source, model: "gpt-4o", wire: "openai-chat", messages: [{ id: "u1", role: "user", content: "What is x?" }] });
  assert.equal(r.body.messages.at(-1).role, "user");
  assert.match(JSON.stringify(r.body), /Amounts are cents/);
});
await t.check("history.prepare drops whole old turns and keeps the newest", async () => {
  const messages = [];
  for (let i = 0; i < 40; i++) messages.push({ id: `u${i}`, role: "user", content: `question ${i} ` + "word ".repeat(100) }, { id: `a${i}`, role: "assistant", content: `answer ${i}` });
  messages.push({ id: "last", role: "user", content: "and now?" });
  const r = await c.command("foreword.history.prepare", { messages, model: "gpt-4o", budget: 1000 });
  assert.equal(r.report.status, "trimmed");
  assert.ok(r.report.after <= 1000 && r.messages.length < messages.length);
  assert.equal(r.messages.at(-1).id, "last");
});

// Unsaved text is what counts, at once.
const agents = ws.uri("AGENTS.md");
await t.check("an unsaved edit of AGENTS.md is in the prompt and in the hover at once", async () => {
  const before = await hoverText(source, 0, 0);
  await c.open(agents, fs.readFileSync(ws.path("AGENTS.md"), "utf8"));
  const edited = c.change(agents, 2, edit(2, 8, 2, 21, "imperial 𝒳 units, and this line is a good deal longer than before"));
  const [built, hovered] = await Promise.all([edited.then(() => c.command("foreword.prompt.build", { uri: source, model: "gpt-4o" })), edited.then(() => hoverText(source, 0, 0))]);
  const section = built.sections.find((s) => s.text.includes("imperial 𝒳 units"));
  assert.ok(section, "the new text is not in the prompt");
  assert.ok(section.origins.some((o) => o.dirty), "the section does not say that its text is unsaved");
  assert.ok(!built.sections.some((s) => /metric system/.test(s.text)), "the old text is still in the prompt");
  assert.notEqual(hovered, before);
});
await t.check("each of 200 changes is seen by the request right behind it", async () => {
  const answers = [];
  for (let i = 0; i < 200; i++) {
    await c.change(agents, 3 + i, { text: `Rule number ${i}.\n` });
    answers.push(c.explain("pay/x.go"));
  }
  (await Promise.all(answers)).forEach((r, i) => assert.ok(r.text.includes(`Rule number ${i}.`), `request ${i} saw: ${r.text.slice(0, 40)}`));
});
await t.check("an edit out of range is survived, and full text mends it", async () => {
  await c.change(agents, 900, edit(500, 7, 900, 3, "x"));
  await c.change(agents, 901, { text: "Mended.\n" });
  assert.match((await c.explain("main.go")).text, /Mended\./);
});
await t.check("closing without saving brings back the text on disk", async () => {
  await c.close(agents);
  assert.match((await c.explain("main.go")).text, /metric system/);
});
await t.check("a change on disk is seen after didChangeWatchedFiles", async () => {
  fs.writeFileSync(ws.path("AGENTS.md"), "From the disk.\n");
  await c.connection.sendNotification(lsp.DidChangeWatchedFilesNotification.type, { changes: [{ uri: agents, type: lsp.FileChangeType.Changed }] });
  assert.match((await c.explain("main.go")).text, /From the disk\./);
});
await t.check("a new folder of the workspace is served, a removed one no longer", async () => {
  const other = workspace();
  fs.writeFileSync(other.path("AGENTS.md"), "The other folder's rule.\n");
  const folder = { uri: other.uri(), name: "other" };
  const notify = (added, removed) => c.connection.sendNotification(lsp.DidChangeWorkspaceFoldersNotification.type, { event: { added, removed } });
  await notify([folder], []);
  const ask = () => c.command("foreword.instructions.explain", { uri: other.uri("main.go") });
  assert.match((await ask()).text, /The other folder's rule\./);
  await notify([], [folder]);
  assert.equal((await failure(ask())).data?.code, "not_in_workspace");
});

// Wrong input gets a clear error, and the server lives on.
for (const [name, command, params, message] of [
  ["a number for a URI", "foreword.prompt.build", { uri: 5 }, /\buri\b/],
  ["a wrong type deep inside", "foreword.prompt.build", { model: "gpt-4o", tools: [{ name: "a" }, { name: 3 }] }, /tools\[1\]\.name/],
  ["a wrong type in a message", "foreword.history.prepare", { model: "gpt-4o", messages: [{ role: "user", content: "x" }, { role: 7, content: "y" }] }, /messages\[1\]\.role/],
  ["a misspelt field", "foreword.prompt.build", { uri: source, modle: "gpt-4o" }, /modle[^]*\bmodel\b/],
  ["a value that is not in the list", "foreword.prompt.build", { uri: source, mode: "dance" }, /mode[^]*(build|plan)/],
  ["a list for the parameters", "foreword.status", [1, 2], /object/i],
  ["a missing field", "foreword.context.touch", {}, /session|uris|kind/],
]) {
  await t.check(`${name} is -32602 and says where`, async () => {
    const e = await failure(c.command(command, params));
    assert.equal(e.code, -32602, e.message);
    assert.match(e.message, message);
    return e.message;
  });
}
await t.check("an unknown command is an error that names it", async () => {
  const e = await failure(c.command("foreword.promt.build"));
  assert.ok([-32602, -32601].includes(e.code), `${e.code}`);
  assert.match(e.message, /foreword\.promt\.build/);
  return e.message;
});
await t.check("an unknown request is -32601, an unknown notification is survived", async () => {
  await c.connection.sendNotification("$/nothing", { a: 1 });
  await c.connection.sendNotification("foreword/nothing", {});
  assert.equal((await failure(c.connection.sendRequest("textDocument/nothing", {}))).code, -32601);
});
await t.check("a file outside the workspace is refused with a code", async () => {
  const e = await failure(c.command("foreword.instructions.explain", { uri: "file:///etc/passwd" }));
  assert.deepEqual([e.code, e.data?.code], [-32803, "not_in_workspace"]);
  return e.message;
});
for (const [name, dir] of [["a directory called AGENTS.md", "dir"], ["a binary AGENTS.md", "bin"]]) {
  await t.check(`${name} is left out and said so`, async () => {
    const r = await c.explain(`${dir}/f.go`);
    assert.deepEqual(sent(r), ["AGENTS.md"]);
    const entry = r.entries.find((e) => e.path === `${dir}/AGENTS.md`);
    if (dir === "bin") assert.equal(entry?.state, "unreadable");
    return entry?.why ?? "not listed";
  });
}
await t.check("an AGENTS.md of invalid UTF-8 loses nothing else", async () => {
  const r = await c.explain("latin/f.go");
  assert.ok(sent(r).includes("AGENTS.md"));
  assert.ok(r.entries.some((e) => e.path === "latin/AGENTS.md"));
});
await t.check("a document that is no file is answered", async () => {
  await c.open("untitled:Untitled-1", "hello\n", "plaintext");
  await c.hover("untitled:Untitled-1", 0, 0);
  await c.actions("untitled:Untitled-1");
});
await t.check("after all of that the hover is still right", async () => assert.match(await hoverText(source, 0, 0), /pay\/AGENTS\.md/));
await t.check("watched files were registered with the client, and settings were asked for", async () => {
  await until("registerCapability", () => c.registered.some((r) => r.method === "workspace/didChangeWatchedFiles"));
  assert.ok(c.configurationAsked > 0);
});
await t.check("nothing is logged as an error by the way", () =>
  assert.doesNotMatch(c.proc.log, /panic|goroutine \d+ \[|DATA RACE/));
await t.check("shutdown and exit end it with code 0", async () => assert.equal(await c.stop(), 0));
t.done();
