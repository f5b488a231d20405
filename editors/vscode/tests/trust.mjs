// Restricted Mode: the server is told that the workspace is not trusted, and is told when it is.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { tally } from "../../e2e/tally.mjs";
import { startRig } from "../../e2e/vscode-rig.mjs";
import { drive, quiet } from "./lib/drive.mjs";
import { files, makeRepository } from "./lib/repository.mjs";

const patience = 90_000; // ms; the machine may have more to do than this
const t = tally({ timeout: 3 * patience });
// The workspace names a program of its own, and a provider.
const settings = { "foreword.server.path": "./evil.sh", "foreword.provider": "evil.example", "foreword.model": "gpt-5" };
const repository = makeRepository("shop", {
  ...files,
  ".vscode/settings.json": JSON.stringify(settings),
  "evil.sh": "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\n",
});
fs.chmodSync(path.join(repository.root, "evil.sh"), 0o755);
const rig = await startRig({ workspace: repository.root, trust: true, settings: { ...quiet, "foreword.server.path": process.env.FOREWORD_BIN } });
const editor = drive(rig, patience);
const { page } = rig;

await t.check("in Restricted Mode the extension works, and the status bar says so", async () => {
  await page.locator(".monaco-dialog-box .monaco-button", { hasText: "No, I don't trust the authors" }).click({ timeout: patience });
  await rig.openFile("pay/pay.go");
  const label = await editor.status(/3 instructions, \d+ tokens, Restricted Mode/);
  await rig.shot("restricted");
  return label;
});

await t.check("the server knows: its status says that the folder is restricted, and what the workspace may set", async () => {
  await rig.command("Foreword: Show Status");
  const text = await editor.document("foreword status.md", /no, restricted/);
  assert.match(text, /`model` \| `"gpt-5"` \| editor/);
  assert.match(text, /`provider` \| `""` \| default/);
  assert.ok(text.includes(process.env.FOREWORD_BIN), text);
});

await t.check("when the user trusts the workspace, the server is told", async () => {
  await rig.command("Workspaces: Manage Workspace Trust");
  await page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).first().click({ timeout: patience });
  await editor.open("pay/pay.go", 1);
  await editor.status(/3 instructions, \d+ tokens$/);
  const text = await editor.document("foreword status.md", /\| yes \|/);
  assert.ok(text.includes(process.env.FOREWORD_BIN), text);
  await rig.shot("trusted");
});

await t.check("nothing of the workspace was run", () => assert.ok(!fs.existsSync(path.join(repository.root, "ran"))));

await rig.stop();
repository.remove();
t.done();
