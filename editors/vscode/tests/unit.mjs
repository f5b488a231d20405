// The parts of the extension that need no editor.

import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { tally } from "../../e2e/tally.mjs";
import { bundle, texts } from "../scripts/l10n.mjs";

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.join(here, "../..");
const read = (file) => fs.readFileSync(path.join(here, file), "utf8");

// Without "vscode" among the externals: a part that came to need it would not be pure any more, and fails here.
async function load(name) {
  const { outputFiles } = await build({
    entryPoints: [path.join(here, `src/${name}.ts`)],
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
  });
  const module = { exports: {} };
  new Function("module", "exports", "require", outputFiles[0].text)(
    module,
    module.exports,
    createRequire(import.meta.url),
  );
  return module.exports;
}

const t = tally();
const fill = (message, ...parts) => message.replace(/\{(\d+)\}/g, (_, i) => String(parts[i]));

const { findBinary } = await load("binary");
const place = (files, more = {}) => ({
  setting: "",
  bundled: "/ext/bin",
  env: { PATH: "/usr/bin:.:/opt/bin" },
  home: "/home/ada",
  platform: "linux",
  runnable: (file) => files.includes(file),
  ...more,
});

for (const [name, surroundings, want] of [
  [
    "the setting before the others",
    place(["/w/f", "/ext/bin/foreword", "/usr/bin/foreword"], { setting: "/w/f" }),
    ["/w/f", "setting"],
  ],
  [
    "a setting below the home folder",
    place(["/home/ada/bin/f"], { setting: "~/bin/f" }),
    ["/home/ada/bin/f", "setting"],
  ],
  ["a name as the setting, on the PATH", place(["/opt/bin/fw"], { setting: " fw " }), ["/opt/bin/fw", "setting"]],
  [
    "the program of the extension before the PATH",
    place(["/ext/bin/foreword", "/usr/bin/foreword"]),
    ["/ext/bin/foreword", "bundled"],
  ],
  ["the first of the PATH", place(["/opt/bin/foreword"]), ["/opt/bin/foreword", "path"]],
  [
    "a setting that leads nowhere, although there are others",
    place(["/ext/bin/foreword"], { setting: "/w/f" }),
    undefined,
  ],
  [
    "a relative setting, which would depend on the folder",
    place(["bin/f", "/bin/f", "./bin/f"], { setting: "bin/f" }),
    undefined,
  ],
  ["no relative entry of the PATH", place(["foreword", "./foreword"]), undefined],
  ["nothing without a PATH", place(["/usr/bin/foreword"], { env: {} }), undefined],
  [
    "Windows: ending, Path in any case, semicolons",
    place(["C:\\bin\\foreword.exe"], { platform: "win32", bundled: "C:\\ext", env: { Path: "D:\\x;C:\\bin" } }),
    ["C:\\bin\\foreword.exe", "path"],
  ],
  ["Windows: no scripts", place(["C:\\bin\\f.cmd"], { platform: "win32", setting: "C:\\bin\\f.cmd" }), undefined],
]) {
  await t.check(`binary: ${name}`, () => {
    const found = findBinary(surroundings);
    assert.deepEqual(found.file && [found.file, found.origin], want);
  });
}

await t.check("binary: what was tried is told", () => {
  assert.deepEqual(findBinary(place([])), {
    file: undefined,
    setting: undefined,
    tried: ["/ext/bin/foreword", "/usr/bin/foreword", "/opt/bin/foreword"],
  });
});

const { readVersion } = await load("handshake");
await t.check("handshake: version and contract", () =>
  assert.equal(readVersion('{"version":"0.1.0","contract":1,"go":"x"}').version, "0.1.0"),
);
for (const answer of ["", "null", "[]", "foreword 1.0", '{"version":1}', '{"contract":1}']) {
  await t.check(`handshake: another program's ${JSON.stringify(answer)}`, () =>
    assert.throws(() => readVersion(answer), /does not answer as foreword/),
  );
}
await t.check("handshake: an older and a newer contract", () => {
  assert.throws(() => readVersion('{"version":"0.0.1","contract":0}'), /update the program/);
  assert.throws(() => readVersion('{"version":"9.0.0","contract":2}'), /update the extension/);
});

const { Restarts } = await load("restarts");
await t.check("restarts: four within three minutes, and again later", () => {
  let now = 0;
  const restarts = new Restarts(() => now);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => restarts.another()),
    [true, true, true, true, false],
  );
  now += 3 * 60_000;
  assert.equal(restarts.another(), true);
});

const { Refreshes } = await load("refreshes");
await t.check("refreshes: one that came while a document was being opened is made up for, once", () => {
  const refreshes = new Refreshes();
  refreshes.asked("a", true);
  refreshes.asked("b", false);
  refreshes.asked("b", false);
  assert.deepEqual(
    ["a", "b", "b"].map((uri) => refreshes.missed(uri)),
    [false, true, false],
  );
});

