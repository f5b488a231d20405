// clients.test.mjs FOLDER: the bodies in FOLDER, given to the provider's own client, are what it sends, byte order aside.
// This holds the names of the service, where the client has others (Gemini), and the path.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { tally } from "../tally.mjs";

const folder = process.argv[2];
const t = tally();
console.warn = () => {}; // models that the client calls old

// What the client sent last. The answer is an error, which no client waits for twice here.
let sent;
const server = http.createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  sent = { path: request.url, body: JSON.parse(text) };
  response.writeHead(400, { "content-type": "application/json" }).end(`{"error":{"message":"noted"}}`);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}`;

const openai = new OpenAI({ apiKey: "none", baseURL: url, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey: "none", baseURL: url, maxRetries: 0 });
const gemini = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url, retryOptions: { attempts: 1 } } });
const ollama = new Ollama({ host: url });
const clients = {
  anthropic: { path: "/v1/messages", send: (body) => anthropic.messages.create(body) },
  gemini: {
    path: "/v1beta/models/some-model:generateContent",
    send: ({ contents, generationConfig, ...config }) => gemini.models.generateContent({ model: "some-model", contents, config: { ...config, ...generationConfig } }),
    added: (body) => { body.generationConfig ??= {}; },
  },
  ollama: { path: "/api/chat", send: (body) => ollama.chat(body), added: (body) => { body.stream = false; } },
  "openai-chat": { path: "/chat/completions", send: (body) => openai.chat.completions.create(body) },
  "openai-responses": { path: "/responses", send: (body) => openai.responses.create(body) },
};
for (const [wire, client] of Object.entries(clients)) {
  await t.check(`${wire}: its client sends every body as it is`, async () => {
    const bodies = JSON.parse(fs.readFileSync(path.join(folder, `${wire}.json`), "utf8"));
    for (const { name, body } of bodies) {
      if (wire === "gemini" && body.contents.length === 0) continue; // refused by the client: there is nothing to answer
      sent = undefined;
      const error = await client.send(structuredClone(body)).then(() => undefined, (e) => e);
      assert.ok(sent, `${name}: nothing was sent: ${error?.stack}`);
      const want = structuredClone(body);
      client.added?.(want);
      assert.equal(sent.path, client.path, name);
      assert.deepEqual(sent.body, want, name);
    }
    return `${bodies.length} bodies`;
  });
}
server.close();
t.done();
