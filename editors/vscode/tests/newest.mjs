// The newest VS Code that runs here, with the package for this machine and no setting at all: the server inside is found
// and started; hover, preview, explanation and view work; @foreword answers in the editor's own chat.

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
execFileSync(
  path.join(extension, "../e2e/node_modules/.bin/vsce"),
  ["package", "--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", path.join(packages, "model.vsix")],
  { cwd: path.join(extension, "tests/model"), stdio: ["ignore", "ignore", "inherit"] },
);
const requests = path.join(packages, "requests");
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
  env: { PATH: "/usr/bin:/bin", FOREWORD_MODEL_OUT: requests }, // no foreword on the PATH
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

const answers = page.locator(".interactive-item-container.interactive-response");
// Asks the participant, and gives its answer once it matches.
async function ask(question, pattern) {
  const before = await answers.count();
  const input = page.locator(".interactive-input-part .monaco-editor, .chat-input-container .monaco-editor").first();
  await input.click({ timeout: patience });
  await page.keyboard.type(question, { delay: 20 });
  await page.keyboard.press("Escape"); // the list of completions
  await page.keyboard.press("Enter");
  let said = "";
  return until(
    () => `an answer to ${question} that matches ${pattern}; it was: ${said}`,
    async () => {
      if ((await answers.count()) <= before) return false;
      said = await rig.text(answers.last());
      return pattern.test(said) && said;
    },
    patience,
  );
}

await t.check("@foreword explains which instructions apply to the file in front", async () => {
  await editor.open("pay/pay.go", 1);
  if ((await page.locator(".interactive-input-part, .chat-input-container").count()) === 0)
    await page.keyboard.press("Control+Alt+I");
  await page.locator(".chat-input-toolbars", { hasText: "Recorder" }).first().waitFor({ timeout: patience });
  const said = await ask("@foreword /explain ", /pay\/AGENTS\.md/);
  await rig.shot("newest-participant");
  assert.match(said, /in the directory of the file/);
});

await t.check("@foreword says what each section costs", async () => {
  const said = await ask("@foreword /tokens ", /The prompt has \d+ tokens/);
  await rig.shot("newest-tokens");
  assert.match(said, /Environment/);
  return said.split("\n").length;
});

await t.check("a question to @foreword goes to the model of the user's choice, behind foreword's prompt", async () => {
  await ask("@foreword how is money rounded? ", /Recorded and answered\./);
  await rig.shot("newest-question");
  const sent = JSON.parse(fs.readFileSync(requests, "utf8").trim().split("\n").at(-1));
  assert.match(sent[0].text, /Never log a card number\./);
  assert.match(sent.at(-1).text, /how is money rounded\?/);
  assert.doesNotMatch(JSON.stringify(sent), /ten years old/);
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
