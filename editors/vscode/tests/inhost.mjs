// Runs inhost/index.js inside the extension host: the workbench takes the switches of "code --extensionTestsPath" as
// URIs in ?payload=. The extension comes from its folder, built already for the package.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../../e2e/tally.mjs";
import { startRig } from "../../e2e/vscode-rig.mjs";
import { quiet } from "./lib/drive.mjs";
import { makeRepository } from "./lib/repository.mjs";

const tests = path.dirname(fileURLToPath(import.meta.url));
const repository = makeRepository();
const out = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "foreword-inhost-")), "out");
fs.writeFileSync(out, "");
const query = (port) => {
  const uri = (file) => `vscode-remote://127.0.0.1:${port}${file}`;
  const switches = [
    ["extensionDevelopmentPath", uri(path.dirname(tests))],
    ["extensionTestsPath", uri(path.join(tests, "inhost/index.js"))],
  ];
  return `&payload=${encodeURIComponent(JSON.stringify(switches))}`;
};
const rig = await startRig({
  workspace: repository.root,
  vsix: [],
  settings: { ...quiet, "foreword.server.path": process.env.FOREWORD_BIN },
  env: { FOREWORD_INHOST_OUT: out },
  query,
});
const done = /^\d+ passed, \d+ failed$/m;
await until("the tests in the extension host to end", () => done.test(fs.readFileSync(out, "utf8")), 300_000).catch(
  (error) => {
    fs.appendFileSync(
      out,
      `not ok - ${error.message}\n${rig.consoleErrors.join("\n").replace(/^/gm, "    ")}\n0 passed, 1 failed\n`,
    );
  },
);
await rig.stop();
const said = fs.readFileSync(out, "utf8");
process.stdout.write(said);
repository.remove();
fs.rmSync(path.dirname(out), { recursive: true });
process.exit(/^[1-9]\d* passed, 0 failed$/m.test(said) ? 0 : 1);
