// Packs the extension: for each of vsce's targets with the server inside, and once without. It works in a folder of its
// own, so that nothing of one target gets into another, and prints the sizes.
//
//   node scripts/package.mjs                            all of them, into packages/
//   node scripts/package.mjs --out DIR linux-x64 none   these only; "none" is the one without a server
//
// With --images URL the README of the package shows pictures/*.png from below that address: the marketplace takes
// pictures from https only, and the address is not known before it is decided where the project is published.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildServer, targets } from "./server.mjs";

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);
const at = words.indexOf("--out");
const folder = path.resolve(at < 0 ? path.join(extension, "packages") : words.splice(at, 2)[1]);
const imagesAt = words.indexOf("--images");
const images = imagesAt < 0 ? undefined : words.splice(imagesAt, 2)[1].replace(/\/$/, "");
const chosen = words.length > 0 ? words : ["none", ...Object.keys(targets)];
for (const target of chosen) {
  if (target === "none" || target in targets) continue;
  console.error(`unknown target ${target}; there are none, ${Object.keys(targets).join(", ")}`);
  process.exit(2);
}

// The tests' own copy where there is one, else the one of the registry.
const ours = path.join(extension, "../e2e/node_modules/.bin/vsce");
const [vsce, first] = fs.existsSync(ours) ? [ours, []] : ["npx", ["--yes", "@vscode/vsce@3"]];

const staged = ["README.md", "CHANGELOG.md", "LICENSE", "l10n", "media", "dist", ".vscodeignore"];
const stage = fs.mkdtempSync(path.join(os.tmpdir(), "foreword-package-"));
try {
  execFileSync(process.execPath, ["scripts/bundle.mjs", "--production"], { cwd: extension, stdio: "inherit" });
  for (const name of staged) fs.cpSync(path.join(extension, name), path.join(stage, name), { recursive: true });
  if (images) {
    const pictures = JSON.parse(fs.readFileSync(path.join(extension, "pictures/captions.json"), "utf8"));
    const lines = Object.entries(pictures).map(([file, caption]) => `![${caption}](${images}/${file})\n\n*${caption}*\n`);
    fs.appendFileSync(path.join(stage, "README.md"), `\n## Pictures\n\n${lines.join("\n")}`);
  }
  for (const name of fs.readdirSync(extension).filter((entry) => /^package\.nls.*\.json$/.test(entry)))
    fs.copyFileSync(path.join(extension, name), path.join(stage, name));
  const { scripts: _, ...manifest } = JSON.parse(fs.readFileSync(path.join(extension, "package.json"), "utf8"));
  fs.writeFileSync(path.join(stage, "package.json"), JSON.stringify(manifest, null, 2)); // all is built already
  fs.mkdirSync(folder, { recursive: true });
  const size = (file) => `${(fs.statSync(file).size / 1e6).toFixed(1)} MB`;
  for (const target of chosen) {
    const bin = path.join(stage, "bin");
    fs.rmSync(bin, { recursive: true, force: true });
    const server = target === "none" ? undefined : buildServer(target, bin);
    const name = `foreword-${target === "none" ? "" : `${target}-`}${manifest.version}.vsix`;
    const file = path.join(folder, name);
    const more = target === "none" ? [] : ["--target", target];
    const args = [...first, "package", "--no-dependencies", "--allow-missing-repository", "--out", file, ...more];
    execFileSync(vsce, args, { cwd: stage, stdio: ["ignore", "ignore", "inherit"] });
    console.log(`${name}  ${size(file)}${server ? `, the server ${size(server)} of it before packing` : ""}`);
  }
} finally {
  fs.rmSync(stage, { recursive: true, force: true });
}
