// The parts of the chat that need no editor: the readers of streams, at every cut; what goes wrong with an endpoint;
// the conversation and its turns; what the panel shows.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { tally, until } from "../../e2e/tally.mjs";
import { call, hold, say, startProvider, stream, wrong } from "./lib/provider.mjs";

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

// Without "vscode" among the externals: a part that came to need it would not be pure any more, and fails here.
async function load(...names) {
  const contents = names.map((name) => `export * from ${JSON.stringify(path.join(here, "src", `${name}.ts`))};`).join("\n");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: here },
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
  });
  const module = { exports: {} };
  new Function("module", "exports", "require", outputFiles[0].text)(module, module.exports, createRequire(import.meta.url));
  return module.exports;
}

const t = tally({ timeout: 60_000 });
const fill = (message, ...parts) => message.replace(/\{(\d+)\}/g, (_, i) => String(parts[i]));

const models = await load(
  "models/lines", "models/openai", "models/anthropic", "models/gemini", "models/ollama", "models/answer", "models/endpoint",
  "models/problem", "models/http", "models/stream",
);
const { ModelProblem, Answer } = models;
const readers = { openai: models.readOpenAI, anthropic: models.readAnthropic, gemini: models.readGemini, ollama: models.readOllama };

// Reads bytes in the given pieces and gives the whole answer.
function read(reader, pieces) {
  let id = 0;
  const answer = new Answer("m", () => `made-${++id}`);
  for (const piece of pieces) reader.push(piece).forEach((delta) => answer.add(delta));
  reader.end().forEach((delta) => answer.add(delta));
  return { parts: answer.parts, usage: answer.usage, reason: answer.reason, calls: answer.calls, said: answer.said };
}

const pieces = ["Grüße, 你好 👋🏽\n", "line two\r\n", call("read", { path: "größe/a b.go", lines: [1, 2] }, "c1"), call("grep", { pattern: '"\\n' }, "c2")];

for (const [wire, make] of Object.entries(readers)) {
  const text = stream(wire, pieces).join("");
  const whole = read(make(), [Buffer.from(text)]);
  await t.check(`${wire}: text, calls and usage are read`, () => {
    assert.equal(whole.said, "Grüße, 你好 👋🏽\nline two\r\n");
    assert.deepEqual(whole.calls.map(({ name, arguments: given }) => [name, given]), [
      ["read", { path: "größe/a b.go", lines: [1, 2] }],
      ["grep", { pattern: '"\\n' }],
    ]);
    if (wire === "openai" || wire === "anthropic") assert.deepEqual(whole.calls.map(({ id }) => id), ["c1", "c2"]);
    else assert.ok(whole.calls.every(({ id }) => id !== "") && whole.calls[0].id !== whole.calls[1].id);
    assert.equal(whole.usage.input, 1000);
    assert.equal(whole.usage.output, 20);
    if (wire !== "ollama") assert.equal(whole.usage.cacheRead, 900);
  });
  for (const [ends, form] of [["\\n", text], ["\\r\\n", text.replaceAll("\n", "\r\n")], ["\\r", wire === "ollama" ? text : text.replaceAll("\n", "\r")]])
    await t.check(`${wire}: cut at every byte, with ${ends} at the end of lines, it is the same`, () => {
      const bytes = Buffer.from(form);
      for (let at = 0; at <= bytes.length; at++)
        assert.deepEqual(read(make(), [bytes.subarray(0, at), bytes.subarray(at)]), whole, `cut at ${at}`);
      assert.deepEqual(read(make(), [...bytes].map((byte) => Uint8Array.of(byte))), whole, "byte by byte");
    });
  await t.check(`${wire}: an answer that ends before it is at its end is told from one that is whole`, () => {
    const bytes = Buffer.from(text);
    // Wherever it is cut before the provider said that it is done, somebody notices.
    const marks = { openai: "finish_reason\":\"", anthropic: "stop_reason", gemini: "finishReason", ollama: '"done":true' };
    const done = bytes.indexOf(marks[wire]);
    for (let at = 0; at < done; at++)
      assert.throws(() => read(make(), [bytes.subarray(0, at)]), (error) => error instanceof ModelProblem && /cut|garbage/.test(error.kind), `cut at ${at}`);
  });
  await t.check(`${wire}: what is no JSON is told`, () => {
    const line = wire === "ollama" ? "nonsense\n" : "data: nonsense\n\n";
    assert.throws(() => read(make(), [Buffer.from(line)]), { kind: "garbage", detail: "nonsense" });
  });
}

