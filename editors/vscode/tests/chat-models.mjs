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
  return loadWith([], ...names);
}

async function loadWith(external, ...names) {
  const contents = names
    .map((name) => `export * from ${JSON.stringify(path.join(here, "src", `${name}.ts`))};`)
    .join("\n");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: here },
    bundle: true,
    platform: "node",
    format: "cjs",
    external: external.map(([name]) => name),
    write: false,
  });
  const module = { exports: {} };
  const given = new Map(external);
  const require = createRequire(import.meta.url);
  new Function("module", "exports", "require", outputFiles[0].text)(
    module,
    module.exports,
    (name) => given.get(name) ?? require(name),
  );
  return module.exports;
}

const t = tally({ timeout: 60_000 });
const fill = (message, ...parts) => message.replace(/\{(\d+)\}/g, (_, i) => String(parts[i]));

const models = await load(
  "models/lines",
  "models/openai",
  "models/anthropic",
  "models/gemini",
  "models/ollama",
  "models/answer",
  "models/endpoint",
  "models/problem",
  "models/http",
  "models/stream",
);
const { ModelProblem, Answer } = models;
const readers = {
  openai: models.readOpenAI,
  anthropic: models.readAnthropic,
  gemini: models.readGemini,
  ollama: models.readOllama,
};

// Reads bytes in the given pieces and gives the whole answer.
function read(reader, pieces) {
  let id = 0;
  const answer = new Answer("m", () => `made-${++id}`);
  for (const piece of pieces) reader.push(piece).forEach((delta) => answer.add(delta));
  reader.end().forEach((delta) => answer.add(delta));
  return { parts: answer.parts, usage: answer.usage, reason: answer.reason, calls: answer.calls, said: answer.said };
}

const pieces = [
  "Grüße, 你好 👋🏽\n",
  "line two\r\n",
  call("read", { path: "größe/a b.go", lines: [1, 2] }, "c1"),
  call("grep", { pattern: '"\\n' }, "c2"),
];

for (const [wire, make] of Object.entries(readers)) {
  const text = stream(wire, pieces).join("");
  const whole = read(make(), [Buffer.from(text)]);
  await t.check(`${wire}: text, calls and usage are read`, () => {
    assert.equal(whole.said, "Grüße, 你好 👋🏽\nline two\r\n");
    assert.deepEqual(
      whole.calls.map(({ name, arguments: given }) => [name, given]),
      [
        ["read", { path: "größe/a b.go", lines: [1, 2] }],
        ["grep", { pattern: '"\\n' }],
      ],
    );
    if (wire === "openai" || wire === "anthropic")
      assert.deepEqual(
        whole.calls.map(({ id }) => id),
        ["c1", "c2"],
      );
    else assert.ok(whole.calls.every(({ id }) => id !== "") && whole.calls[0].id !== whole.calls[1].id);
    assert.equal(whole.usage.input, 1000);
    assert.equal(whole.usage.output, 20);
    if (wire !== "ollama") assert.equal(whole.usage.cacheRead, 900);
  });
  for (const [ends, form] of [
    ["\\n", text],
    ["\\r\\n", text.replaceAll("\n", "\r\n")],
    ["\\r", wire === "ollama" ? text : text.replaceAll("\n", "\r")],
  ])
    await t.check(`${wire}: cut at every byte, with ${ends} at the end of lines, it is the same`, () => {
      const bytes = Buffer.from(form);
      for (let at = 0; at <= bytes.length; at++)
        assert.deepEqual(read(make(), [bytes.subarray(0, at), bytes.subarray(at)]), whole, `cut at ${at}`);
      assert.deepEqual(
        read(
          make(),
          [...bytes].map((byte) => Uint8Array.of(byte)),
        ),
        whole,
        "byte by byte",
      );
    });
  await t.check(`${wire}: an answer that ends before it is at its end is told from one that is whole`, () => {
    const bytes = Buffer.from(text);
    // Wherever it is cut before the provider said that it is done, somebody notices.
    const marks = {
      openai: 'finish_reason":"',
      anthropic: "stop_reason",
      gemini: "finishReason",
      ollama: '"done":true',
    };
    const done = bytes.indexOf(marks[wire]);
    for (let at = 0; at < done; at++)
      assert.throws(
        () => read(make(), [bytes.subarray(0, at)]),
        (error) => error instanceof ModelProblem && /cut|garbage/.test(error.kind),
        `cut at ${at}`,
      );
  });
  await t.check(`${wire}: what is no JSON is told`, () => {
    const line = wire === "ollama" ? "nonsense\n" : "data: nonsense\n\n";
    assert.throws(() => read(make(), [Buffer.from(line)]), { kind: "garbage", detail: "nonsense" });
  });
}

