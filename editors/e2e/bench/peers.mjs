// peers.mjs FOLDER: other trimmers on the conversations in FOLDER (made by TestPeers in commands), beside what foreword took.
// Each keeps what fits the same budget, by the same tokenizer where it has one. It prints a table of ratios.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { AIMessage, HumanMessage, SystemMessage, trimMessages } from "@langchain/core/messages";
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";

const require = createRequire(import.meta.url);
const tsx = require("@vscode/prompt-tsx");
require("@vscode/prompt-tsx/dist/base/tsx.js");

const folder = process.argv[2];
const perMessage = 4;
const count = (text) => countTokens(text, { disallowedSpecial: new Set() });

// prompt-tsx, a message as its smallest piece: it drops those of the least priority.
async function promptTsx({ messages, budget }) {
  class Root extends tsx.PromptElement {
    render() {
      return messages.map((m, i) => {
        const kind = { system: tsx.SystemMessage, user: tsx.UserMessage, assistant: tsx.AssistantMessage }[m.role];
        return globalThis.vscpp(kind, { priority: m.role === "system" ? 1e9 : i }, m.content);
      });
    }
  }
  const tokenizer = {
    mode: tsx.OutputMode.OpenAI,
    tokenLength: (part) => (part.text ? count(part.text) : 0),
    countMessageTokens(message) {
      let n = perMessage;
      const walk = (value) => { for (const v of Object.values(value)) { if (typeof v === "string") n += count(v); else if (v) walk(v); } };
      walk(message);
      return n;
    },
  };
  const rendered = await new tsx.PromptRenderer({ modelMaxPromptTokens: budget }, Root, {}, tokenizer).render();
  return { kept: rendered.messages.length, tokens: rendered.tokenCount };
}

async function langChain({ messages, budget }) {
  const kinds = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };
  const tokenCounter = (list) => list.reduce((sum, m) => sum + count(m.content) + perMessage, 0);
  const kept = await trimMessages(messages.map((m) => new kinds[m.role](m.content)), { maxTokens: budget, strategy: "last", includeSystem: true, tokenCounter });
  return { kept: kept.length, tokens: tokenCounter(kept) };
}

const results = JSON.parse(fs.readFileSync(path.join(folder, "ours.json"), "utf8"));
for (const n of [...new Set(results.map((r) => r.n))]) {
  const conversation = JSON.parse(fs.readFileSync(path.join(folder, `history-${n}.json`), "utf8"));
  for (const [name, trim, most] of [["prompt-tsx", promptTsx, 10_000], ["LangChain.js trimMessages", langChain, 1_000]]) {
    if (n > most) continue; // it would take many minutes
    const begun = performance.now();
    const { kept, tokens } = await trim(conversation);
    results.push({ name, n, ms: performance.now() - begun, kept, tokens, budget: conversation.budget });
  }
}
console.log("messages  trimmer                       time     times foreword's   messages kept   of the budget used");
for (const r of results.sort((a, b) => a.n - b.n || a.ms - b.ms)) {
  const ours = results.find((o) => o.n === r.n && o.name === "foreword");
  console.log([
    String(r.n).padStart(8), r.name.padEnd(26), `${r.ms.toFixed(1)} ms`.padStart(12), (r.ms / ours.ms).toFixed(1).padStart(15),
    String(r.kept).padStart(18), `${((100 * r.tokens) / r.budget).toFixed(1)} %`.padStart(15),
  ].join("  "));
}
if (results.some((r) => r.tokens > r.budget)) throw new Error("a trimmer kept more than the budget: the comparison is unfair");
