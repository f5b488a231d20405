// The chat in a real VS Code: what a recording provider is sent, and what the panel shows of it.

import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { tally, until } from "../../e2e/tally.mjs";
import { startRig } from "../../e2e/vscode-rig.mjs";
import { drive, quiet } from "./lib/drive.mjs";
import { drivePanel } from "./lib/panel.mjs";
import { call, hold, lastSaid, say, startProvider, textOf, wrong } from "./lib/provider.mjs";
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
      {
        name: "Recorder",
        url: `${provider.url}/v1`,
        models: ["gpt-5"],
        headers: { "X-Test": "yes" },
        provider: "openai",
      },
    ],
  },
});
const t = tally({ timeout: 3 * patience, evidence: (name) => rig.evidence(name) });
const editor = drive(rig, patience);
const panel = drivePanel(rig, patience);
const { received, answers } = provider;
const { page } = rig;
page.setDefaultTimeout(patience);
// Answers that a check before did not use must not be given to the next.
const check = (name, fn) => t.check(name, () => (answers.splice(0), fn()));

await check("the chat opens beside the text and says what will be sent, before anything is", async () => {
  await rig.openFile("pay/pay.go");
  await editor.status(/3 instructions/);
  await panel.open();
  const said = await panel.has(/tokens/);
  await rig.shot("chat-empty");
  assert.equal(received.length, 0);
  return said.split("\n").at(-1);
});