await t.check("a line end of two characters that comes in two pieces is one line end", () => {
  for (const pieces of [
    ["a\r", "\nb\r\n"],
    ["a\r\n", "b\r", "\n"],
    ["a", "\r", "\n", "b", "\r"],
  ]) {
    const lines = new models.Lines();
    const read = [...pieces.flatMap((piece) => lines.push(Buffer.from(piece))), ...lines.end()];
    assert.deepEqual(read, ["a", "b"], JSON.stringify(pieces));
  }
});

await t.check("openai: an error within the stream, an answer that is not streamed, comments and [DONE]", () => {
  assert.throws(() => read(models.readOpenAI(), [Buffer.from('data: {"error":{"message":"No credits"}}\n\n')]), {
    kind: "server",
    detail: "No credits",
  });
  const whole =
    '{"choices":[{"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}';
  assert.deepEqual(read(models.readOpenAI(), [Buffer.from(whole)]).said, "Hi");
  const commented =
    ': OPENROUTER PROCESSING\n\ndata: {"choices":[{"delta":{"reasoning":"Hm."}}]}\n\ndata: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n';
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
  ]
    .map(event)
    .join("");
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
  assert.throws(() => read(models.readGemini(), [data({ promptFeedback: { blockReason: "SAFETY" } })]), {
    kind: "blocked",
    detail: "SAFETY",
  });
  const parts = [{ functionCall: { name: "read", args: {} }, thoughtSignature: "c2ln" }];
  const [made] = read(models.readGemini(), [
    data({ candidates: [{ content: { parts }, finishReason: "STOP" }] }),
  ]).parts;
  assert.deepEqual(made, { type: "tool-use", id: "made-1", name: "read", arguments: {}, signature: "c2ln" });
});

