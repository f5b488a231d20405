// Makes docs/screenshot.png, the picture of the project's README: a file with its hover, an instruction file that is
// being edited, and the prompt beside them.
//
//   FOREWORD_CODE_SERVER=… FOREWORD_VSIX=… FOREWORD_BIN=… node scripts/picture.mjs

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startRig } from "../../e2e/vscode-rig.mjs";
import { drive, quiet } from "../tests/lib/drive.mjs";
import { makeRepository } from "../tests/lib/repository.mjs";

const picture = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../docs/screenshot.png");
const calm = {
  ...quiet,
  "editor.fontSize": 13,
  "editor.occurrencesHighlight": "off",
  "breadcrumbs.enabled": false,
  "window.commandCenter": false,
  "git.blame.statusBarItem.enabled": false,
};

const made = makeRepository();
const root = path.join(os.tmpdir(), "shop"); // a path that is short in the picture
fs.cpSync(made.root, root, { recursive: true, errorOnExist: true, force: false });
made.remove();
const rig = await startRig({
  workspace: root,
  settings: { ...calm, "foreword.model": "claude-sonnet-4-5", "foreword.server.path": process.env.FOREWORD_BIN },
});
const editor = drive(rig, 90_000);
const { page } = rig;
try {
  await rig.openFile("pay/pay.go");
  await editor.status(/3 instructions/);
  await rig.command("View: Toggle Primary Side Bar Visibility");
  await rig.command("Foreword: Preview Prompt");
  await editor.document("pay.go.prompt.md", /card number/);

  await editor.open("pay/pay.go", 1);
  await rig.command("View: Split Editor Down");
  await rig.openFile("pay/AGENTS.md");
  const second = page.locator('.tab[data-resource-name="pay.go"]').nth(1);
  await second.hover();
  await second.locator(".codicon-close").click();
  await rig.gotoLine(2, 99);
  await rig.type("\nRound half to even, as the bank does.");
  await page.locator(".codelens-decoration a").first().waitFor();

  const text = await editor.document("pay.go.prompt.md", /Round half to even/);
  await rig.gotoLine(text.split("\n").findIndex((line) => /^## Instructions from CLAUDE/.test(line)) + 7);
  await page.keyboard.press("Control+1");
  await editor.hover("package");
  await page.waitForTimeout(1500); // the hover fades in
  await page.screenshot({ path: picture });
} finally {
  await rig.stop();
  fs.rmSync(root, { recursive: true, force: true });
}
console.log(picture);
