// The wire by hand: frames, lifecycle, exit codes. No library between the test and the bytes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { tally, until } from "../tally.mjs";
import { spawnServer, tempDir } from "./client.mjs";

const t = tally();

function raw() {
  const proc = spawnServer(tempDir());
  const messages = [];
  let buffer = Buffer.alloc(0);
  proc.stdout.on("data", (d) => {
    buffer = Buffer.concat([buffer, d]);
    for (;;) {
      const end = buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = +/content-length: *(\d+)/i.exec(buffer.toString("latin1", 0, end))[1];
      if (buffer.length < end + 4 + length) return;
      messages.push(JSON.parse(buffer.toString("utf8", end + 4, end + 4 + length)));
      buffer = buffer.subarray(end + 4 + length);
    }
  });
  const frame = (m) => {
    const body = typeof m === "string" ? m : JSON.stringify({ jsonrpc: "2.0", ...m });
    return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };
  const write = (s) => proc.stdin.write(s);
  const answer = (id, ms) => until(`the answer to ${id}; so far ${JSON.stringify(messages).slice(0, 300)}`, () => messages.find((m) => m.id === id && !m.method), ms);
  const request = (id, method, params = {}) => (write(frame({ id, method, params })), answer(id));
  const initialize = (more = {}) => request(1, "initialize", { processId: null, rootUri: null, capabilities: {}, ...more });
  return { proc, messages, frame, write, answer, request, initialize };
}

await t.check("shutdown, then exit: code 0", async () => {
  const s = raw();
  await s.initialize();
  assert.equal((await s.request(2, "shutdown")).result, null);
  s.write(s.frame({ method: "exit" }));
  assert.equal(await s.proc.ended(), 0);
});
await t.check("exit without shutdown: code 1", async () => {
  const s = raw();
  await s.initialize();
  s.write(s.frame({ method: "exit" }));
  assert.equal(await s.proc.ended(), 1);
});
await t.check("exit before initialize: it ends", async () => {
  const s = raw();
  s.write(s.frame({ method: "exit" }));
  assert.equal(await s.proc.ended(), 1);
});
await t.check("the end of the input ends it", async () => {
  const s = raw();
  await s.initialize();
  const t0 = Date.now();
  s.proc.stdin.end();
  return `code ${await s.proc.ended()} after ${Date.now() - t0} ms`;
});
await t.check("the end of the input in the middle of a frame ends it", async () => {
  const s = raw();
  await s.initialize();
  s.proc.stdin.end("Content-Length: 1000\r\n\r\n{");
  return `code ${await s.proc.ended()}`;
});
await t.check("shutdown and exit in one write: the answer always comes, code 0 (40 runs)", async () => {
  for (let i = 0; i < 40; i++) {
    const s = raw();
    await s.initialize();
    s.write(s.frame({ id: 2, method: "shutdown" }) + s.frame({ method: "exit" }));
    assert.equal(await s.proc.ended(), 0, `run ${i}`);
    assert.ok(s.messages.some((m) => m.id === 2 && "result" in m), `run ${i}: no answer to shutdown`);
  }
});
await t.check("it ends when the client's process dies, with the pipe still open", async () => {
  const client = spawn("sleep", ["60"]);
  const s = raw();
  await s.initialize({ processId: client.pid });
  await s.request(2, "foreword/nothing"); // alive so far
  const t0 = Date.now();
  client.kill("SIGKILL");
  await s.proc.ended();
  return `${Date.now() - t0} ms`;
});
await t.check("a request before initialize is -32002", async () => {
  const s = raw();
  assert.equal((await s.request(1, "textDocument/hover", { textDocument: { uri: "file:///a" }, position: { line: 0, character: 0 } })).error.code, -32002);
  s.proc.stdin.end();
  await s.proc.ended();
});
await t.check("a request after shutdown is -32600", async () => {
  const s = raw();
  await s.initialize();
  await s.request(2, "shutdown");
  assert.equal((await s.request(3, "workspace/executeCommand", { command: "foreword.status", arguments: [{}] })).error.code, -32600);
  s.proc.stdin.end();
  await s.proc.ended();
});
await t.check("a second initialize is an error", async () => {
  const s = raw();
  await s.initialize();
  assert.ok((await s.request(2, "initialize", { processId: null, rootUri: null, capabilities: {} })).error);
  s.proc.stdin.end();
  await s.proc.ended();
});
await t.check("headers in other letters, and a Content-Type, are read", async () => {
  const s = raw();
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } });
  s.write(`content-length: ${body.length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n${body}`);
  assert.ok((await s.answer(1)).result);
  s.proc.stdin.end();
  await s.proc.ended();
});
await t.check("a frame that comes byte by byte is read", async () => {
  const s = raw();
  for (const b of s.frame({ id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } })) {
    s.write(b);
    await new Promise(setImmediate);
  }
  assert.ok((await s.answer(1)).result);
  s.proc.stdin.end();
  await s.proc.ended();
});

