// The chat in Restricted Mode, with the other providers and agents, long conversations, many conversations, and a
// server that dies.

import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { tally, until } from "../../e2e/tally.mjs";
import { SETTINGS, startRig } from "../../e2e/vscode-rig.mjs";
import { drive, quiet } from "./lib/drive.mjs";
import { drivePanel } from "./lib/panel.mjs";
import { call, lastSaid, say, startProvider, textOf } from "./lib/provider.mjs";
import { files, makeRepository } from "./lib/repository.mjs";
import { makeServer } from "./lib/server.mjs";

const patience = 90_000; // ms; the machine may have more to do than this
const provider = await startProvider();
const { received, answers } = provider;
// The workspace names an endpoint of its own, which would be told the prompt and the key.
const evil = {
  "foreword.chat.endpoints": [{ name: "Evil", url: `${provider.url}/evil`, models: ["evil"] }],
  "foreword.chat.maxSteps": 999,
};
const repository = makeRepository("shop", { ...files, ".vscode/settings.json": JSON.stringify(evil) });
const server = makeServer(process.env.FOREWORD_BIN);
const settings = {
  ...quiet,
  "foreword.server.path": server.file,
  "foreword.chat.maxSteps": 2,
  "http.proxy": provider.url, // the recorder is the proxy as well
  "http.noProxy": ["127.0.0.1"],
  "foreword.chat.endpoints": [
    {
      name: "Anthropic",
      type: "anthropic",
      url: `${provider.url}/v1`,
      models: ["claude-sonnet-4-5"],
      provider: "anthropic",
    },
    { name: "Gemini", type: "gemini", url: `${provider.url}/v1beta`, models: ["gemini-2.5-pro"] },
    { name: "Ollama", type: "ollama", url: provider.url },
    { name: "Far", url: "http://models.example/v1", models: ["far-away"] },
    { name: "Small", url: `${provider.url}/v1`, models: ["tiny"], window: 8000 },
  ],
};
// The user's own rules: searching is to be asked for.
const config = fs.mkdtempSync(path.join(os.tmpdir(), "foreword-config-"));
fs.mkdirSync(path.join(config, "foreword"));
fs.writeFileSync(
  path.join(config, "foreword/foreword.toml"),
  '[agents.build]\npermissions = [{ permission = "grep", action = "ask" }]\n',
);
const rig = await startRig({ workspace: repository.root, trust: true, settings, env: { XDG_CONFIG_HOME: config } });
const t = tally({ timeout: 3 * patience, evidence: (name) => rig.evidence(name) });
const editor = drive(rig, patience);
const panel = drivePanel(rig, patience);
const { page } = rig;
page.setDefaultTimeout(patience);
const check = (name, fn) => t.check(name, () => (answers.splice(0), fn()));
const last = () => received.at(-1);
const frame = () => panel.frame();
const rows = page.locator(".quick-input-list .monaco-list-row");
const input = page.locator(".quick-input-widget input.input");

// Chooses a model by its name.
async function choose(name) {
  await (await frame()).locator("button.model").click();
  await rows.filter({ hasText: name }).first().click();
  await until(
    `the model ${name}`,
    async () => (await (await frame()).locator("button.model").innerText()).includes(name),
    patience,
  );
}

async function axe() {
  const source = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const found = await (
    await frame()
  ).evaluate(`window.axe || ${source}\naxe.run(document, { resultTypes: ["violations"] })`);
  return found.violations.map(({ id, nodes }) => [
    id,
    nodes.slice(0, 5).map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  ]);
}

await check("in Restricted Mode a message shows the prompt, and nothing is asked of anybody", async () => {
  await page.locator(".monaco-dialog-box .monaco-button", { hasText: "No, I don't trust the authors" }).click();
  await rig.openFile("pay/pay.go");
  await editor.status(/Restricted Mode/);
  await panel.open();
  await panel.has(/Restricted Mode: nothing is sent to a model/);
  await rig.shot("chat-restricted");
  await panel.send("What would you be told?");
  const said = await panel.answered(/What would you be told\?/);
  assert.match(said, /Never log a card number/);
  assert.deepEqual(received, []);
});