await check("five turns reach the provider, each as the one before and what is new", async () => {
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

const messagesOf = (request) => request.body.messages.map(({ role, content }) => [role, textOf(content ?? "")]);
const last = () => received.at(-1);
const frame = () => panel.frame();

await check("an answer that is stopped stays as far as it came, and the connection is closed", async () => {
  answers.push(hold("The beginning of", [" the end"]));
  await panel.send("Tell me a long story");
  await panel.has(/The beginning of/);
  await rig.shot("chat-streaming");
  await (await panel.box()).press("Escape");
  await panel.answered(/The beginning of[\s\S]*Stopped\./);
  await until("the provider to see it", () => last().closed, patience);
});

await check("what is sent meanwhile waits for its turn, and can be taken back", async () => {
  const held = hold("First", [" done"]);
  answers.push(held, say("Second done"));
  await panel.send("First question");
  await panel.has(/First$/m);
  await panel.send("Second question");
  await panel.send("Third question");
  await panel.has(/Third question/);
  await rig.shot("chat-queue");
  const before = received.length;
  await panel.click("Take back Third question");
  await until(
    "the message to be written again",
    async () => (await (await panel.box()).inputValue()) === "Third question",
    patience,
  );
  await (await panel.box()).fill("");
  held.release();
  await panel.answered(/Second done/);
  assert.equal(received.length, before + 1);
  const said = messagesOf(last());
  assert.deepEqual(
    said.slice(-5).map(([role]) => role),
    ["user", "assistant", "user", "assistant", "user"],
  );
  assert.deepEqual(said.slice(-3), [
    ["user", "First question"],
    ["assistant", "First done"],
    ["user", "Second question"],
  ]);
  assert.equal(said.at(-4)[1], "The beginning of", "what was stopped is not in the conversation");
});

await check("a message that is edited goes out in place of the old one, and nothing of what came later", async () => {
  answers.push(say("The new second"));
  const edited = (await frame()).locator("article.user", { hasText: "Question 2" });
  await edited.getByRole("button", { name: "Edit and send again" }).click();
  await rig.shot("chat-edit");
  await (
    await frame()
  )
    .getByRole("textbox", { name: "Message, to be sent again" })
    .fill("Question two, in other words");
  await panel.click("Send Again");
  await panel.answered(/The new second/);
  assert.deepEqual(
    messagesOf(last()).filter(([role]) => role === "user"),
    [
      ["user", "Question 1"],
      ["user", "Question two, in other words"],
    ],
  );
  assert.doesNotMatch(last().text, /Question 3|long story|Answer \*\*2/);
  await panel.has(/2 of 2/);
});

await check("the other version is there, and back again", async () => {
  await panel.click("Version before");
  const text = await panel.has(/1 of 2[\s\S]*Second done/);
  assert.doesNotMatch(text, /in other words/);
  await panel.click("Version after");
  await panel.has(/The new second/);
});

await check("ask again: the same conversation without the answer, which stays as another version", async () => {
  answers.push(say("A third try"));
  await panel.click("Ask again");
  await panel.answered(/A third try/);
  assert.deepEqual(messagesOf(last()).slice(-1), [["user", "Question two, in other words"]]);
  assert.doesNotMatch(last().text, /The new second/);
});

await check("@ offers files, and what is attached goes with the message, with its cost on the chip", async () => {
  await editor.write("web/cart.ts", 1, "// not saved");
  const box = await panel.box();
  await box.click();
  await box.pressSequentially("Look at @cart");
  const option = (await frame()).getByRole("option", { name: /cart\.ts/ });
  await option.first().waitFor({ timeout: patience });
  await rig.shot("chat-completion");
  await box.press("Enter");
  await panel.has(/cart\.ts\s*\d+/);
  await rig.shot("chat-chip");
  answers.push(say("Seen"));
  await box.press("Enter");
  await panel.answered(/Seen/);
  const [role, text] = messagesOf(last()).at(-1);
  assert.equal(role, "user");
  // The rules of the folder of what is attached go with it.
  assert.match(text, /ten years old/);
  await panel.has(/1 instruction file of shop\/web was added/);
  assert.match(text, /^Look at[\s\S]*web\/cart\.ts\n\/\/ not saved\n/);
});

await check("the selection is attached with its place", async () => {
  await editor.open("pay/pay.go", 1);
  await rig.gotoLine(4, 1);
  await page.keyboard.press("Shift+End");
  const box = await panel.box();
  await box.click();
  await box.pressSequentially("Why @sel");
  await (await frame()).getByRole("option", { name: /^Selection/ }).waitFor({ timeout: patience });
  await box.press("Tab");
  await panel.has(/pay\.go:4–4/);
  answers.push(say("Because"));
  await box.press("Enter");
  await panel.answered(/Because/);
  assert.match(messagesOf(last()).at(-1)[1], /pay\/pay\.go:4-4\nfunc Total\(parts \[\]int\) int \{\n```/);
});

await check("folders, open editors, problems and changes are attached, each as what it is", async () => {
  const attach = async (query, name, chip) => {
    const box = await panel.box();
    await box.click();
    await box.pressSequentially(` @${query}`);
    await (await frame()).getByRole("option", { name }).first().click();
    await panel.has(chip);
  };
  fs.writeFileSync(path.join(repository.root, "README.md"), "# Shop\n\nSells other things.\n");
  await attach("web", /^web\//, /web\/\s*\d+/);
  await attach("open", /^Open Editors/, /2 open editors\s*\d+/);
  await attach("chan", /^Changes/, /Changes\s*\d+/);
  await rig.shot("chat-attachments");
  answers.push(say("All of it"));
  await (await panel.box()).pressSequentially("All this");
  await (await panel.box()).press("Enter");
  await panel.answered(/All of it/);
  const text = messagesOf(last()).at(-1)[1];
  assert.match(text, /The browser of the cash desk/);
  assert.match(text, /\+Sells other things\./);
  assert.match(text, /-Sells things\./);
  fs.writeFileSync(path.join(repository.root, "README.md"), files["README.md"]);
});

await check("a secret file is refused on its chip, and nothing of it is sent", async () => {
  fs.writeFileSync(path.join(repository.root, ".env"), "TOKEN=sesame-open\n");
  const box = await panel.box();
  await box.click();
  await box.pressSequentially("And @.env");
  await (await frame()).getByRole("option", { name: /\.env/ }).first().waitFor({ timeout: patience });
  await box.press("Enter");
  await panel.has(/Not sent: environment file/);
  await rig.shot("chat-refused");
  answers.push(say("No secret"));
  await box.press("Enter");
  await panel.answered(/No secret/);
  assert.doesNotMatch(last().text, /sesame-open/);
});

await check("a tool that reads a nested file brings its instructions, and the transcript says so", async () => {
  await rig.command("Foreword: New Chat");
  await panel.focused();
  await editor.open("README.md", 1);
  answers.push(say("I look. ", call("read", { path: "web/cart.ts" }, "call_1")), say("It is old."));
  await panel.send("What is in the cart?");
  await panel.answered(/It is old/);
  await panel.has(/1 instruction file of shop\/web was added/);
  await rig.shot("chat-tool");
  const first = received.at(-2).body;
  assert.ok(
    first.tools.some(({ function: made }) => made.name === "read"),
    JSON.stringify(first.tools),
  );
  assert.ok(first.tools.some(({ function: made }) => made.name === "edit"));
  assert.doesNotMatch(received.at(-2).text, /ten years old/);
  const result = last().body.messages.find(({ role }) => role === "tool");
  assert.equal(result.tool_call_id, "call_1");
  assert.match(textOf(result.content), /not saved[\s\S]*ten years old/);
});

await check(
  "an edit of the model is shown as a diff; what is taken can be undone, and what is not is told",
  async () => {
    const old = "sum := 0";
    answers.push(
      say(call("edit", { path: "pay/pay.go", old, new: "sum := 1" }, "e1")),
      say(call("edit", { path: "pay/pay.go", old: "sum := 1", new: "sum := 2" }, "e2")),
      say(call("edit", { path: "../outside.txt", old: "", new: "x" }, "e3")),
      say("Edited."),
    );
    await panel.send("Begin with one");
    await panel.has(/Take the change that the editor shows\?/);
    await page.locator(".monaco-diff-editor").first().waitFor({ timeout: patience });
    await rig.shot("chat-edit-proposal");
    await panel.click("Allow Once");
    await until(
      "the second question",
      async () => /edit[\s\S]*done[\s\S]*edit[\s\S]*Take the change/.test(await panel.text()),
      patience,
    );
    await panel.click("Deny");
    await panel.answered(/Edited\./);
    const results = last()
      .body.messages.filter(({ role }) => role === "tool")
      .slice(-3)
      .map(({ content }) => textOf(content));
    assert.match(results[0], /took the change/);
    assert.match(results[1], /did not take the change/);
    assert.match(results[2], /not in the workspace/);
    assert.equal(
      fs.readFileSync(path.join(repository.root, "pay/pay.go"), "utf8"),
      files["pay/pay.go"],
      "the file on disk has changed",
    );
    await editor.open("pay/pay.go", 1);
    assert.match(await rig.editorText(), /sum := 1/);
    await page.keyboard.press("Control+Z");
    await until("undo", async () => /sum := 0/.test(await rig.editorText()), patience);
  },
);

await check("a block of code is inserted at the cursor, and applied through a diff", async () => {
  answers.push(say("Do this:\n\n```go\n// inserted\n```\n"));
  await panel.send("Show me");
  await panel.answered(/inserted/);
  await editor.open("pay/pay.go", 1);
  await rig.gotoLine(2, 1);
  await panel.click("Insert");
  await until("the text", async () => /^package pay\n\/\/ inserted/.test(await rig.editorText()), patience);
  await rig.focused("pay/pay.go"); // the editor takes the focus a moment after the text
  await editor.open("pay/pay.go", 1);
  await rig.gotoLine(1, 1);
  await page.keyboard.press("Shift+End");
  await panel.click("Apply…");
  await page.locator(".monaco-diff-editor").first().waitFor({ timeout: patience });
  await rig.shot("chat-apply");
  await page.locator(".notifications-toasts .monaco-button", { hasText: "Apply" }).first().click();
  await until("the text", async () => /^\/\/ inserted\n\/\/ inserted/.test(await rig.editorText()), patience);
});

for (const [name, answer, said, button] of [
  [
    "401",
    wrong.status(401, { error: { message: "Bad key" } }),
    /does not accept the key\. It said: Bad key/,
    "Set API Key…",
  ],
  ["500", wrong.status(500, { error: { message: "Oh" } }), /in trouble \(500\)\. It said: Oh/, "Try Again"],
  ["an end in the middle", wrong.cut("Half of it"), /Half of it[\s\S]*connection ended before/, "Try Again"],
  ["garbage", wrong.garbage, /something that is no answer/, "Try Again"],
  ["a page", wrong.page, /a web page, not an answer: Sign in to Wi-Fi/, "Open Settings"],
  ["an answer of 10 MB", wrong.long(10 * 1024 * 1024), /cut after 2 MB/, "Try Again"],
])
  await check(`${name}: a sentence with a button, and the conversation is there`, async () => {
    answers.push(answer);
    await panel.send(`Try ${name}`);
    await panel.answered(said);
    assert.ok(await (await frame()).locator("article.answer").last().getByRole("button", { name: button }).count());
    assert.match(await panel.text(), /What is in the cart\?/);
  });
await rig.shot("chat-problems");

await check("a rate limit is waited for, with a notice, and asked again", async () => {
  answers.push(wrong.status(429, { error: { message: "Slow down" } }, { "retry-after": "2" }), say("Now it goes"));
  const before = received.length;
  await panel.send("Quickly");
  await panel.has(/wants a pause \(Slow down\)\. Next try in 2 s/);
  await panel.answered(/Now it goes/);
  assert.equal(received.length, before + 2);
  assert.equal(received.at(-1).text, received.at(-2).text);
});

await check("the account: instructions with reasons, the parts of the window, what the cache should give", async () => {
  await (await frame()).locator("details.context > summary").click();
  const text = await panel.has(/As it will be sent[\s\S]*Instructions that apply/);
  await rig.shot("chat-account");
  for (const part of ["System", "Instructions", "Files", "Conversation", "Kept for the answer", "Free", "AGENTS.md"])
    assert.ok(text.includes(part), part);
  assert.match(text, /in the directory of the file/);
  assert.match(text, /The beginning is as it was: about [\d,]+ tokens may come from the provider's cache/);
});

await check("the prompt and what changed since the last turn open in editors", async () => {
  await panel.click("Show Prompt");
  const title = page.locator('.tab[data-resource-name^="turn "]').first();
  await title.waitFor({ timeout: patience });
  const name = await title.getAttribute("data-resource-name");
  await editor.document(name, /Quickly/);
  await rig.shot("chat-prompt");
  await panel.click("What Changed");
  await page.locator(".monaco-diff-editor .view-line", { hasText: "Request of turn" }).last().waitFor({ timeout: patience });
  await rig.shot("chat-difference");
  await (await frame()).locator("details.context > summary").click();
});

await check("axe finds nothing wrong in the panel", async () => {
  const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const found = await (await frame()).evaluate(`${axe}\naxe.run(document, { resultTypes: ["violations"] })`);
  assert.deepEqual(
    found.violations.map(({ id, nodes }) => [
      id,
      nodes.slice(0, 5).map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    ]),
    [],
  );
  return `${found.passes.length} rules`;
});

await check("after a reload the conversation and what was being written are there, and it goes on", async () => {
  await (await panel.box()).fill("Still here");
  await editor.open("README.md", 1);
  await rig.command("Foreword: Attach to Chat");
  await panel.has(/README\.md\s*\d+/);
  await until(
    "the draft to be stored",
    () => stored().some((text) => /Still here[\s\S]*README\.md/.test(text)),
    patience,
  );
  await page.reload();
  await page.waitForSelector(".monaco-workbench .part.statusbar");
  await panel.has(/What is in the cart\?[\s\S]*Now it goes/);
  await panel.has(/README\.md\s*\d+/);
  assert.equal(await (await panel.box()).inputValue(), "Still here");
  await rig.shot("chat-restored");
  answers.push(say("Indeed"));
  await (await panel.box()).press("Enter");
  await panel.answered(/Indeed/);
  assert.match(messagesOf(last()).findLast(([role]) => role === "assistant")[1], /Now it goes/);
  assert.match(lastSaid(last().body), /^Still here[\s\S]*README\.md\n# Shop/);
});

await check("what changed in a turn of the window before is known to the server", async () => {
  await rig.command("Foreword: New Chat");
  await panel.focused();
  answers.push(say("One"));
  await panel.send("Say one");
  await panel.answered(/One/);
  await rig.command("Foreword: Show What Changed Since the Last Turn");
  const text = await editor.document("what changed.md", /tokens/);
  await rig.shot("chat-what-changed");
  return text.split("\n")[0];
});

await check("nothing but the machine itself was asked for anything", () => {
  // A webview's own resources have addresses of this host, which VS Code's service worker answers itself.
  const hosts = [...rig.external].filter((host) => !host.endsWith(".vscode-resource.vscode-cdn.net"));
  assert.deepEqual(hosts, []);
});

function stored() {
  const folder = path.join(rig.ud, "User/workspaceStorage");
  return fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => /chats[/\\][^/\\]+\.json$/.test(name))
    .map((name) => fs.readFileSync(path.join(folder, name), "utf8"));
}

await rig.stop();
await provider.stop();
repository.remove();
t.done();