// A broken frame is either answered with an error and lived through, or ends the process with a message and a code that is
// not 0: a client must never wait for a server that has lost its place in silence.
for (const [name, bytes] of [
  ["a Content-Length that is no number", "Content-Length: abc\r\n\r\n{}"],
  ["a negative Content-Length", "Content-Length: -5\r\n\r\n{}"],
  ["a Content-Length of 10^18", "Content-Length: 1000000000000000000\r\n\r\n{}"],
  ["no Content-Length", "Content-Type: x\r\n\r\n{}"],
  ["a header line without a colon", "nonsense\r\n\r\n{}"],
  ["a body that is no JSON", "Content-Length: 7\r\n\r\n{\"a\": b"],
  ["a Content-Length that is too short", 'Content-Length: 10\r\n\r\n{"jsonrpc":"2.0","id":5,"method":"shutdown"}'],
]) {
  await t.check(`${name} gets a clear error`, async () => {
    const s = raw();
    await s.initialize();
    const seen = s.messages.length;
    s.write(bytes);
    s.write(s.frame({ id: 77, method: "shutdown" }));
    const how = await Promise.race([
      s.answer(77, 60_000).then(() => "lived"),
      s.proc.exited,
      new Promise((r) => setTimeout(r, 45_000, "silent")),
    ]);
    const said = s.messages.slice(seen).find((m) => m.error || m.method === "window/logMessage" || m.method === "window/showMessage");
    if (how === "lived") {
      assert.ok(said || s.proc.log, "it went on without a word");
      s.proc.stdin.end();
      await s.proc.ended();
    } else {
      assert.notEqual(how, "silent", "it neither answers nor ends");
      assert.notEqual(how, 0);
      assert.ok(said || s.proc.log.trim(), "it ended without a word");
    }
    assert.doesNotMatch(s.proc.log, /goroutine \d+ \[/);
    return `${how}: ${said ? JSON.stringify(said) : s.proc.log.trim()}`;
  });
}
await t.check("a cancel of what was never asked, and odd ids, are survived", async () => {
  const s = raw();
  await s.initialize();
  s.write(s.frame({ method: "$/cancelRequest", params: { id: 4711 } }));
  s.write(s.frame({ method: "$/cancelRequest", params: { id: "no-such" } }));
  assert.ok(await s.request("a string", "workspace/executeCommand", { command: "foreword.tokens.count", arguments: [{ text: "hello", model: "gpt-4o" }] }));
  s.proc.stdin.end();
  await s.proc.ended();
});
await t.check("a notification with wrong parameters is survived", async () => {
  const s = raw();
  await s.initialize();
  for (const params of [{ textDocument: 5 }, { textDocument: { uri: 7, version: "x" }, contentChanges: {} }, {}, null]) {
    s.write(s.frame({ method: "textDocument/didChange", params }));
    s.write(s.frame({ method: "textDocument/didOpen", params }));
  }
  assert.ok((await s.request(2, "workspace/executeCommand", { command: "foreword.tokens.count", arguments: [{ text: "hello world", model: "gpt-4o" }] })).result.tokens === 2);
  s.proc.stdin.end();
  await s.proc.ended();
});
t.done();
