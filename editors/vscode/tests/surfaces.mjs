// What the extension gives beside its chat: the view "Instructions", commands, pages, and the tools of models. One start
// of the editor: surfaces/index.js inside the extension host, then the view from outside.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { tally, until } from "../../e2e/tally.mjs";
import { startRig } from "../../e2e/vscode-rig.mjs";
import { quiet } from "./lib/drive.mjs";
import { makeRepository } from "./lib/repository.mjs";

const patience = 90_000; // ms; the machine may have more to do than this
const tests = path.dirname(fileURLToPath(import.meta.url));
const repository = makeRepository();
const out = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "foreword-surfaces-")), "out");
fs.writeFileSync(out, "");
const query = (port) => {
  const uri = (file) => `vscode-remote://127.0.0.1:${port}${file}`;
  const switches = [
    ["extensionDevelopmentPath", uri(path.dirname(tests))],
    ["extensionTestsPath", uri(path.join(tests, "surfaces/index.js"))],
  ];
  return `&payload=${encodeURIComponent(JSON.stringify(switches))}`;
};
const rig = await startRig({
  workspace: repository.root,
  vsix: [],
  settings: { ...quiet, "foreword.server.path": process.env.FOREWORD_BIN },
  env: { FOREWORD_SURFACES_OUT: out },
  query,
});
const t = tally({ timeout: 5 * patience, evidence: (name) => rig.evidence(name) });
const { page } = rig;
const said = () => fs.readFileSync(out, "utf8");

await t.check("the tests in the extension host pass", async () => {
  await until("the tests in the extension host to end", () => /^\d+ passed, \d+ failed$/m.test(said()), 4 * patience);
  process.stdout.write(said().replace(/^/gm, "  "));
  assert.match(said(), /^[1-9]\d* passed, 0 failed$/m);
});

const rows = page.locator(".pane", { hasText: "Instructions" }).locator(".monaco-list-row");
const row = (text) => rows.filter({ hasText: text }).first();

await t.check("the view lists what is sent of the file in front, in order, and why the rest is not", async () => {
  await rig.command("Foreword: Focus on Instructions View");
  await row("pay.go").waitFor({ timeout: patience });
  await row("Sent").waitFor({ timeout: patience });
  const texts = await until(
    "three files",
    async () => {
      const found = await rows.allInnerTexts();
      return found.filter((one) => /AGENTS\.md|CLAUDE\.md/.test(one)).length >= 3 && found;
    },
    patience,
  );
  await rig.shot("instructions");
  const files = texts.filter((one) => /\.md/.test(one)).map((one) => one.replace(/\s+/g, ""));
  assert.match(files[0], /^AGENTS\.md1·\d+tokens/);
  assert.match(files[2], /pay\/AGENTS\.md3·\d+tokens/);
  return files.join("; ");
});

await t.check("a click opens the file, and the view is about it", async () => {
  await row("pay/AGENTS.md").click();
  await page.locator('.tab.active[data-resource-name="AGENTS.md"]').waitFor({ timeout: patience });
});

await t.check("the tools are asked when their row is opened", async () => {
  // Room for all rows: those out of sight are not in the page.
  await page.locator(".pane-header", { hasText: "Chat" }).first().click();
  // The list is made anew when another file comes to the front, which may close a row that was just opened.
  await until("the tools", async () => {
    if ((await row("Claude Code").count()) > 0) return true;
    if ((await row("By tool").getAttribute("aria-expanded")) !== "true") await row("By tool").click();
    await row("Claude Code").waitFor({ timeout: 3_000 }).catch(() => {});
    return false;
  }, patience);
  await rig.shot("instructions-tools");
});

await t.check("the walkthrough opens with its four steps", async () => {
  await rig.command("Foreword: Get Started");
  const steps = page.locator(".getting-started-step");
  await until("four steps", async () => (await steps.count()) >= 4, patience);
  await rig.shot("walkthrough");
});

await t.check("nothing but the machine itself was asked for anything", () => {
  // VS Code's own name for files that it shows in a frame; they come from the machine.
  const far = [...rig.external].filter((host) => !host.endsWith(".vscode-resource.vscode-cdn.net"));
  assert.deepEqual(far, []);
});

fs.writeFileSync(`${out}.done`, "");
await rig.stop();
repository.remove();
fs.rmSync(path.dirname(out), { recursive: true });
t.done();
