// A provider of models that records what it is sent and answers as it is told: in the streams of OpenAI's chat API,
// Anthropic, Gemini and Ollama, and in all the ways in which an endpoint can go wrong.

import http from "node:http";

/** Starts one on 127.0.0.1. What it answers is asked of `answers`, in turn; without any it repeats the last message. */
export async function startProvider() {
  /** What came: {path, headers, body}. */
  const received = [];
  const answers = [];
  const open = new Set();
  const server = http.createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString("utf8");
    if (request.method === "GET") {
      response.setHeader("content-type", "application/json");
      const names = ["model-b", "model-a"];
      return response.end(
        JSON.stringify({ data: names.map((id) => ({ id })), models: names.map((name) => ({ name })) }),
      );
    }
    const one = { path: request.url, headers: request.headers, body: JSON.parse(text), text, closed: false };
    received.push(one);
    response.on("close", () => {
      one.closed = !response.writableFinished;
      open.delete(response);
    });
    open.add(response);
    const answer = answers.shift() ?? say(`You said: ${lastSaid(one.body)}`);
    await answer(wireOf(request.url), response, one);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    received,
    answers,
    stop: async () => {
      for (const response of open) response.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const wireOf = (url) =>
  /streamGenerateContent/.test(url)
    ? "gemini"
    : /\/api\/chat/.test(url)
      ? "ollama"
      : /\/messages/.test(url)
        ? "anthropic"
        : "openai";

/** The text of the newest message of the user. */
export function lastSaid(body) {
  const messages = body.messages ?? body.contents ?? [];
  const { content, parts } = messages.filter(({ role }) => role === "user").at(-1) ?? {};
  return textOf(content ?? parts ?? "");
}

export const textOf = (content) =>
  typeof content === "string" ? content : content.map((part) => part.text ?? part.content ?? "").join("\n");

const usage = { input: 1000, output: 20, cacheRead: 900 };

/** The pieces of an answer on a wire: texts, calls {id, name, arguments}. */
export function stream(wire, pieces) {
  const data = (value, name) => `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(value)}\n\n`;
  const calls = pieces.filter((piece) => typeof piece !== "string");
  switch (wire) {
    case "openai": {
      const chunk = (delta, more = {}) => data({ choices: [{ index: 0, delta, finish_reason: null, ...more }] });
      let index = 0;
      return [
        ...pieces.flatMap((piece) => {
          if (typeof piece === "string") return [chunk({ content: piece })];
          const json = JSON.stringify(piece.arguments);
          const half = json.length >> 1;
          const call = (value) => chunk({ tool_calls: [{ index, ...value }] });
          const made = [
            call({ id: piece.id, type: "function", function: { name: piece.name, arguments: json.slice(0, half) } }),
            call({ function: { arguments: json.slice(half) } }),
          ];
          index++;
          return made;
        }),
        chunk({}, { finish_reason: calls.length > 0 ? "tool_calls" : "stop" }),
        data({
          choices: [],
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            prompt_tokens_details: { cached_tokens: usage.cacheRead },
          },
        }),
        "data: [DONE]\n\n",
      ];
    }
    case "anthropic":
      return [
        data(
          {
            type: "message_start",
            message: {
              usage: {
                input_tokens: usage.input - usage.cacheRead,
                cache_read_input_tokens: usage.cacheRead,
                cache_creation_input_tokens: 0,
                output_tokens: 1,
              },
            },
          },
          "message_start",
        ),
        ...pieces.flatMap((piece, index) =>
          typeof piece === "string"
            ? [
                data(
                  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
                  "content_block_start",
                ),
                data(
                  { type: "content_block_delta", index, delta: { type: "text_delta", text: piece } },
                  "content_block_delta",
                ),
                data({ type: "content_block_stop", index }, "content_block_stop"),
              ]
            : [
                data(
                  {
                    type: "content_block_start",
                    index,
                    content_block: { type: "tool_use", id: piece.id, name: piece.name, input: {} },
                  },
                  "content_block_start",
                ),
                data(
                  {
                    type: "content_block_delta",
                    index,
                    delta: { type: "input_json_delta", partial_json: JSON.stringify(piece.arguments) },
                  },
                  "content_block_delta",
                ),
                data({ type: "content_block_stop", index }, "content_block_stop"),
              ],
        ),
        data(
          {
            type: "message_delta",
            delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn" },
            usage: { output_tokens: usage.output },
          },
          "message_delta",
        ),
        data({ type: "message_stop" }, "message_stop"),
      ];
    case "gemini": {
      const usageMetadata = {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        cachedContentTokenCount: usage.cacheRead,
      };
      return pieces.map((piece, i) =>
        data({
          candidates: [
            {
              content: {
                role: "model",
                parts: [
                  typeof piece === "string"
                    ? { text: piece }
                    : { functionCall: { name: piece.name, args: piece.arguments } },
                ],
              },
              ...(i === pieces.length - 1 ? { finishReason: "STOP" } : {}),
            },
          ],
          usageMetadata,
        }),
      );
    }
    case "ollama":
      return [
        ...pieces.map((piece) => ({
          message:
            typeof piece === "string"
              ? { role: "assistant", content: piece }
              : {
                  role: "assistant",
                  content: "",
                  tool_calls: [{ function: { name: piece.name, arguments: piece.arguments } }],
                },
          done: false,
        })),
        {
          message: { role: "assistant", content: "" },
          done: true,
          done_reason: "stop",
          prompt_eval_count: usage.input,
          eval_count: usage.output,
        },
      ].map((value) => `${JSON.stringify(value)}\n`);
    default:
      throw new Error(wire);
  }
}

const head = (wire, response) =>
  response.writeHead(200, { "content-type": wire === "ollama" ? "application/x-ndjson" : "text/event-stream" });

/** Answers with texts and calls. */
export const say =
  (...pieces) =>
  async (wire, response) => {
    head(wire, response);
    for (const piece of stream(wire, pieces)) {
      response.write(piece);
      await new Promise(setImmediate);
    }
    response.end();
  };

export const call = (name, args, id = `call_${name}`) => ({ id, name, arguments: args });

/** Answers in part and waits until the connection is closed, or until it is let go on. */
export function hold(first, then = []) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const answer = async (wire, response) => {
    head(wire, response);
    const pieces = stream(wire, [first, ...then]);
    const at = wire === "anthropic" ? 4 : 1;
    for (const piece of pieces.slice(0, at)) response.write(piece);
    await Promise.race([released, new Promise((resolve) => response.on("close", resolve))]);
    if (response.destroyed) return;
    for (const piece of pieces.slice(at)) response.write(piece);
    response.end();
  };
  return Object.assign(answer, { release });
}