const { targetOf } = await load("target");
const { Sections } = await load("sections");
await t.check("sections: providers in order, each under its name; one that fails costs itself", async () => {
  const sections = new Sections();
  const token = { isCancellationRequested: false };
  assert.equal(await sections.collect({ sections: [] }, token), null);
  const gives = (given) => ({ provideSections: () => given });
  const first = sections.register("a", gives({ add: [{ key: "k", text: "one" }], remove: ["core/date"] }));
  sections.register("b", gives(Promise.reject(new Error("no luck"))));
  sections.register("c", gives(undefined));
  sections.register("d", gives(7));
  sections.register("a", gives({ add: [{ key: "k", text: "two" }], edit: [{ key: "core/git", text: "x" }] }));
  first.dispose(); // another has its name by now
  assert.deepEqual(await sections.collect({ sections: [] }, token), {
    add: [{ key: "a/k", text: "two" }],
    edit: [{ key: "core/git", text: "x" }],
    remove: [],
    warnings: ["the section provider b: no luck"],
  });
  assert.throws(() => sections.register("a b", gives(null)), /letters, digits/);
  assert.throws(() => sections.register("a", {}), /no method provideSections/);
});

const { problemOf } = await load("problem");
await t.check("problem: severities by their names, a rule as text, and no more than the server knows", () => {
  const range = { start: { line: 1, character: 2, kind: "x" }, end: { line: 3, character: 0 } };
  const problem = (more) => problemOf({ range, severity: 0, message: "m", relatedInformation: [], ...more });
  assert.deepEqual(problem({ source: "ts", code: { value: 2304, target: "https://example.com" } }), {
    range: { start: { line: 1, character: 2 }, end: { line: 3, character: 0 } },
    severity: "error",
    message: "m",
    source: "ts",
    code: "2304",
  });
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((severity) => problem({ severity }).severity),
    ["error", "warning", "info", "hint", "error"],
  );
  assert.deepEqual(
    [undefined, "", 0, "no-var"].map((code) => problem({ code }).code),
    [undefined, undefined, "0", "no-var"],
  );
});

await t.check("target: the file that a document is about", () => {
  const query = (params) => Buffer.from(JSON.stringify(params)).toString("base64url");
  assert.equal(targetOf(query({ uri: "file:///a/b%20c/ü.go", model: "m" })), "file:///a/b%20c/ü.go");
  for (const other of ["", "?", "eyJ", query({}), query(null), query({ uri: 1 })])
    assert.equal(targetOf(other), undefined);
});

const { sectionLinks, rowOf } = await load("origin");
await t.check("origin: from a line of a section to the line of its file", () => {
  const lines = [
    "## Instructions from AGENTS.md",
    "",
    "`instructions/AGENTS.md`: why. From [AGENTS.md](file:///r/AGENTS.md) lines 3 to 4.",
    "",
    "```text",
    "b",
    "```",
    "## Date",
    "",
    "Today.",
  ];
  const [link] = sectionLinks(lines, 5);
  assert.deepEqual(link, { uri: "file:///r/AGENTS.md", line: 2 });
  assert.equal(rowOf(link, "b", ["b", "", "a", "b"]), 3);
  assert.equal(rowOf(link, "not there", ["b", "", "a", "b"]), 2);
  assert.equal(rowOf(link, "", ["b", "", "a", ""]), 2);
  assert.deepEqual(sectionLinks(lines, 9), [], "a section without a file");
});

