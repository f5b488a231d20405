// The server's program: missing, found, another program, dying by chance, dying again and again.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { tally, until } from "../../e2e/tally.mjs";
import { SETTINGS, startRig } from "../../e2e/vscode-rig.mjs";
import { drive, quiet } from "./lib/drive.mjs";
import { makeRepository } from "./lib/repository.mjs";
import { makeServer } from "./lib/server.mjs";

const patience = 90_000; // ms; the machine may have more to do than this
const repository = makeRepository();
const server = makeServer(process.env.FOREWORD_BIN);
// A PATH of the system's own folders, for what code-server runs; foreword is in none of them.
const rig = await startRig({
  workspace: repository.root,
  settings: { ...quiet, "foreword.server.path": "/nowhere/foreword" },
  env: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` },
});
const t = tally({ timeout: 4 * patience, evidence: (name) => rig.evidence(name) });
const editor = drive(rig, patience);
const { page } = rig;

const notice = (text) => page.locator(".notifications-toasts .notification-list-item", { hasText: text });
const dismiss = () => rig.command("Notifications: Clear All Notifications");

// Sets where the program is, as the settings editor would; the extension hears of it and starts again. The file is
// replaced as a whole: one that is read while it is written has no setting, and that starts a server as well.
function setPath(file) {
  for (const folder of ["User", "Machine"]) {
    const settings = path.join(rig.ud, folder, "settings.json");
    fs.writeFileSync(`${settings}.new`, JSON.stringify({ ...SETTINGS, ...quiet, "foreword.server.path": file }));
    fs.renameSync(`${settings}.new`, settings);
  }
}

// The folder of the installed extension that a server comes in; here it comes in empty.
const bin = path.join(
  rig.exts,
  fs.readdirSync(rig.exts).find((name) => name.startsWith("foreword.foreword-")),
  "bin",
);
fs.rmSync(bin, { recursive: true, force: true });

await t.check("a setting that leads nowhere is named", async () => {
  await notice("/nowhere/foreword").first().waitFor({ timeout: patience });
  await rig.shot("setting");
  await dismiss();
});

await t.check("without a program the message says so, with what to do", async () => {
  setPath("");
  const message = notice("neither in the extension nor on the PATH").first();
  await message.waitFor({ timeout: patience });
  await rig.shot("missing");
  const buttons = await message.locator(".monaco-button").allInnerTexts();
  assert.deepEqual(buttons.filter(Boolean), ["Open Settings", "Try Again", "Show Log"]);
  await editor.status(/not found/);
  await message.locator(".monaco-button", { hasText: "Open Settings" }).click();
  await page.locator(".settings-editor", { hasText: "foreword" }).first().waitFor({ timeout: patience });
  await editor.close("settingseditor");
});

await t.check("another program is not taken for the server", async () => {
  setPath("/bin/true");
  await notice("it does not answer as foreword does").first().waitFor({ timeout: patience });
  await dismiss();
});

await t.check("commands say why they cannot work", async () => {
  await rig.openFile("pay/pay.go");
  await rig.command("Foreword: Preview Prompt");
  await notice("/bin/true cannot be used").first().waitFor({ timeout: patience });
  await dismiss();
});

await t.check("the program that comes with the extension is found without a setting", async () => {
  fs.mkdirSync(bin);
  fs.copyFileSync(process.env.FOREWORD_BIN, path.join(bin, "foreword"));
  setPath("");
  await editor.status(/3 instructions, \d+ tokens/);
  await rig.command("Foreword: Show Status");
  await editor.document("foreword status.md", /from the extension/);
  await editor.close("foreword status.md");
});

await t.check("with the right setting the server starts at once", async () => {
  setPath(server.file);
  await until("the first server", () => server.started().length === 1, patience);
  await editor.running(2); // one came with the extension
  await editor.open("pay/pay.go", 1);
  await editor.status(/3 instructions, \d+ tokens/);
});

await t.check("Foreword: Show Status tells where the program is", async () => {
  await rig.command("Foreword: Show Status");
  const text = await editor.document("foreword status.md", /from the setting foreword\.server\.path/);
  await rig.shot("status-document");
  assert.ok(text.includes(server.file), text);
  assert.match(text, /\[shop\].* \| yes \|/);
  return text.split("\n")[2];
});

await t.check("Foreword: Count Tokens counts the file, and the selection", async () => {
  await editor.open("pay/pay.go", 1);
  await rig.command("Foreword: Count Tokens");
  const whole = notice(/pay\.go: \d+ tokens/).first();
  await whole.waitFor({ timeout: patience });
  const said = await rig.text(whole.locator(".notification-list-item-message"));
  await dismiss();
  await rig.gotoLine(1, 1);
  await page.keyboard.press("Shift+End");
  await rig.command("Foreword: Count Tokens");
  await notice(/Selection: 2 tokens/)
    .first()
    .waitFor({ timeout: patience });
  await dismiss();
  return said;
});

await t.check("Foreword: Restart Server starts another, and an open preview lives on", async () => {
  await rig.command("Foreword: Preview Prompt");
  await editor.document("pay.go.prompt.md", /card number/);
  await rig.command("Foreword: Restart Server");
  await until("a second server", () => server.started().length === 2, patience);
  // It need not have started up: what is typed meanwhile is not lost.
  await editor.write("pay/AGENTS.md", 1, "Prices have no fractions.");
  await editor.document("pay.go.prompt.md", /Prices have no fractions/);
});

await t.check("a server that dies is started again", async () => {
  await editor.open("pay/pay.go", 1);
  await editor.running(3);
  await editor.status(/3 instructions/);
  process.kill(server.started().at(-1), "SIGKILL");
  await until("a third server", () => server.started().length === 3, patience);
  await editor.running(4);
  await editor.status(/3 instructions/);
});

await t.check("a server that keeps dying is left alone, and the message says so", async () => {
  for (let n = 3; n <= 6; n++) {
    await until(`server ${n}`, () => server.started().length === n, patience);
    await editor.running(n + 1);
    process.kill(server.started().at(-1), "SIGKILL");
  }
  await notice("keeps stopping").first().waitFor({ timeout: patience });
  await rig.shot("dying");
  await editor.status(/keeps stopping/);
  assert.equal(server.started().length, 6);
});

await t.check("a click on the status bar starts it again", async () => {
  await editor.item().click();
  await editor.running(8);
  await editor.status(/3 instructions/);
});

await t.check("Foreword: Show Log shows the log", async () => {
  await rig.command("Foreword: Show Log");
  await page
    .locator(".panel .view-line", { hasText: /server\s.*foreword/ })
    .first()
    .waitFor({ timeout: patience });
  await rig.shot("log");
});

await t.check("no server outlives the window", async () => {
  await rig.stop();
  await until(
    "the last server to end",
    () => {
      try {
        // Dead and not yet waited for is as good as gone.
        return /^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${server.started().at(-1)}/stat`, "utf8"));
      } catch {
        return true;
      }
    },
    patience,
  );
});

repository.remove();
server.remove();
t.done();
