// Writes l10n/bundle.l10n.json, from which translators start: every text that the extension shows. It takes from the
// translations what is shown no more, and says what they lack.
//
//   node scripts/l10n.mjs

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
export const bundle = path.join(extension, "l10n/bundle.l10n.json");

/** The languages beside English, as VS Code names them. */
export const languages = ["zh-cn"];

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

/** The translations into a language of the texts and of the manifest, each beside its English. */
export function pairs(language) {
  const read = (file) => JSON.parse(fs.readFileSync(path.join(extension, file), "utf8"));
  return [
    { english: texts(), file: `l10n/bundle.l10n.${language}.json`, translated: read(`l10n/bundle.l10n.${language}.json`) },
    { english: read("package.nls.json"), file: `package.nls.${language}.json`, translated: read(`package.nls.${language}.json`) },
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const write = (file, value) => fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  write(bundle, texts());
  for (const { english, file, translated } of languages.flatMap(pairs)) {
    const known = Object.keys(english).filter((key) => key in translated);
    write(path.join(extension, file), Object.fromEntries(known.map((key) => [key, translated[key]])));
    for (const key of Object.keys(english)) if (!(key in translated)) console.log(`${file} lacks ${JSON.stringify(english[key])}`);
  }
}