await check("once the workspace is trusted, its own endpoints still do not count", async () => {
  await rig.command("Workspaces: Manage Workspace Trust");
  await page
    .locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ })
    .first()
    .click();
  await until("the panel to be unlocked", async () => !/Restricted Mode/.test(await panel.text()), patience);
  await rig.command("Foreword: Choose Chat Model…");
  await rows.filter({ hasText: "claude-sonnet-4-5" }).first().waitFor();
  const offered = await rows.allInnerTexts();
  await rig.shot("chat-models");
  assert.ok(!offered.some((text) => /evil/i.test(text)), offered.join("; "));
  await until(
    "the models that Ollama lists",
    async () => (await rows.filter({ hasText: "model-a" }).count()) > 0,
    patience,
  );
  await page.keyboard.press("Escape");
});

await check("Anthropic: the key out of the secret storage, the marks of the cache, and the conversation", async () => {
  await rig.command("Foreword: Set API Key…");
  await rows.filter({ hasText: "Anthropic" }).first().click();
  await until("the question", async () => (await input.getAttribute("type")) === "password", patience);
  await input.fill("sesame");
  await page.keyboard.press("Enter");
  await choose("claude-sonnet-4-5");
  answers.push(say("Said by ", "Claude"));
  await panel.send("Who are you?");
  await panel.answered(/Said by Claude/);
  const { path: where, headers, body } = last();
  assert.equal(where, "/v1/messages");
  assert.equal(headers["x-api-key"], "sesame");
  assert.equal(headers["anthropic-version"], "2023-06-01");
  assert.equal(headers.authorization, undefined);
  assert.match(JSON.stringify(body.system), /Never log a card number/);
  assert.match(JSON.stringify(body), /"cache_control":\{"type":"ephemeral"/);
  assert.equal(lastSaid(body), "Who are you?");
  const settings = fs.readFileSync(path.join(rig.ud, "Machine/settings.json"), "utf8");
  assert.doesNotMatch(settings, /sesame/);
});

await check("Gemini and Ollama go on with the same conversation, without the key of another", async () => {
  await choose("gemini-2.5-pro");
  answers.push(say("Said by Gemini"));
  await panel.send("And you?");
  await panel.answered(/Said by Gemini/);
  assert.equal(last().path, "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse");
  assert.equal(last().headers["x-goog-api-key"], undefined);
  assert.match(JSON.stringify(last().body.contents), /Said by Claude/);
  assert.match(JSON.stringify(last().body.systemInstruction), /Never log a card number/);
  await choose("model-b");
  answers.push(say("Said by Ollama"));
  await panel.send("And you there?");
  await panel.answered(/Said by Ollama/);
  assert.equal(last().path, "/api/chat");
  assert.match(last().text, /Said by Claude[\s\S]*Said by Gemini/);
  await rig.shot("chat-providers");
});

await check("a model that is far away is asked through the proxy of the editor", async () => {
  await choose("far-away");
  answers.push(say("From far away"));
  await panel.send("Can you hear me?");
  await panel.answered(/From far away/);
  assert.equal(last().path, "http://models.example/v1/chat/completions");
  assert.equal(last().headers.host, "models.example");
  assert.equal(last().headers["x-api-key"], undefined);
});

await check("agents: plan is reminded of it, explore is not offered to edit", async () => {
  const names = () => (last().body.tools ?? []).map((tool) => tool.function.name);
  await (await frame()).getByRole("combobox", { name: "Agent" }).selectOption("explore");
  answers.push(say("Explored"));
  await panel.send("Look round");
  await panel.answered(/Explored/);
  assert.ok(names().includes("read") && !names().includes("edit"), names().join());
  await (await frame()).getByRole("combobox", { name: "Agent" }).selectOption("plan");
  answers.push(say(call("edit", { path: "pay/pay.go", old: "sum := 0", new: "sum := 1" })), say("Planned"));
  await panel.send("Plan it");
  await panel.answered(/Planned/);
  assert.match(lastSaid(received.at(-2).body), /plan/i);
  assert.match(textOf(last().body.messages.at(-1).content), /may not edit pay\/pay\.go/);
  await panel.has(/edit\s+pay\/pay\.go\s+denied/);
  const plan = ".foreword/plans/cart.md";
  answers.push(say(call("edit", { path: plan, old: "", new: "# The plan\n" })), say("Written"));
  await panel.send("Write it down");
  await panel.has(/Take the change that the editor shows\?/);
  await panel.click("Allow Once");
  await panel.answered(/Written/);
  assert.match(textOf(last().body.messages.at(-1).content), /took the change of \.foreword\/plans\/cart\.md/);
  assert.ok(fs.existsSync(path.join(repository.root, plan)));
  await editor.focus("cart.md");
  assert.match(await rig.editorText(), /# The plan/);
  await (await frame()).getByRole("combobox", { name: "Agent" }).selectOption("build");
});

await check("what the user's rules ask for is asked: once, for the chat, or not", async () => {
  const search = (id) => say(call("grep", { pattern: "Total" }, id));
  const result = () => textOf(last().body.messages.findLast(({ role }) => role === "tool").content);
  answers.push(search("g1"), say("First"));
  await panel.send("Search once");
  await panel.has(/Let the model use grep\?/);
  await rig.shot("chat-permission");
  await panel.click("Deny");
  await panel.answered(/First/);
  assert.match(result(), /did not allow/);
  answers.push(search("g2"), say("Second"));
  await panel.send("Search again");
  await panel.has(/Let the model use grep\?/);
  await panel.click("Allow in This Chat");
  await panel.answered(/Second/);
  assert.match(result(), /pay\/pay\.go[\s\S]*Total/);
  answers.push(search("g3"), say("Third"));
  await panel.send("And again");
  await panel.answered(/Third/);
  assert.match(result(), /pay\/pay\.go/);
});

await check("after so many requests for one message the user is asked", async () => {
  answers.push(say(call("list", { path: "." }, "l1")), say(call("list", { path: "pay" }, "l2")), say("Listed"));
  await panel.send("List all");
  await panel.has(/used all requests that one message may take/);
  await rig.shot("chat-limit");
  await panel.click("Continue");
  await panel.answered(/Listed/);
});

await check("a conversation that grows is trimmed, which is told and can be taken back", async () => {
  await rig.command("Foreword: New Chat");
  await panel.focused();
  await choose("tiny");
  const words = (name) => Array.from({ length: 350 }, (_, i) => `${name}${i}`).join(" ");
  for (const name of ["alpha", "beta", "gamma"]) {
    answers.push(say(`Read ${name}`));
    await panel.send(`Remember ${words(name)}`);
    await panel.answered(new RegExp(`Read ${name}`));
  }
  await panel.has(/shortened or left out, to save [\d,]+ tokens/);
  await (await frame()).locator("details.note", { hasText: "shortened or left out" }).last().locator("summary").click();
  await rig.shot("chat-trimmed");
  assert.doesNotMatch(last().text, /alpha170 alpha171/);
  await panel.click("Keep Them");
  answers.push(say("Kept"));
  await panel.send("Go on");
  await panel.answered(/Kept/);
  assert.match(last().text, /alpha170 alpha171/);
});

await check("conversations are renamed, forked, listed, exported and deleted", async () => {
  await rig.command("Foreword: New Chat");
  await panel.focused();
  answers.push(say("An answer to keep"));
  await panel.send("A question to keep");
  await panel.answered(/An answer to keep/);
  await rig.command("Foreword: Rename Chat…");
  await input.fill("My chat");
  await page.keyboard.press("Enter");
  await panel.has(/^My chat/);
  await rig.command("Foreword: Fork Chat");
  await panel.has(/^My chat \(fork\)[\s\S]*An answer to keep/);
  answers.push(say("In the fork"));
  await panel.send("Another way");
  await panel.answered(/In the fork/);
  assert.match(last().text, /An answer to keep/);
  await rig.command("Foreword: Show Chats…");
  await rig.shot("chat-list");
  assert.ok((await rows.count()) >= 4, (await rows.allInnerTexts()).join("; "));
  await rows.filter({ hasText: "My chat" }).filter({ hasNotText: "fork" }).first().click();
  const text = await panel.has(/^My chat\n/);
  assert.doesNotMatch(text, /In the fork/);
  await panel.focused();
  await rig.command("Foreword: Export Chat as Markdown…");
  await until(
    "the export",
    async () => /# My chat[\s\S]*## You[\s\S]*A question to keep/.test(await rig.editorText()),
    patience,
  );
  await rig.command("Foreword: Delete Chat…");
  await page.locator(".monaco-dialog-box .monaco-button", { hasText: "Delete" }).click();
  await panel.has(/^New Chat/);
});

await check("a server that keeps dying: a sentence with a button, and the conversation goes on", async () => {
  answers.push(say("Before it died"));
  await panel.send("Hello");
  await panel.answered(/Before it died/);
  const gone = /keeps stopping/;
  await until(
    "the extension to give up",
    async () => {
      try {
        process.kill(server.started().at(-1), "SIGKILL");
      } catch {} // it has gone already
      return gone.test(await panel.text());
    },
    patience,
  );
  await panel.has(/Before it died/);
  await rig.shot("chat-server-gone");
  await panel.send("Are you there?");
  await panel.answered(/keeps stopping[\s\S]*Restart Server|Restart Server/);
  await panel.click("Restart Server");
  await until(
    "the panel to be as before",
    async () => !(await (await frame()).locator("#app > div > .trouble").count()),
    patience,
  );
  answers.push(say("Back again"));
  await panel.click("Try Again");
  await panel.answered(/Back again/);
  assert.match(last().text, /Before it died[\s\S]*Are you there\?/);
});

// Sets a setting as the settings editor would.
function set(more) {
  for (const folder of ["User", "Machine"]) {
    const file = path.join(rig.ud, folder, "settings.json");
    const all = { ...SETTINGS, "security.workspace.trust.enabled": true, ...settings, ...more };
    fs.writeFileSync(`${file}.new`, JSON.stringify(all));
    fs.renameSync(`${file}.new`, file);
  }
}

await check("a server that is not there: a sentence with a button, and what was said is there", async () => {
  set({ "foreword.server.path": "/nowhere/foreword" });
  const text = await panel.has(/The setting foreword\.server\.path is "\/nowhere\/foreword"/);
  assert.match(text, /Back again/);
  await (await frame()).locator("#app > div > .trouble").getByRole("button", { name: "Open Settings" }).waitFor();
  set({});
  await until(
    "the panel to be as before",
    async () => !(await (await frame()).locator("#app > div > .trouble").count()),
    patience,
  );
});

for (const theme of ["Default High Contrast", "Default High Contrast Light", "Default Light Modern"])
  await check(`axe finds nothing wrong in ${theme}`, async () => {
    set({ "workbench.colorTheme": theme });
    const kind = {
      "Default High Contrast": "vscode-high-contrast",
      "Default High Contrast Light": "vscode-high-contrast-light",
      "Default Light Modern": "vscode-light",
    }[theme];
    await until("the theme", async () => (await frame()).locator(`body.${kind}`).count(), patience);
    await rig.shot(`chat-${kind}`);
    assert.deepEqual(await axe(), []);
  });

await rig.stop();
await provider.stop();
server.remove();
repository.remove();
fs.rmSync(config, { recursive: true });
t.done();
