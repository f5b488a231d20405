// Writes l10n/bundle.l10n.json, from which translators start: every text that the extension shows.
//
//   node scripts/l10n.mjs

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
export const bundle = path.join(extension, "l10n/bundle.l10n.json");

// The first argument of vscode.l10n.t(…), and of the t(…) that the parts without an editor are given.
const call = /(?:\bl10n\.|[^\w.])t\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/g;

/** The texts by themselves, sorted: the form of VS Code's bundles. */
export function texts() {
  const folder = path.join(extension, "src");
  const sources = fs
    .readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => fs.readFileSync(path.join(folder, file), "utf8"));
  const found = sources.flatMap((source) =>
    [...source.matchAll(call)].map(([, literal]) => new Function(`return ${literal}`)()),
  );
  return Object.fromEntries([...new Set(found)].sort().map((text) => [text, text]));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  fs.writeFileSync(bundle, `${JSON.stringify(texts(), null, 2)}\n`);
