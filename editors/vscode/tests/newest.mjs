// The newest VS Code that runs here, with the package for this machine and no setting at all: the server inside is found
// and started; hover, preview, explanation and view work.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { tally, until } from "../../e2e/tally.mjs";
import { startRig } from "../../e2e/vscode-rig.mjs";
import { drive, quiet } from "./lib/drive.mjs";
import { makeRepository } from "./lib/repository.mjs";

const patience = 90_000; // ms; the machine may have more to do than this
const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const target = `${process.platform}-${process.arch}`;
const packages = fs.mkdtempSync(path.join(os.tmpdir(), "foreword-packages-"));
const sizes = execFileSync(process.execPath, ["scripts/package.mjs", "--out", packages, target], {
  cwd: extension,
  encoding: "utf8",
});
console.log(sizes.replace(/^(?=.)/gm, "# "));
const repository = makeRepository();
const rig = await startRig({
  bin: path.join(process.env.FOREWORD_TEST_PREFIX, "cs-newest/bin/code-server"),
  workspace: repository.root,
  vsix: fs.readdirSync(packages).filter((name) => name.endsWith(".vsix")).map((name) => path.join(packages, name)),
  settings: {
    ...quiet,
    "chat.disableAIFeatures": false,
    "workbench.secondarySideBar.defaultVisibility": "visible",
  },
  env: { PATH: "/usr/bin:/bin" }, // no foreword on the PATH
});
const t = tally({ timeout: 3 * patience, evidence: (name) => rig.evidence(name) });
const editor = drive(rig, patience);
const { page } = rig;

const started = await t.check("the server of the package is found, may be executed, and answers", async () => {
  await rig.openFile("pay/pay.go");
  await editor.status(/3 instructions, \d+ tokens/);
  const folder = fs.readdirSync(rig.exts).find((name) => /^foreword\.foreword/.test(name));
  const bin = path.join(rig.exts, folder, "bin/foreword");
  // The log is written a moment later.
  await until(
    () => `the log to name ${bin}; it has:\n${editor.log()}`,
    () => editor.log().includes(`server ${bin} (bundled)`),
    patience,
  );
  assert.ok(fs.statSync(bin).mode & 0o100);
  await rig.shot("newest");
});
if (!started) {
  await rig.stop();
  t.done();
}

await t.check("hover, preview and explanation", async () => {
  assert.match(await editor.hover("package"), /pay\/AGENTS\.md/);
  await rig.command("Foreword: Preview Prompt");
  await editor.document("pay.go.prompt.md", /Never log a card number/);
  await rig.command("Foreword: Explain Instructions");
  await editor.document("pay.go.instructions.md", /in the directory of the file/);
  await rig.shot("newest-documents");
});

await t.check("the view lists what is sent", async () => {
  await rig.command("Foreword: Focus on Instructions View");
  await page
    .locator(".pane", { hasText: "Instructions" })
    .locator(".monaco-list-row", { hasText: "pay/AGENTS.md" })
    .first()
    .waitFor({ timeout: patience });
  await rig.shot("newest-view");
});

await t.check("nothing but the machine itself was asked for anything", () => {
  // VS Code's own name for files that it shows in a frame; they come from the machine.
  const far = [...rig.external].filter((host) => !host.endsWith(".vscode-resource.vscode-cdn.net"));
  assert.deepEqual(far, []);
});

await rig.stop();
repository.remove();
fs.rmSync(packages, { recursive: true });
t.done();