const endpointOf = (type, url, more = {}) => ({ name: "E", type, url, models: [], headers: {}, ...more });
const prepared = {
  body: { model: "m", messages: [{ role: "user", content: "q" }] },
  headers: { "content-type": "application/json" },
};
async function askOf(provider, type, answer, signal = new AbortController().signal, heard = () => {}) {
  provider.answers.push(answer);
  const endpoint = endpointOf(type, type === "ollama" ? provider.url : `${provider.url}/v1`);
  const made = new Answer("m", () => "id");
  const problem = await models
    .ask(
      endpoint,
      models.requestOf(endpoint, "m", "sesame", prepared),
      signal,
      (delta) => (made.add(delta), heard(made.said)),
    )
    .then(
      () => undefined,
      (error) => error,
    );
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
    [
      "429 without money",
      wrong.status(429, { error: { message: "You exceeded your current quota, check billing" } }),
      "request",
    ],
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

await t.check("a body that is given as text goes out byte for byte", () => {
  const bodyText = '{"model":"m","messages":[{"2":1,"1":2}],"temperature":1.0,"seed":12345678901234567890}';
  const endpoint = endpointOf("openai", "http://127.0.0.1/v1");
  const { body } = models.requestOf(endpoint, "m", undefined, { body: {}, bodyText, headers: {} });
  assert.equal(body, `${bodyText.slice(0, -1)},"stream":true,"stream_options":{"include_usage":true}}`);
  const gemini = models.requestOf(endpointOf("gemini", "http://127.0.0.1"), "m", undefined, {
    body: {},
    bodyText,
    headers: {},
  });
  assert.equal(gemini.body, bodyText);
});

await t.check("an address where nobody listens, one that leads nowhere, and one that is none", async () => {
  const kindOf = async (url) =>
    models
      .send({ url, headers: {} }, new AbortController().signal, () => {})
      .then(
        () => "",
        (error) => error.kind,
      );
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

const core = await load(
  "chat/conversation",
  "chat/chat",
  "chat/turn",
  "chat/view_model",
  "chat/sentences",
  "chat/account",
  "chat/export",
  "chat/store",
  "chat/request_page",
  "chat/matching",
  "models/problem",
);
const tools = await load("tools/replace", "tools/confine", "tools/permits");

// A server that answers as foreword does, as far as the chat can tell, and records what it is asked.
function makeServer() {
  const asked = [];
  let turn = 0;
  const fail = new Map();
  const tokens = {
    total: 100,
    window: 1000,
    windowSource: "test",
    reserve: 50,
    free: 850,
    counter: "exact",
    history: 20,
  };
  return {
    asked,
    fail,
    report: { status: "fit", before: 20, after: 20, actions: [] },
    of: (command) => asked.filter(([name]) => name === command).map(([, params]) => params),
    server: async function (command, params) {
      asked.push([command, structuredClone(params)]);
      const error = fail.get(command)?.shift();
      if (error) throw error;
      if (command !== "foreword.turn.prepare") return { version: 1, warnings: [] };
      return {
        version: 1,
        warnings: [],
        turn: ++turn,
        body: { n: turn },
        headers: {},
        fingerprint: { prefix: "p", full: "f" },
        sections: [],
        updates: [],
        injections: [],
        notApplied: [],
        history: { report: this.report },
        epoch: { number: 1, status: "unchanged", revision: 1, updateTokens: 0 },
        tokens,
        cache: { tokens: 0, because: "x" },
        hooks: [],
        downgrades: [],
      };
    },
  };
}

function makeChat({ answer, maxSteps = 5, run, wire = "openai-chat" } = {}) {
  const server = makeServer();
  const heard = { entries: [], deltas: [], panels: 0 };
  const waits = [];
  let id = 0;
  let clock = 0;
  const saved = [];
  const chat = new core.Chat(
    {
      server: (command, params) => server.server(command, params),
      ask:
        answer ??
        (async (_choice, prepared, _signal, onDelta) => {
          onDelta({ kind: "text", text: `answer ${prepared.turn}` });
          onDelta({ kind: "usage", usage: { input: 10, output: 2, cacheRead: 4 } });
          onDelta({ kind: "end", reason: "stop" });
        }),
      tools: {
        offered: async () => [{ name: "read" }],
        run:
          run ??
          (async (_conversation, entry, _signal, changed) => {
            entry.state = "done";
            entry.output = `result of ${entry.name}`;
            changed();
          }),
      },
      choice: async () => ({ id: "e", label: "m", model: "m", wire }),
      target: () => "file:///w/a.go",
      newID: () => `id${++id}`,
      now: () => new Date(++clock * 1000).toISOString(),
      wait: async (seconds) => void waits.push(seconds),
      maxSteps: () => maxSteps,
      interrupted: "interrupted",
      save: (conversation) => saved.push(structuredClone(conversation)),
      sending: () => {},
    },
    {
      entries: (from) => heard.entries.push(from),
      delta: (...delta) => heard.deltas.push(delta),
      panel: () => heard.panels++,
    },
  );
  return { chat, server, heard, waits, saved };
}
const said = (messages) =>
  messages.map(({ role, content }) => [
    role,
    typeof content === "string" ? content : content.map((part) => part.text ?? part.content).join(""),
  ]);

await t.check("each turn appends what is new since the turn that it names, and reports what it cost", async () => {
  const { chat, server } = makeChat();
  for (const text of ["one", "two", "three"]) {
    chat.send(text, []);
    await chat.idle;
  }
  const turns = server.of("foreword.turn.prepare");
  assert.deepEqual(
    turns.map(({ parentTurn }) => parentTurn),
    [0, 1, 2],
  );
  assert.deepEqual(said(turns[0].append), [["user", "one"]]);
  assert.deepEqual(said(turns[2].append), [
    ["assistant", "answer 2"],
    ["user", "three"],
  ]);
  assert.equal(new Set(turns.flatMap(({ append }) => append.map((message) => message.id))).size, 5);
  const finished = server.of("foreword.turn.finish");
  assert.deepEqual(finished[1], {
    session: chat.conversation.id,
    turn: 2,
    usage: { input: 10, output: 2, cacheRead: 4 },
    answer: "answer 2",
  });
  assert.equal(chat.conversation.title, "one");
});

await t.check("Anthropic's input is reported without what its cache had", async () => {
  const { chat, server } = makeChat({ wire: "anthropic" });
  chat.send("one", []);
  await chat.idle;
  assert.deepEqual(server.of("foreword.turn.finish")[0].usage, { input: 6, output: 2, cacheRead: 4 });
  assert.equal(chat.conversation.entries.find((entry) => entry.usage).usage.input, 10);
});

await t.check(
  "a server that has forgotten the session is told all of it; other errors are the user's to see",
  async () => {
    const { chat, server } = makeChat();
    chat.send("one", []);
    await chat.idle;
    server.fail.set("foreword.turn.prepare", [Object.assign(new Error("gone"), { data: { code: "unknown_session" } })]);
    chat.send("two", []);
    await chat.idle;
    const again = server.of("foreword.turn.prepare").at(-1);
    assert.equal(again.append, undefined);
    assert.equal(again.parentTurn, 0);
    assert.deepEqual(said(again.messages), [
      ["user", "one"],
      ["assistant", "answer 1"],
      ["user", "two"],
    ]);
    server.fail.set("foreword.turn.prepare", [
      Object.assign(new Error("too much."), { data: { code: "budget_impossible" } }),
    ]);
    chat.send("three", []);
    await chat.idle;
    const [view] = core.entriesView(chat.conversation, chat.conversation.entries.length - 1, fill);
    assert.equal(view.trouble.text, "The conversation does not fit the model's window: too much.");
    assert.equal(view.trouble.actions[0].run, "model");
    // What failed is not lost, and the next turn goes on from the last one that was sent.
    chat.send("four", []);
    await chat.idle;
    assert.deepEqual(said(server.of("foreword.turn.prepare").at(-1).append), [
      ["assistant", "answer 2"],
      ["user", "three"],
      ["user", "four"],
    ]);
  },
);

await t.check(
  "edit and send again: the turn before is named, and what came later is kept as another version",
  async () => {
    const { chat, server } = makeChat();
    for (const text of ["one", "two", "three"]) {
      chat.send(text, []);
      await chat.idle;
    }
    const second = chat.conversation.entries.filter(({ kind }) => kind === "user")[1];
    await chat.edit(second.id, "two, better");
    await chat.idle;
    const turn = server.of("foreword.turn.prepare").at(-1);
    assert.equal(turn.parentTurn, 1);
    assert.deepEqual(said(turn.append), [
      ["assistant", "answer 1"],
      ["user", "two, better"],
    ]);
    const versionOf = () => core.entriesView(chat.conversation, 0, fill).filter(({ kind }) => kind === "user")[1];
    assert.deepEqual(versionOf().version, { at: 2, of: 2 });
    await chat.version(versionOf().id, -1);
    assert.deepEqual(versionOf().version, { at: 1, of: 2 });
    assert.equal(chat.conversation.entries.length, 6);
    chat.send("four", []);
    await chat.idle;
    assert.equal(server.of("foreword.turn.prepare").at(-1).parentTurn, 3, "the old way goes on from its own last turn");
    await chat.version(versionOf().id, 1);
    assert.equal(versionOf().text, "two, better");
    assert.equal(chat.conversation.branches[0].entries.length, 6);
  },
);

await t.check(
  "tools: all calls run, one after another, and the next turn has their results; the limit stops it",
  async () => {
    let asks = 0;
    const order = [];
    const { chat, server } = makeChat({
      maxSteps: 3,
      answer: async (_choice, _prepared, _signal, onDelta) => {
        asks++;
        for (const index of [0, 1])
          onDelta({ kind: "call", index, id: `c${asks}${index}`, name: "read", arguments: `{"path":"${index}"}` });
        onDelta({ kind: "end", reason: "tool_calls" });
      },
      run: async (_conversation, entry) => {
        order.push(`begin ${entry.call}`);
        await Promise.resolve();
        Object.assign(entry, { state: "done", output: "text" });
        order.push(`end ${entry.call}`);
      },
    });
    chat.send("look", []);
    await chat.idle;
    assert.equal(asks, 3);
    assert.equal(chat.exhausted, true);
    assert.deepEqual(order.slice(0, 4), ["begin c10", "end c10", "begin c11", "end c11"]);
    const { append } = server.of("foreword.turn.prepare")[1];
    assert.deepEqual(
      append.map(({ role }) => role),
      ["assistant", "tool", "tool"],
    );
    assert.deepEqual(append[1].content, [{ type: "tool-result", toolCallID: "c10", name: "read", content: "text" }]);
    chat.goOn();
    await chat.idle;
    assert.equal(asks, 6);
  },
);

await t.check("stop: what came stays, the queue waits, and the turn is reported as stopped", async () => {
  let began;
  const beginning = new Promise((resolve) => (began = resolve));
  const { chat, server } = makeChat({
    answer: (_choice, _prepared, signal, onDelta) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        onDelta({ kind: "text", text: "half" });
        began();
      }),
  });
  chat.send("one", []);
  await beginning;
  chat.send("two", []);
  assert.equal(chat.queue.length, 1);
  await chat.stop();
  assert.equal(chat.queue.length, 1);
  const answer = chat.conversation.entries.at(-1);
  assert.deepEqual([answer.state, answer.parts[0].text], ["stopped", "half"]);
  assert.equal(server.of("foreword.turn.finish").at(-1).error, "stopped");
});

await t.check(
  "a rate limit is waited for three times, as long as the endpoint says, and not beyond reason",
  async () => {
    let asks = 0;
    const limited = (seconds) => async () => {
      asks++;
      throw new core.ModelProblem("rate", "slow", 429, seconds);
    };
    const run = async (seconds) => {
      asks = 0;
      const { chat, waits } = makeChat({ answer: limited(seconds) });
      chat.send("one", []);
      await chat.idle;
      return [asks, waits, chat.conversation.entries.at(-1).failure.kind];
    };
    assert.deepEqual(await run(7), [4, [7, 7, 7], "rate"]);
    assert.deepEqual(await run(undefined), [4, [2, 4, 8], "rate"]);
    assert.deepEqual(await run(3600), [1, [], "rate"]);
  },
);

await t.check("what was trimmed is told with reasons, and can be kept: the next turn has it pinned", async () => {
  const { chat, server } = makeChat();
  chat.send("one", []);
  await chat.idle;
  server.report = {
    status: "trimmed",
    before: 900,
    after: 300,
    actions: [
      {
        index: 0,
        kind: "dropped",
        reason: "over_budget",
        before: 600,
        after: 0,
        restore: { id: chat.conversation.entries[0].id },
      },
    ],
  };
  chat.send("two", []);
  await chat.idle;
  const [view] = core.entriesView(chat.conversation, 3, fill);
  const [note] = view.notes;
  assert.equal(note.text, "1 message was shortened or left out, to save 600 tokens.");
  assert.match(note.detail, /left out, as the oldest, when the room was used up: 600 → 0 tokens/);
  chat.keep(note.undo.messages);
  server.report = { status: "fit", before: 1, after: 1, actions: [] };
  chat.send("three", []);
  await chat.idle;
  const turn = server.of("foreword.turn.prepare").at(-1);
  assert.equal(turn.parentTurn, 2);
  assert.deepEqual(
    turn.messages.map(({ pinned = false }) => pinned),
    [true, false, false, false, false],
  );
  chat.send("four", []);
  await chat.idle;
  assert.ok(server.of("foreword.turn.prepare").at(-1).append, "one turn is enough");
  server.fail.set("foreword.turn.prepare", [Object.assign(new Error("no"), { data: { code: "budget_impossible" } })]);
  chat.send("five", []);
  await chat.idle;
  const trouble = core.entriesView(chat.conversation, 9, fill)[0].trouble;
  assert.deepEqual(trouble.actions[0], { label: "Shorten Again", run: "release" });
  await chat.release();
  await chat.idle;
  assert.ok(
    server
      .of("foreword.turn.prepare")
      .at(-1)
      .messages.every(({ pinned }) => !pinned),
  );
  assert.equal(chat.conversation.entries.at(-1).state, "done");
});

await t.check("a fork has the messages and a session of its own", async () => {
  const { chat, server } = makeChat();
  chat.send("one", []);
  await chat.idle;
  const copy = await chat.fork("Other");
  assert.notEqual(copy.id, chat.conversation.id);
  assert.deepEqual(server.of("foreword.session.fork"), [{ session: chat.conversation.id, turn: 1, as: copy.id }]);
  assert.deepEqual(copy.entries, chat.conversation.entries);
});

await t.check("the store: whole or not at all, and a damaged file costs itself only", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "foreword-chats-"));
  const warned = [];
  const store = new core.Store(path.join(folder, "chats"), (message) => warned.push(message));
  const { chat, saved } = makeChat();
  chat.send("one", []);
  await chat.idle;
  store.save({ ...saved.at(-1), id: "a", updated: "2026-01-01" });
  store.save({ ...saved.at(-1), id: "b", updated: "2026-01-02" });
  store.save({ ...saved.at(-1), id: "b", updated: "2026-01-03", title: "newest" });
  store.save(core.begin("empty", "2026-01-01"));
  await store.settled();
  fs.writeFileSync(path.join(folder, "chats/c.json"), '{"version":1,"id":"c","ent');
  fs.writeFileSync(path.join(folder, "chats/d.json"), '{"version":2}');
  assert.deepEqual(
    (await store.list()).map(({ id, title, messages }) => [id, title, messages]),
    [
      ["b", "newest", 1],
      ["a", "one", 1],
    ],
  );
  assert.equal(warned.length, 2);
  assert.deepEqual(fs.readdirSync(path.join(folder, "chats")).sort(), ["a.json", "b.json", "c.json", "d.json"]);
  if (process.platform !== "win32") assert.equal(fs.statSync(path.join(folder, "chats/a.json")).mode & 0o777, 0o600);
  await store.remove("a");
  assert.equal(await store.load("a"), undefined);
  assert.equal((await store.load("b")).title, "newest");
  fs.rmSync(folder, { recursive: true });
});

