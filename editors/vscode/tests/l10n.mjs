// Every text in every language, and everything that the manifest promises beside it.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { tally } from "../../e2e/tally.mjs";
import { languages, pairs } from "../scripts/l10n.mjs";

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const read = (file) => fs.readFileSync(path.join(extension, file), "utf8");
const manifest = JSON.parse(read("package.json"));
const t = tally();

for (const { english, file, translated } of languages.flatMap(pairs)) {
  const run = (text) => (text.match(/\{\d+\}|\]\(command:[^)]*\)|`[^`]*`/g) ?? []).sort();
  await t.check(`${file} has every text, and none that is shown no more`, () => {
    assert.deepEqual(Object.keys(translated).sort(), Object.keys(english).sort());
  });
  await t.check(`${file} keeps the places, the links and the code of each text`, () => {
    for (const [key, text] of Object.entries(english)) assert.deepEqual(run(translated[key] ?? ""), run(text), key);
  });
}

await t.check("the manifest names no text that there is not, and all that there are", () => {
  const named = new Set([...read("package.json").matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key));
  assert.deepEqual([...named].sort(), Object.keys(JSON.parse(read("package.nls.json"))).sort());
});

await t.check("every picture and icon of the manifest is in the package", () => {
  const files = [...read("package.json").matchAll(/"(media\/[^"]+)"/g)].map(([, file]) => file);
  assert.ok(files.length >= 5);
  for (const file of files) assert.ok(fs.existsSync(path.join(extension, file)), file);
});

await t.check("menus, the walkthrough and its links name commands that there are", () => {
  const { commands, menus, walkthroughs } = manifest.contributes;
  const known = new Set(commands.map(({ command }) => command));
  const used = Object.values(menus).flatMap((items) => items.flatMap(({ command }) => command ?? []));
  const events = walkthroughs.flatMap(({ steps }) => steps.flatMap(({ completionEvents }) => completionEvents));
  used.push(...events.map((event) => event.replace(/^onCommand:/, "")));
  used.push(...[...read("package.nls.json").matchAll(/\(command:(foreword[\w.]+)/g)].map(([, command]) => command));
  for (const command of used) assert.ok(known.has(command), command);
});

await t.check("a setting that a workspace may not choose in Restricted Mode is of the machine, or restricted", () => {
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  const { properties } = manifest.contributes.configuration;
  for (const key of restrictedConfigurations) assert.ok(properties[key], key);
  for (const [key, { scope, markdownDescription }] of Object.entries(properties)) {
    assert.ok(scope, `${key} has no scope`);
    assert.match(markdownDescription, /^%setting\./, key);
  }
  // What would choose where something is sent, what is run, or what outside the repository is read.
  for (const key of Object.keys(properties).filter((name) => /path|endpoints|userFile|user\.about$|folder|files|provider$/.test(name)))
    assert.ok(properties[key].scope === "machine" || restrictedConfigurations.includes(key), key);
});

t.done();
