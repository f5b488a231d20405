// 10,000 requests, cancelled at random: every one is answered once, and the server lives on.
import assert from "node:assert/strict";
import fs from "node:fs";
import { tally } from "../tally.mjs";
import { lsp, start, workspace } from "./client.mjs";

const t = tally({ timeout: 180_000 });
const seed = Number(process.env.SEED ?? 20240607);
let state = seed;
const random = () => { // mulberry32: the same requests on every run
  state = (state + 0x6d2b79f5) | 0;
  let x = Math.imul(state ^ (state >>> 15), 1 | state);
  x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
  return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
};
const rss = (pid) => +/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1] / 1024;

const ws = workspace();
const c = await start(ws, { encodings: ["utf-8", "utf-16"] });
const source = ws.uri("pay/x.go"), agents = ws.uri("AGENTS.md");
await c.open(source, fs.readFileSync(ws.path("pay/x.go"), "utf8"), "go");
await c.open(agents, fs.readFileSync(ws.path("AGENTS.md"), "utf8"));

await t.check(`10,000 requests cancelled at random (SEED=${seed})`, async () => {
  const asks = [
    [50, (token) => c.hover(source, 0, 0, token)],
    [25, (token) => c.command("foreword.instructions.explain", { uri: source }, token)],
    [15, (token) => c.command("foreword.tokens.count", { text: "a few words to count", model: "gpt-4o" }, token)],
    [8, (token) => c.command("foreword.prompt.build", { uri: source, model: "gpt-4o" }, token)],
    [2, (token) => c.command("foreword.no.such", {}, token)],
  ];
  const count = { answered: 0, cancelled: 0, failed: 0 };
  const one = async (i) => {
    let dice = random() * 100;
    const [, ask] = asks.find(([weight]) => (dice -= weight) < 0);
    const source = new lsp.CancellationTokenSource();
    const when = random();
    const answer = ask(source.token).then(() => "answered", (e) => (e.code === lsp.LSPErrorCodes.RequestCancelled ? "cancelled" : "failed"));
    if (when < 0.3) source.cancel();
    else if (when < 0.7) setTimeout(() => source.cancel(), random() * 20);
    if (i % 50 === 0) await c.change(agents, 2 + i, { text: `Rule ${i}.\n` });
    count[await answer]++;
  };
  for (let i = 0; i < 10_000; ) {
    const batch = [];
    for (let n = 1 + Math.floor(random() * 400); n > 0 && i < 10_000; n--, i++) batch.push(one(i));
    await Promise.all(batch);
  }
  assert.equal(count.answered + count.cancelled + count.failed, 10_000);
  assert.ok(count.answered > 0 && count.cancelled > 0, JSON.stringify(count));
  assert.ok(count.failed > 0 && count.failed < 400, `only the unknown command may fail: ${JSON.stringify(count)}`);
  return count;
});
await t.check("afterwards it answers, with the newest text", async () => {
  assert.match((await c.hover(source, 0, 0)).contents.value, /pay\/AGENTS\.md/);
  assert.match((await c.command("foreword.instructions.explain", { uri: source })).text, /Rule 9950\./);
});
await t.check("memory stays bounded", () => {
  const mb = Math.round(rss(c.proc.pid));
  assert.ok(mb < 1024, `${mb} MB`);
  return `${mb} MB`;
});
await t.check("it logged no panic and ends with code 0", async () => {
  assert.doesNotMatch(c.proc.log, /panic|goroutine \d+ \[/);
  assert.equal(await c.stop(), 0);
});
t.done();