await t.check("what was going on when the window closed is over when it opens", () => {
  const conversation = core.begin("x", "now");
  const answer = {
    kind: "answer",
    id: "a",
    time: "",
    turn: 1,
    parts: [{ type: "text", text: "ha" }],
    model: "m",
    state: "streaming",
  };
  const tool = {
    kind: "tool",
    id: "t",
    time: "",
    call: "c",
    name: "read",
    arguments: {},
    state: "asking",
    output: "",
    injected: [],
  };
  conversation.entries.push(structuredClone(answer), tool, {
    ...answer,
    id: "b",
    turn: 0,
    parts: [],
    state: "waiting",
  });
  core.settle(conversation, "interrupted");
  assert.deepEqual(
    conversation.entries.map(({ state, output }) => [state, output]),
    [
      ["stopped", undefined],
      ["failed", "interrupted"],
    ],
  );
});

await t.check("the account books by origin: system, instructions, files, conversation", () => {
  const section = (key, tokens) => ({ key, layer: "core", title: key, tokens, why: "since" });
  const view = core.contextOf(
    {
      tokens: {
        total: 180,
        window: 1000,
        windowSource: "w",
        reserve: 100,
        free: 720,
        counter: "estimate",
        history: 60,
      },
      sections: [
        section("core/identity", 50),
        section("instructions/AGENTS.md", 30),
        section("core/instructions", 5),
        section("core/buffers", 20),
        section("context/docs/a.md", 15),
      ],
      updates: [{ key: "instructions/AGENTS.md", kind: "update", tokens: 10, why: "changed" }],
      injections: [{ uri: "file:///w/pay/AGENTS.md", tokens: 20, why: "read", message: "m" }],
      notApplied: [
        { key: "x", uri: "file:///w/web/AGENTS.md", state: "out-of-scope", why: "elsewhere" },
        { key: "core/git", state: "absent", why: "" },
      ],
      warnings: [],
    },
    "",
    true,
    fill,
  );
  assert.deepEqual(Object.fromEntries(view.parts.map(({ kind, tokens }) => [kind, tokens])), {
    system: 50,
    instructions: 65,
    files: 35,
    history: 30,
    reserve: 100,
    free: 720,
  });
  assert.equal(view.summary, "~180 of 1,000 tokens, 18 % (an estimate)");
  assert.deepEqual(
    view.leftOut.map(({ label, state }) => [label, state]),
    [["web/AGENTS.md", "out-of-scope"]],
  );
  assert.equal(view.instructions.at(-1).label, "pay/AGENTS.md");
});

