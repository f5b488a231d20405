// Prints how large the bundles are and how long it takes to load the one that is loaded at start-up. It judges nothing.
//
//   node scripts/measure.mjs

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
execFileSync(process.execPath, ["scripts/bundle.mjs", "--production"], { cwd: extension, stdio: "inherit" });
const kilo = (bytes) => `${(bytes / 1e3).toFixed(0)} kB`;
for (const [name, when] of [
  ["extension.js", "at start-up"],
  ["chat_panel.js", "when the chat is looked at, or one of its commands is called"],
  ["webview.js", "with the chat, in its own frame"],
  ["webview.css", "with the chat, in its own frame"],
]) {
  const bytes = fs.readFileSync(path.join(extension, "dist", name));
  console.log(`${name}: ${kilo(bytes.length)}, packed ${kilo(gzipSync(bytes).length)}; loaded ${when}`);
}
// With nothing in the place of the editor: what is measured is to read, compile and run the file up to its exports.
const load = `
  const Module = require("node:module");
  const nothing = new Proxy(function () {}, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => "" : nothing),
    getPrototypeOf: () => nothing, // the bundle makes objects of its own that inherit from the module
    construct: () => ({}),
    apply: () => nothing,
  });
  const was = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? nothing : was(name, ...rest));
  const began = performance.now();
  require(${JSON.stringify(path.join(extension, "dist/extension.js"))});
  console.log(performance.now() - began);`;
const times = Array.from({ length: 9 }, () => Number(execFileSync(process.execPath, ["-e", load], { encoding: "utf8" })));
times.sort((a, b) => a - b);
console.log(`extension.js is loaded in ${times[4].toFixed(0)} ms (median of 9, from ${times[0].toFixed(0)} to ${times[8].toFixed(0)})`);
