// Bundles the extension into dist: one file loads faster than a tree of node_modules. The chat is a file of its own,
// which is loaded when the chat is opened. The licences of what went into the bundles are put beside them.
//
//   node scripts/bundle.mjs [--production] [--watch]

import fs from "node:fs";
import path from "node:path";
import { build, context } from "esbuild";

const production = process.argv.includes("--production");
const common = {
  bundle: true,
  outdir: "dist",
  minify: production,
  sourcemap: !production,
  metafile: true,
  logLevel: "warning",
};
const bundles = [
  {
    ...common,
    entryPoints: ["src/extension.ts", "src/chat_panel.ts"],
    platform: "node",
    format: "cjs",
    target: "node20", // of VS Code 1.100
    external: ["vscode", "./chat_panel.js"], // the editor gives the first; the second is the bundle beside it
  },
  {
    ...common,
    entryPoints: { webview: "src/webview/main.ts" },
    platform: "browser",
    format: "iife",
    target: "chrome132", // of VS Code 1.100
    sourcemap: false, // the panel may fetch nothing
  },
];

// The packages that files of the bundle come from, each with the text of its licence.
function licences(inputs) {
  const folders = new Set(inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  return [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${folder} has no licence file`);
    return `${name} ${version}\n\n${fs.readFileSync(path.join(folder, file), "utf8").trim()}\n`;
  });
}

if (process.argv.includes("--watch")) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  const results = await Promise.all(bundles.map((options) => build(options)));
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  fs.writeFileSync("dist/licences.txt", licences(inputs).join(`\n${"-".repeat(80)}\n\n`));
}