await t.check("every kind of problem has its sentence and at least one button", () => {
  for (const kind of [
    "refused",
    "unknown-host",
    "certificate",
    "cut",
    "garbage",
    "page",
    "endless",
    "key",
    "not-found",
    "rate",
    "server",
    "request",
    "blocked",
    "permission",
    "empty",
    "conflict",
    "budget_impossible",
    "needs_trust",
    "failed",
  ]) {
    const { text, actions } = core.troubleOf({ kind, detail: "so." }, "m", true, fill);
    assert.match(text, /^[A-Z].*[.?]?/, kind);
    assert.doesNotMatch(text, /\{\d\}|undefined|\.\./, kind);
    assert.ok(actions.length > 0, kind);
  }
});

await t.check("a conversation as Markdown, and a request as a page", () => {
  const conversation = core.begin("x", "now");
  conversation.title = "Prices";
  conversation.entries.push(
    {
      kind: "user",
      id: "u",
      time: "",
      text: "Why?",
      attachments: [{ id: "f", kind: "file", label: "a.go", detail: "pay/a.go", files: ["file:///w/pay/a.go"] }],
    },
    {
      kind: "answer",
      id: "a",
      time: "",
      turn: 1,
      parts: [{ type: "text", text: "**So.**" }],
      model: "gpt-5",
      state: "done",
    },
    {
      kind: "tool",
      id: "t",
      time: "",
      call: "c",
      name: "read",
      arguments: { path: "pay/b.go" },
      state: "done",
      output: "x",
      injected: [{ uri: "file:///w/pay/AGENTS.md", why: "", tokens: 1 }],
    },
  );
  assert.equal(
    core.markdownOf(conversation, fill),
    "# Prices\n\n## You\n\nWhy?\n\nAttached:\n\n- pay/a.go\n\n## gpt-5\n\n**So.**\n\n> **read** pay/b.go (done)\n\n> 1 instruction file of w/pay was added.\n",
  );
  const page = core.requestPage(
    {
      turn: 3,
      tokens: { total: 9, window: 99, counter: "exact" },
      downgrades: [],
      body: {
        model: "m",
        messages: [
          { role: "system", content: "Be." },
          { role: "user", content: [{ type: "text", text: "Hi" }] },
        ],
      },
    },
    fill,
  );
  assert.match(page, /^# Request of turn 3[\s\S]*## system\n\nBe\.[\s\S]*## user\n\nHi[\s\S]*"model": "m"/);
});

await t.check("names are found in any case, and the best ones stand first", () => {
  assert.equal(core.wildcard("aB1[x"), "[aA][bB]1?[xX]");
  const items = ["web/cart.ts", "cart/x.ts", "src/cart", "my-cart.ts"].map((detail) => ({
    label: detail.split("/").at(-1),
    detail,
  }));
  assert.deepEqual(
    core.rank(items, "cart").map(({ detail }) => detail),
    ["src/cart", "web/cart.ts", "my-cart.ts", "cart/x.ts"],
  );
});

await t.check("edit: one place, all places, a new file, line ends; what does not fit says what to do", () => {
  const edit = (text, call) => {
    const wanted = tools.replacementOf(call);
    return typeof wanted === "string" ? wanted : tools.replaceIn(text, wanted);
  };
  assert.deepEqual(edit("a b a", { path: "f", old: "b", new: "$&" }), { text: "a $& a" });
  assert.match(edit("a b a", { path: "f", old: "a", new: "c" }).error, /2 times/);
  assert.deepEqual(edit("a b a", { path: "f", old: "a", new: "c", all: true }), { text: "c b c" });
  assert.deepEqual(edit("one\r\ntwo\r\n", { path: "f", old: "one\ntwo", new: "1\n2" }), { text: "1\r\n2\r\n" });
  assert.deepEqual(edit(undefined, { path: "f", old: "", new: "x" }), { text: "x" });
  assert.match(edit(undefined, { path: "f", old: "y", new: "x" }).error, /no file f/);
  assert.match(edit("y", { path: "f", old: "", new: "x" }).error, /exists/);
  assert.match(edit("y", { path: "f", old: "z", new: "x" }).error, /does not stand/);
  assert.match(edit("y", "nonsense"), /must be an object/);
});

await t.check("edit stays in the workspace, wherever links lead, and out of git's own files", async () => {
  const top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "foreword-confine-")));
  const [app, secret] = ["app", "app-secret"].map((name) => path.join(top, name));
  for (const folder of [app, secret, path.join(app, ".git"), path.join(app, "src")]) fs.mkdirSync(folder);
  fs.symlinkSync(secret, path.join(app, "out"));
  fs.symlinkSync(path.join(secret, "new.txt"), path.join(app, "dangling"));
  const errorOf = async (name) => (await tools.confine(name, [app])).error ?? "";
  for (const name of ["src/a.go", "new/folder/b.go", path.join(app, "c.go")])
    assert.equal(await errorOf(name), "", name);
  for (const name of ["../app-secret/x", "/etc/passwd", "src/../../x", "."])
    assert.match(await errorOf(name), /not in the workspace/, name);
  for (const name of ["out/x", "dangling"]) assert.match(await errorOf(name), /leads out/, name);
  assert.match(await errorOf(".GIT/config"), /git itself/);
  fs.rmSync(top, { recursive: true });
});