const firstOf = (wire, text) => stream(wire, [text, "never sent"])[wire === "anthropic" ? 2 : 0];

const room = (response) =>
  new Promise((resolve) => {
    const done = () => {
      for (const name of ["drain", "close"]) response.off(name, done);
      resolve();
    };
    for (const name of ["drain", "close"]) response.on(name, done);
  });

/** What endpoints do when something is wrong. */
export const wrong = {
  status:
    (status, body, headers = {}) =>
    (_wire, response) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    },
  // The piece may be lost on the way with the connection.
  reset: (first) => async (wire, response) => {
    head(wire, response);
    await new Promise((resolve) => response.write(firstOf(wire, first), resolve));
    response.socket.resetAndDestroy();
  },
  cut: (first) => (wire, response) => {
    head(wire, response);
    response.end(firstOf(wire, first));
  },
  garbage: (wire, response) => {
    head(wire, response);
    response.end(wire === "ollama" ? "{not json\n" : "data: {not json\n\n");
  },
  page: (_wire, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!DOCTYPE html>\n<html><head><title>Sign in to Wi-Fi</title></head><body>hello</body></html>");
  },
  // A line that never ends, in pieces.
  endlessLine: async (wire, response) => {
    head(wire, response);
    response.write(wire === "ollama" ? '{"message":{"content":"' : 'data: {"choices":[{"delta":{"content":"');
    const piece = "x".repeat(64 * 1024);
    while (!response.destroyed) {
      if (!response.write(piece)) await room(response);
    }
  },
  // An answer of so many characters, in good form.
  long: (characters) => async (wire, response) => {
    head(wire, response);
    const line = `${"word ".repeat(199)}\n`;
    const pieces = stream(wire, ["@", ""]);
    const at = pieces.findIndex((piece) => piece.includes('"@"'));
    for (const piece of pieces.slice(0, at)) response.write(piece);
    for (let sent = 0; sent < characters && !response.destroyed; sent += line.length) {
      const chunk = pieces[at].replace('"@"', JSON.stringify(line));
      if (!response.write(chunk)) await room(response);
    }
    for (const piece of pieces.slice(at + 1)) response.write(piece);
    response.end();
  },
};
