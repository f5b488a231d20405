// The chat on a real screen: keys in tmux, what is shown, and what the provider received.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { call, hold, say, startProvider } from "../../../vscode/tests/lib/provider.mjs";

const nvim = process.env.FOREWORD_NVIM ?? process.env.NVIM;
const binary = process.env.FOREWORD_BIN;
assert(nvim && binary, "FOREWORD_NVIM and FOREWORD_BIN must name the editor and the program");
const plugin = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "foreword-chat-")));
const socket = `foreword-chat-${process.pid}`;
const version = /v[\d.]+/.exec(execFileSync(nvim, ["--version"], { encoding: "utf8" }))?.[0] ?? "";
const shots = process.env.FOREWORD_SHOTS && path.join(process.env.FOREWORD_SHOTS, `nvim-chat-${version}.txt`);
if (shots) {
  fs.mkdirSync(path.dirname(shots), { recursive: true });
  fs.writeFileSync(shots, "");
}

const home = path.join(top, "home");
const env = { ...process.env, HOME: home, LC_ALL: "C.UTF-8", TERM: "xterm-256color", CHAT_KEY: "sekret-screen-5521" };
for (const [name, place] of [["CONFIG", ".config"], ["DATA", ".local/share"], ["STATE", ".local/state"], ["CACHE", ".cache"]])
  env[`XDG_${name}_HOME`] = path.join(home, place);
delete env.NVIM;
delete env.TMUX;