await t.check(
  "agents: build edits, plan only its plans, explore nothing; a question that is given up is a no",
  async () => {
    assert.deepEqual(
      ["build", "plan", "explore"].map((agent) => tools.mayEdit(agent, "a.go")),
      [true, false, false],
    );
    assert.equal(tools.mayEdit("plan", ".foreword/plans/x.md"), true);
    assert.equal(tools.mayEdit("plan", ".foreword/plans/../../x.md"), false);
    const permits = new tools.Permits();
    const abort = new AbortController();
    const [first, second] = [permits.ask("1", abort.signal), permits.ask("2", abort.signal)];
    permits.answer("1", "session");
    abort.abort();
    assert.deepEqual(await Promise.all([first, second, permits.ask("3", abort.signal)]), ["session", "deny", "deny"]);
  },
);

// The classes of VS Code's language model API, as far as they are used.
class Part {
  constructor(...given) {
    this.given = given;
  }
}
class LanguageModelTextPart extends Part {
  get value() {
    return this.given[0];
  }
}
class LanguageModelToolCallPart extends Part {
  get callId() {
    return this.given[0];
  }
  get name() {
    return this.given[1];
  }
  get input() {
    return this.given[2];
  }
}
class LanguageModelToolResultPart extends Part {}
class LanguageModelError extends Error {
  static NoPermissions = { name: "NoPermissions" };
  static Blocked = { name: "Blocked" };
  static NotFound = { name: "NotFound" };
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}
const vscode = {
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  LanguageModelError,
  LanguageModelChatMessageRole: { User: 1, Assistant: 2 },
  LanguageModelChatMessage: class {
    constructor(role, content) {
      Object.assign(this, { role, content });
    }
  },
  CancellationTokenSource: class {
    token = { isCancellationRequested: false };
    cancel() {
      this.token.isCancellationRequested = true;
    }
    dispose() {}
  },
  l10n: { t: fill },
};
const lm = await loadWith([["vscode", vscode]], "models/vscode_lm", "models/problem");