const { itemFor, itemWhile, itemWithout } = await load("status_text");
const status = (more = {}) => ({
  folders: [{ trusted: true }],
  problems: [],
  warnings: [],
  instructions: { uri: "file:///a", applies: 2, tokens: 1234, leftOut: 1, counter: "exact" },
  ...more,
});
await t.check("status bar: count and tokens, exact or about", () => {
  const item = itemFor("a.go", status(), undefined, fill);
  assert.equal(item.text, "$(book) 2 instructions · 1,234 tokens");
  assert.equal(item.label, "Foreword: 2 instructions, 1,234 tokens");
  assert.match(item.tooltip, /1 more were found/);
  assert.equal(
    itemFor("a", status({ instructions: { applies: 1, tokens: 1, leftOut: 0, counter: "estimate" } }), undefined, fill)
      .text,
    "$(book) 1 instruction · 1 token",
  );
  assert.match(
    itemFor("a", status({ instructions: { applies: 0, tokens: 7, leftOut: 0, counter: "estimate" } }), undefined, fill)
      .text,
    /0 instructions · ~7 tokens/,
  );
  assert.equal(itemFor("a", status({ instructions: undefined }), undefined, fill), undefined);
});
await t.check("status bar: restricted, busy, problems", () => {
  assert.match(
    itemFor("a", status({ folders: [{ trusted: true }, { trusted: false }] }), undefined, fill).label,
    /Restricted Mode/,
  );
  assert.match(itemFor("a", status(), { kind: "info", busy: true, message: "Scanning" }, fill).tooltip, /Scanning/);
  const item = itemFor(
    "a",
    status({ problems: [{ severity: "error", message: "foreword.toml:3: no such key" }] }),
    undefined,
    fill,
  );
  assert.equal(item.kind, "warning");
  assert.match(item.tooltip, /no such key/);
});
await t.check("status bar: a file's name makes no link and no icon", () => {
  const item = itemFor("[x](command:evil) $(bug)", status(), undefined, fill);
  assert.doesNotMatch(item.tooltip, /\[x\]\(command:evil\)|[^\\]\$\(bug\)/);
  assert.doesNotMatch(itemWithout("[x](command:evil)", fill).tooltip, /\[x\]\(/);
});
await t.check("status bar: without a server", () => {
  assert.equal(itemWhile({ kind: "missing", message: "gone" }, fill).kind, "error");
  assert.match(itemWhile({ kind: "failed", message: "broken" }, fill).label, /broken/);
  assert.match(itemWhile({ kind: "starting" }, fill).label, /starting/);
});

const { statusPage } = await load("status_page");
await t.check("status page: everything that is known, and nothing of a name becomes markup", () => {
  const page = statusPage(
    {
      server: "0.1.0",
      go: "go1.26",
      platform: "linux amd64",
      profile: "foreword",
      watcher: "client",
      buffers: 2,
      sessions: 0,
      warnings: [],
      folders: [
        { uri: "file:///w/a%20b", name: "a | b", trusted: false, repository: "file:///w/a%20b", branch: "ma`in" },
      ],
      settings: [{ key: "exclude", value: ["a|b"], origin: "user ~/.config/foreword/foreword.toml:3" }],
      caches: [{ name: "files", entries: 1, hits: 2, misses: 3 }],
      instructions: { uri: "file:///w/x.go", applies: 1, tokens: 2, leftOut: 3, counter: "exact" },
      problems: [{ severity: "warning", message: "unknown key <b>", uri: "file:///w/foreword.toml", line: 5 }],
    },
    { file: "/usr/bin/foreword", origin: "path" },
    fill,
  );
  for (const part of [
    "`/usr/bin/foreword` (found on the PATH)",
    "no, restricted",
    "``",
    "a \\| b",
    '`["a\\|b"]`',
    "user \\~/.config/foreword/foreword.toml:3",
    "#L5",
    "unknown key \\<b\\>",
    "1 instruction files apply",
  ]) {
    assert.ok(page.includes(part), `${part} is not in\n${page}`);
  }
});

const manifest = JSON.parse(read("package.json"));
const settings = Object.keys(manifest.contributes.configuration.properties).map((key) =>
  key.replace(/^foreword\./, ""),
);
// Key, default, and what a workspace's file may do, of what an editor may set: the last column says so.
const rows = [
  ...fs
    .readFileSync(path.join(root, "docs/settings.md"), "utf8")
    .matchAll(/^\| `([\w.]+)` \| [^|]+ \| (?:`([^`]*)`|none) \| .* \| ([^|]+) \| yes \|$/gm),
];
await t.check("manifest: the settings are those of docs/settings.md, with their defaults", () => {
  assert.ok(rows.length > 5, "docs/settings.md has another form now");
  assert.deepEqual(
    settings.filter((key) => !/^(server\.path|trace\.server|chat\..*)$/.test(key)).sort(),
    rows.map((row) => row[1]).sort(),
  );
  for (const [, key, value] of rows)
    assert.deepEqual(manifest.contributes.configuration.properties[`foreword.${key}`].default, JSON.parse(value), key);
});
await t.check("settings.ts sends just those", () => {
  const [, list] = /serverSettings = \[([\s\S]*?)\]/.exec(read("src/settings.ts"));
  assert.deepEqual(
    [...list.matchAll(/"([\w.]+)"/g)].map((m) => m[1]),
    settings.filter((key) => !/^(server\.path|trace\.server|chat\..*)$/.test(key)).sort(),
  );
});
await t.check("manifest: every %key% has its text, and every text its use", () => {
  const used = new Set([...read("package.json").matchAll(/%([\w.]+)%/g)].map((m) => m[1]));
  assert.deepEqual(Object.keys(JSON.parse(read("package.nls.json"))).sort(), [...used].sort());
});
await t.check("manifest: what a workspace must not set is restricted", () => {
  const properties = manifest.contributes.configuration.properties;
  const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  assert.equal(properties["foreword.server.path"].scope, "machine");
  const scopes = { yes: 0, never: 0, "once the folder is trusted": 0 };
  for (const [, key, , may] of rows) {
    scopes[may]++;
    if (may === "never") assert.equal(properties[`foreword.${key}`].scope, "machine", key);
    if (may === "once the folder is trusted") assert.ok(restricted.includes(`foreword.${key}`), key);
  }
  assert.ok(Object.values(scopes).every((n) => n > 0) && Object.keys(scopes).length === 3, JSON.stringify(scopes));
});
await t.check("l10n: the bundle has every text of the sources; npm run l10n writes it", () => {
  assert.deepEqual(JSON.parse(fs.readFileSync(bundle, "utf8")), texts());
});

t.done();
