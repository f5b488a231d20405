// The chat in a real VS Code: what a recording provider is sent, and what the panel shows of it.

import assert from "node:assert/strict";
import { tally, until } from "../../e2e/tally.mjs";
import { startRig } from "../../e2e/vscode-rig.mjs";
import { drive, quiet } from "./lib/drive.mjs";
import { drivePanel } from "./lib/panel.mjs";
import { lastSaid, say, startProvider, textOf } from "./lib/provider.mjs";
import { files, makeRepository } from "./lib/repository.mjs";

const patience = 90_000; // ms; the machine may have more to do than this
const repository = makeRepository();
const provider = await startProvider();
const rig = await startRig({
  workspace: repository.root,
  settings: {
    ...quiet,
    "foreword.server.path": process.env.FOREWORD_BIN,
    "foreword.chat.endpoints": [
      { name: "Recorder", url: `${provider.url}/v1`, models: ["gpt-5"], headers: { "X-Test": "yes" }, provider: "openai" },
    ],
  },
});
const t = tally({ timeout: 3 * patience, evidence: (name) => rig.evidence(name) });
const editor = drive(rig, patience);
const panel = drivePanel(rig, patience);
const { received, answers } = provider;

await t.check("the chat opens beside the text and says what will be sent, before anything is", async () => {
  await rig.openFile("pay/pay.go");
  await editor.status(/3 instructions/);
  await panel.open();
  const said = await panel.has(/tokens/);
  await rig.shot("chat-empty");
  assert.equal(received.length, 0);
  return said.split("\n").at(-1);
});

await t.check("five turns reach the provider, each as the one before and what is new", async () => {
  for (let turn = 1; turn <= 5; turn++) {
    answers.push(say("Answer **", `${turn}`, "**.\n\n```go\nfunc f", `${turn}() {}\n`, "```\n"));
    await panel.send(`Question ${turn}`);
    await panel.answered(new RegExp(`Answer ${turn}\\.`));
  }
  await rig.shot("chat-five");
  assert.equal(received.length, 5);
  const system = textOf(received[0].body.messages[0].content);
  assert.equal(received[0].body.messages[0].role, "system");
  for (const file of ["AGENTS.md", "CLAUDE.md", "pay/AGENTS.md"]) assert.ok(system.includes(files[file].trim()), file);
  assert.ok(system.indexOf(files["AGENTS.md"].trim()) < system.indexOf(files["pay/AGENTS.md"].trim()), "order");
  for (const [i, { body, headers, path }] of received.entries()) {
    assert.equal(path, "/v1/chat/completions");
    assert.equal(headers["x-test"], "yes");
    assert.equal(body.model, "gpt-5");
    assert.equal(body.stream, true);
    assert.equal(lastSaid(body), `Question ${i + 1}`);
    if (i === 0) continue;
    // What was sent before is there again, byte for byte.
    const before = JSON.stringify(received[i - 1].body.messages);
    assert.equal(JSON.stringify(body.messages).slice(0, before.length - 1), before.slice(0, -1));
    const answer = body.messages.findLast(({ role }) => role === "assistant");
    assert.match(textOf(answer.content), new RegExp(`^Answer \\*\\*${i}\\*\\*\\.`));
  }
});

await rig.stop();
await provider.stop();
repository.remove();
t.done();