await t.check("openai: an error within the stream, an answer that is not streamed, comments and [DONE]", () => {
  assert.throws(() => read(models.readOpenAI(), [Buffer.from('data: {"error":{"message":"No credits"}}\n\n')]), { kind: "server", detail: "No credits" });
  const whole = '{"choices":[{"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}';
  assert.deepEqual(read(models.readOpenAI(), [Buffer.from(whole)]).said, "Hi");
  const commented = ': OPENROUTER PROCESSING\n\ndata: {"choices":[{"delta":{"reasoning":"Hm."}}]}\n\ndata: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n';
  assert.deepEqual(read(models.readOpenAI(), [Buffer.from(commented)]).parts, [
    { type: "thinking", text: "Hm.", model: "m" },
    { type: "text", text: "Hi" },
  ]);
});

await t.check("anthropic: thinking keeps its signature, what is redacted its data, and errors their kind", () => {
  const event = (value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
  const text = [
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Let me see." } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2ln" } },
    { type: "content_block_start", index: 1, content_block: { type: "redacted_thinking", data: "eHg=" } },
    { type: "ping" },
    { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 2, delta: { type: "text_delta", text: "Yes." } },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ].map(event).join("");
  assert.deepEqual(read(models.readAnthropic(), [Buffer.from(text)]).parts, [
    { type: "thinking", text: "Let me see.", model: "m", signature: "c2ln" },
    { type: "thinking", data: "eHg=", model: "m" },
    { type: "text", text: "Yes." },
  ]);
  const error = event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
  assert.throws(() => read(models.readAnthropic(), [Buffer.from(error)]), { kind: "rate", detail: "Overloaded" });
});

await t.check("gemini: a prompt that is blocked, and the signature of a call", () => {
  const data = (value) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
  assert.throws(() => read(models.readGemini(), [data({ promptFeedback: { blockReason: "SAFETY" } })]), { kind: "blocked", detail: "SAFETY" });
  const parts = [{ functionCall: { name: "read", args: {} }, thoughtSignature: "c2ln" }];
  const [made] = read(models.readGemini(), [data({ candidates: [{ content: { parts }, finishReason: "STOP" }] })]).parts;
  assert.deepEqual(made, { type: "tool-use", id: "made-1", name: "read", arguments: {}, signature: "c2ln" });
});

const endpointOf = (type, url, more = {}) => ({ name: "E", type, url, models: [], headers: {}, ...more });
const prepared = { body: { model: "m", messages: [{ role: "user", content: "q" }] }, headers: { "content-type": "application/json" } };
async function askOf(provider, type, answer, signal = new AbortController().signal, heard = () => {}) {
  provider.answers.push(answer);
  const endpoint = endpointOf(type, type === "ollama" ? provider.url : `${provider.url}/v1`);
  const made = new Answer("m", () => "id");
  const problem = await models
    .ask(endpoint, models.requestOf(endpoint, "m", "sesame", prepared), signal, (delta) => (made.add(delta), heard(made.said)))
    .then(() => undefined, (error) => error);
  return { said: made.said, problem };
}

