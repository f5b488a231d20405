// Bundles the extension into dist/extension.js: one file loads faster than a tree of node_modules. The licences of
// what went into it are put beside it.
//
//   node scripts/bundle.mjs [--production] [--watch]

import fs from "node:fs";
import path from "node:path";
import { build, context } from "esbuild";

const production = process.argv.includes("--production");
const options = {
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20", // of VS Code 1.100
  external: ["vscode"], // the editor gives it
  minify: production,
  sourcemap: !production,
  metafile: true,
  logLevel: "warning",
};

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
  await (await context(options)).watch();
} else {
  const { metafile } = await build(options);
  fs.writeFileSync("dist/licences.txt", licences(Object.keys(metafile.inputs)).join(`\n${"-".repeat(80)}\n\n`));
}