await t.check(
  "VS Code's models: the body becomes its classes, the stream becomes pieces, errors their kind",
  async () => {
    const body = {
      model: "x",
      messages: [
        { role: "user", content: [{ type: "text", value: "Be." }] },
        {
          role: "assistant",
          content: [
            { type: "text", value: "Yes." },
            { type: "toolCall", callId: "c", name: "read", input: { path: "a" } },
          ],
        },
        { role: "user", content: [{ type: "toolResult", callId: "c", content: [{ type: "text", value: "text" }] }] },
      ],
      tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }],
    };
    const asked = [];
    const model = (stream) => ({ sendRequest: async (...given) => (asked.push(given), { stream: stream() }) });
    const heard = [];
    const signal = new AbortController().signal;
    await lm.askModel(
      model(async function* () {
        yield new LanguageModelTextPart("Hel");
        yield new LanguageModelTextPart("lo");
        yield { unknown: true };
        yield new LanguageModelToolCallPart("d", "grep", { pattern: "x" });
      }),
      body,
      signal,
      (delta) => heard.push(delta),
    );
    const [messages, options] = asked[0];
    assert.deepEqual(
      messages.map(({ role }) => role),
      [1, 2, 1],
    );
    assert.deepEqual(
      messages.flatMap(({ content }) => content.map((part) => part.constructor.name)),
      ["LanguageModelTextPart", "LanguageModelTextPart", "LanguageModelToolCallPart", "LanguageModelToolResultPart"],
    );
    assert.deepEqual(options.tools, [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }]);
    assert.match(options.justification, /Foreword/);
    assert.deepEqual(heard, [
      { kind: "text", text: "Hel" },
      { kind: "text", text: "lo" },
      { kind: "call", index: 0, id: "d", name: "grep", arguments: '{"pattern":"x"}' },
      { kind: "end", reason: "stop" },
    ]);
    for (const [code, kind] of [
      ["NoPermissions", "permission"],
      ["Blocked", "blocked"],
      ["NotFound", "not-found"],
      ["", "server"],
    ]) {
      const failing = { sendRequest: async () => Promise.reject(new LanguageModelError(code, "Because.")) };
      await assert.rejects(
        lm.askModel(failing, body, signal, () => {}),
        { kind, detail: "Because." },
      );
    }
    const abort = new AbortController();
    const stopping = lm.askModel(
      model(async function* () {
        abort.abort(new Error("stopped"));
        yield new LanguageModelTextPart("late");
      }),
      body,
      abort.signal,
      () => assert.fail("too late"),
    );
    await assert.rejects(stopping, /stopped/);
    assert.equal(asked.at(-1)[2].isCancellationRequested, true);
  },
);

t.done();