const provider = await startProvider();
for (const type of Object.keys(readers)) {
  await t.check(`${type}: the body goes out as it was prepared, with the key where the provider wants it`, async () => {
    const { said, problem } = await askOf(provider, type, say("Hel", "lo"));
    assert.equal(problem, undefined);
    assert.equal(said, "Hello");
    const { text, headers, path: where } = provider.received.at(-1);
    assert.ok(text.startsWith(JSON.stringify(prepared.body).slice(0, -1)), text);
    const key = { openai: "Bearer sesame", ollama: "Bearer sesame" }[type];
    assert.equal(headers.authorization, key);
    assert.equal(headers["x-api-key"], type === "anthropic" ? "sesame" : undefined);
    assert.equal(headers["x-goog-api-key"], type === "gemini" ? "sesame" : undefined);
    return where;
  });
  for (const [name, answer, kind] of [
    ["a connection that is reset in the middle", wrong.reset("Half"), "cut"],
    ["an end in the middle", wrong.cut("Half"), "cut"],
    ["garbage", wrong.garbage, "garbage"],
    ["a page for people", wrong.page, "page"],
    ["an endless line", wrong.endlessLine, "endless"],
    ["an answer of 10 MB", wrong.long(10 * 1024 * 1024), "endless"],
    ["401", wrong.status(401, { error: { message: "Bad key" } }), "key"],
    ["404", wrong.status(404, { error: { message: "No such model" } }), "not-found"],
    ["429", wrong.status(429, { error: { message: "Slow down" } }, { "retry-after": "7" }), "rate"],
    ["429 without money", wrong.status(429, { error: { message: "You exceeded your current quota, check billing" } }), "request"],
    ["500", wrong.status(500, "<html><head><title>Oops</title></head></html>"), "server"],
    ["400", wrong.status(400, { error: { message: "Bad request" } }), "request"],
  ])
    await t.check(`${type}: ${name} is told as "${kind}"`, async () => {
      const { said, problem } = await askOf(provider, type, answer);
      assert.ok(problem instanceof ModelProblem, String(problem));
      assert.equal(problem.kind, kind, problem.message);
      if (name === "an end in the middle") assert.equal(said, "Half");
      if (name === "429") assert.equal(problem.retryAfter, 7);
      if (name === "500") assert.equal(problem.detail, "Oops");
      return problem.message;
    });
  await t.check(`${type}: stop closes the connection`, async () => {
    const abort = new AbortController();
    const { problem } = await askOf(provider, type, hold("Beginning", ["never"]), abort.signal, (said) => {
      if (said === "Beginning") abort.abort(new Error("stopped"));
    });
    assert.equal(problem.message, "stopped");
    await until("the provider to see it", () => provider.received.at(-1).closed);
  });
}

await t.check("an address where nobody listens, one that leads nowhere, and one that is none", async () => {
  const kindOf = async (url) =>
    models.send({ url, headers: {} }, new AbortController().signal, () => {}).then(() => "", (error) => error.kind);
  assert.equal(await kindOf("http://127.0.0.1:1/v1"), "refused");
  assert.equal(await kindOf("http://no-such-host.invalid/v1"), "unknown-host");
  assert.equal(await kindOf("ftp://example.org"), "request");
});

await t.check("the models of an endpoint are asked for", async () => {
  for (const type of Object.keys(readers))
    assert.deepEqual(
      await models.modelsOf(endpointOf(type, provider.url), "k", new AbortController().signal),
      ["model-a", "model-b"].filter((name) => name),
    );
});

await t.check("the setting of the endpoints: what is wrong is left out and named", () => {
  const { endpoints, wrong: bad } = models.endpointsOf([
    { name: "A", url: "https://a.example/v1/" },
    { name: "B", url: "file:///etc/passwd" },
    { name: "C", url: "https://c.example", type: "telepathy" },
    { url: "https://d.example" },
    { name: "A", url: "https://other.example" },
    "nonsense",
  ]);
  assert.deepEqual(endpoints, [{ name: "A", type: "openai", url: "https://a.example/v1", models: [], headers: {} }]);
  assert.deepEqual(bad, ["B", "C", "#4", "A", "#6"]);
  assert.deepEqual(models.endpointsOf({}), { endpoints: [], wrong: [] });
});
await provider.stop();

t.done();