const tmux = (...args) => execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], { encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
const screen = () => tmux("capture-pane", "-p", "-t", "r");
const keys = (...names) => tmux("send-keys", "-t", "r", ...names);
const type = (text) => tmux("send-keys", "-t", "r", "-l", text);
const normal = () => keys("C-\\", "C-n");
const ex = (command) => {
  normal();
  type(`:${command}`);
  keys("Enter");
};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let passed = 0;
let failed = 0;
const patience = Number(process.env.FOREWORD_PATIENCE ?? 1200); // of 50 ms; for a slow machine
async function until(what, condition) {
  for (let i = 0; i < patience; i++) {
    if (condition()) return;
    await pause(50);
  }
  throw new Error(`${what}: not on the screen:\n${screen()}`);
}
const see = (text) => until(String(text), () => (typeof text === "string" ? screen().includes(text) : text.test(screen())));
async function test(name, check) {
  try {
    await check();
    passed++;
    console.log(`ok - ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok - ${name}\n    ${String(error.stack ?? error).replaceAll("\n", "\n    ")}`);
  }
  if (shots) fs.appendFileSync(shots, `=== ${name}\n${safeScreen()}\n`);
}
const safeScreen = () => {
  try {
    return screen();
  } catch {
    return "(the editor has ended)";
  }
};

const provider = await startProvider();
const { received, answers } = provider;
const shop = path.join(top, "shop");
const write = (name, text) => {
  fs.mkdirSync(path.dirname(path.join(shop, name)), { recursive: true });
  fs.writeFileSync(path.join(shop, name), text);
};
write("AGENTS.md", "# Shop\n\nUse the metric system.\n");
write("pay/AGENTS.md", "Amounts are cents.\n");
write("pay/till.go", "package pay\n\nvar total = 1\n");
write("main.go", "package main\n\nfunc main() {\n\tprintln(1)\n}\n");
execFileSync("git", ["init", "-q", "-b", "main"], { cwd: shop, env: { ...env, HOME: top } });
const init = path.join(top, "init.lua");
const configure = (chat) =>
  fs.writeFileSync(
    init,
    `vim.o.swapfile = false
vim.o.shortmess = vim.o.shortmess .. "I"
vim.o.more = false
vim.opt.runtimepath:prepend(${JSON.stringify(plugin)})
vim.g.foreword = { cmd = ${JSON.stringify(binary)}, chat = { ${chat} endpoints = {
  { name = "local", url = "${provider.url}/v1", models = { "gpt-4o" }, key = "CHAT_KEY", window = 9000 } } } }
`,
  );
const start = (file, columns = 170, lines = 45) =>
  tmux("new-session", "-d", "-s", "r", "-x", String(columns), "-y", String(lines), "-c", shop, `${nvim} -u ${init} ${file}`);
const gone = () => until("the end of the editor", () => {
  try {
    tmux("has-session", "-t", "r");
    return false;
  } catch {
    return true;
  }
});
const send = async (text) => {
  const before = received.length;
  normal();
  type("i");
  type(text);
  keys("C-s");
  await until(`request ${before + 1}`, () => received.length > before);
};
const last = () => received.at(-1);

try {
  configure("");
  start("main.go");
  await test("the panel opens beside the file, with model, agent, mode", async () => {
    await see("func main");
    ex("Foreword chat");
    await see("message (? for help)");
    await see(/local\/gpt-4o · agent build · mode build/);
    await see("# New chat");
  });

  await test("five turns: the requests go on from each other, and the answers are shown", async () => {
    for (let i = 1; i <= 5; i++) {
      answers.push(say(`Reply ${i}: `, "日本語 ", "and the end."));
      await send(`Question ${i}`);
      await see(`Reply ${i}: 日本語 and the end.`);
      await see(/\d+ % of 9,000 · cache [\d,]+/);
    }
    assert.equal(received.length, 5);
    received.forEach((one, i) => {
      assert.equal(one.path, "/v1/chat/completions");
      assert.equal(one.headers.authorization, "Bearer sekret-screen-5521");
      assert.equal(one.body.stream, true);
      assert.match(one.text, /Use the metric system/);
      assert.deepEqual(
        one.body.messages.filter(({ role }) => role !== "system").map(({ role, content }) => `${role}: ${String(content).split("\n").at(-1)}`),
        [...Array(i).keys()].flatMap((n) => [`user: Question ${n + 1}`, `assistant: Reply ${n + 1}: 日本語 and the end.`]).concat(`user: Question ${i + 1}`),
      );
      if (i > 0) {
        const messages = (text) => text.slice(text.indexOf('"messages":['), text.indexOf("]", text.lastIndexOf('"role":"user"')));
        assert.ok(messages(one.text).startsWith(messages(received[i - 1].text).replace(/\}$/, "")), "the beginning is the same");
      }
    });
  });

  await test("while an answer comes, no key or message is in the list of processes", async () => {
    const held = hold("Being said", [" to the end."]);
    answers.push(held);
    await send("A question that nobody else reads");
    await see("Being said");
    const lines = fs.readdirSync("/proc").filter((pid) => /^\d+$/.test(pid)).flatMap((pid) => {
      try {
        return [fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        return []; // it has ended
      }
    });
    assert.ok(lines.some((line) => /curl .*--data-binary @-/.test(line)), "curl runs");
    for (const line of lines) assert.doesNotMatch(line, /sekret-screen|nobody else reads$/);
    await see("answering");
    held.release();
    await see("Being said to the end.");
  });

  await test("what is typed while an answer comes stays under the cursor", async () => {
    const held = hold("Slow", [" line\n".repeat(60)]);
    answers.push(held);
    await send("slowly");
    await see("Slow");
    normal();
    type("ihalf a th");
    held.release();
    await until("the end", () => !screen().includes("answering"));
    type("ought");
    await see("half a thought");
    normal();
    type("ggdG");
  });

  await test("a file that is read brings the rules of its folder, and its result is folded", async () => {
    answers.push(say("I look.", call("read", { path: "pay/till.go" })), say("It is the till."));
    await send("What is in pay?");
    await see("It is the till.");
    const [result] = last().body.messages.filter(({ role }) => role === "tool");
    assert.match(result.content, /var total = 1/);
    assert.match(last().text, /Amounts are cents/);
    await see(/### Tool: .*\[\d+ lines folded\]/);
  });

  await test("an edit is shown as two windows, and taken by hunk", async () => {
    answers.push(say(call("edit", { path: "main.go", old: "package main\n\nfunc main() {\n\tprintln(1)\n}", new: "package shop\n\nfunc main() {\n\tprintln(2)\n}" })), say("Done as you wish."));
    await send("Change it");
    await see("the file as it is");
    await see("proposed: ga takes a hunk");
    normal();
    type("ga");
    await see(/package shop.*package shop/);
    type("gr");
    await see("Done as you wish.");
    assert.match(last().text, /took 1 of 2 parts/);
    assert.match(fs.readFileSync(path.join(shop, "main.go"), "utf8"), /package main/);
    await see("package shop");
  });

  await test("a long conversation is trimmed, and says so", async () => {
    answers.push(say("Long: " + "many words of an answer that is long, ".repeat(700)));
    await send("Say much");
    await until("the end", () => !screen().includes("answering"));
    answers.push(say("Short again."));
    await send("And now?");
    await see("Short again.");
    await see(/the conversation was trimmed/);
  });

  await test("very long lines, wide characters and another size of the screen", async () => {
    answers.push(say("x".repeat(5000) + " " + "語".repeat(1000) + "\n\nAfter the long line."));
    await send("Say it in one line");
    await see("After the long line.");
    for (const [columns, lines] of [[60, 16], [200, 50], [120, 40]]) {
      tmux("resize-window", "-t", "r", "-x", String(columns), "-y", String(lines));
      await until("the new size", () => screen().split("\n").length - 1 === lines);
      await see("message (? for help)");
      await see("local/gpt-4o"); // what is cut off is at the other end
      if (lines > 20) await see("After the long line.");
    }
  });

  await test("? shows the keys, @ completes", async () => {
    normal();
    type("?");
    await see(":Foreword chat retry");
    type("q");
    ex("Foreword chat prompt");
    type("i@");
    await see("what is changed and not committed");
    type("qui");
    await see("the quickfix list");
    keys("C-n");
    await see("@quickfix");
    normal();
    type("ggdG");
  });

  await test(":qa while an answer comes loses nothing", async () => {
    const held = hold("Said before the end");
    answers.push(held);
    await send("Will this be kept?");
    await see("Said before the end");
    normal();
    type("ia draft that was not sent");
    ex("qa!");
    await gone();
    held.release();
  });

  await test("after a restart the conversation is there, with what was typed, in a float", async () => {
    configure('window = "float",');
    start("main.go", 120, 40);
    await see("func main");
    ex("Foreword chat restore");
    await see("Said before the end");
    await see("Stopped.");
    await see("a draft that was not sent");
    await see("message (? for help)");
    normal();
    type("ggdG");
    answers.push(say("Here again."));
    await send("Are you there?");
    await see("Here again.");
    assert.match(last().text, /Will this be kept\?/);
    assert.match(last().text, /Said before the end/);
    assert.doesNotMatch(last().text, /a draft that/);
    tmux("resize-window", "-t", "r", "-x", "80", "-y", "24");
    await until("the new size", () => screen().split("\n").length - 1 === 24);
    await see("Here again.");
  });

  await test("the editor ends, and leaves no process", async () => {
    ex("qa!");
    await gone();
  });
} finally {
  try {
    tmux("kill-server");
  } catch {
    // it has ended
  }
  await provider.stop();
  fs.rmSync(top, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
