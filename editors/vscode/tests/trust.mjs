// Restricted Mode: the server is told that the workspace is not trusted, and is told when it is.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { tally, until } from "../../e2e/tally.mjs";
import { startRig } from "../../e2e/vscode-rig.mjs";
import { drive, quiet } from "./lib/drive.mjs";
import { files, makeRepository } from "./lib/repository.mjs";
import { makeServer } from "./lib/server.mjs";

const patience = 90_000; // ms; the machine may have more to do than this
// The workspace names a program of its own, and a provider.
const settings = {
  "foreword.server.path": "./evil.sh",
  "foreword.provider": "evil.example",
  "foreword.model": "gpt-5",
};
const repository = makeRepository("shop", {
  ...files,
  ".vscode/settings.json": JSON.stringify(settings),
  "evil.sh": '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n',
});
fs.chmodSync(path.join(repository.root, "evil.sh"), 0o755);
const server = makeServer(process.env.FOREWORD_BIN, { record: true });
const rig = await startRig({
  workspace: repository.root,
  trust: true,
  settings: { ...quiet, "foreword.server.path": server.file },
});
const t = tally({ timeout: 3 * patience, evidence: (name) => rig.evidence(name) });
const editor = drive(rig, patience);
const { page } = rig;

await t.check("in Restricted Mode the extension works, and the status bar says so", async () => {
  await page
    .locator(".monaco-dialog-box .monaco-button", { hasText: "No, I don't trust the authors" })
    .click({ timeout: patience });
  await rig.openFile("pay/pay.go");
  const label = await editor.status(/3 instructions, \d+ tokens, Restricted Mode/);
  await rig.shot("restricted");
  return label;
});

await t.check("the server was told in initialize", () => {
  const [{ initializationOptions }] = server.sent("initialize");
  assert.deepEqual(initializationOptions, {
    commands: ["foreword.client.showPreview", "foreword.client.showExplain"],
    notifications: ["foreword/status", "foreword/promptChanged"],
    requests: ["foreword/collectSections"],
    trusted: false,
  });
  assert.deepEqual(server.sent("foreword/didChangeTrust"), []);
});

await t.check("the server is told which file has the focus, and what can be seen", async () => {
  const uri = (file) => pathToFileURL(path.join(repository.root, file)).href;
  const focus = await until(
    "foreword/didFocus",
    () => server.sent("foreword/didFocus").find((params) => params.uri === uri("pay/pay.go")),
    patience,
  );
  assert.deepEqual(focus, {
    uri: uri("pay/pay.go"),
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    visible: [uri("pay/pay.go")],
  });
});

await t.check(
  "the server knows: its status says that the folder is restricted, and what the workspace may set",
  async () => {
    await rig.command("Foreword: Show Status");
    const text = await editor.document("foreword status.md", /no, restricted/);
    assert.match(text, /`model` \| `"gpt-5"` \| editor/);
    assert.match(text, /`provider` \| `""` \| default/);
    assert.ok(text.includes(server.file), text);
  },
);

await t.check("when the user trusts the workspace, the server is told", async () => {
  await rig.command("Workspaces: Manage Workspace Trust");
  await page
    .locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ })
    .first()
    .click({ timeout: patience });
  await until("foreword/didChangeTrust", () => server.sent("foreword/didChangeTrust").length > 0, patience);
  assert.deepEqual(server.sent("foreword/didChangeTrust"), [{ trusted: true }]);
  assert.equal(server.sent("initialize").length, 1, "the server was started again");
  await editor.open("pay/pay.go", 1);
  await editor.status(/3 instructions, \d+ tokens$/);
  const text = await editor.document("foreword status.md", /\| yes \|/);
  assert.ok(text.includes(server.file), text);
  await rig.shot("trusted");
});

await t.check("nothing of the workspace was run", () => assert.ok(!fs.existsSync(path.join(repository.root, "ran"))));

await rig.stop();
repository.remove();
server.remove();
t.done();
