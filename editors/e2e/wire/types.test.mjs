// types.test.mjs FOLDER: every body in FOLDER, as a literal of the type that the provider's own client has for it.
// That a wrong body would be noticed is tried too: each object of the bodies is given a field that does not exist, each
// type and role another value, and the compiler has to refuse every one of them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { tally } from "../tally.mjs";

const here = import.meta.dirname;
const folder = process.argv[2];
const wires = ["anthropic", "gemini", "ollama", "openai-chat", "openai-responses", "vscode-lm"];

// What stands below these keys is the tools' own: arguments, results and schemas.
const free = new Set(["input", "args", "arguments", "response", "parameters", "input_schema", "inputSchema", "parametersJsonSchema", "modelOptions"]);
// Where the provider's type takes anything.
const anything = { anthropic: ["input"], gemini: ["parametersJsonSchema"] };

// wrongs are copies of a body with one mistake each, one of a kind: seen holds the kinds that were made already.
function wrongs(wire, body, seen) {
  const made = [];
  const mistake = (what, at, change) => {
    if (seen.has(what)) return;
    seen.add(what);
    const copy = structuredClone(body);
    change(at.reduce((node, key) => node[key], copy));
    made.push({ name: what, body: copy });
  };
  const walk = (node, at) => {
    if (Array.isArray(node)) return node.forEach((item, i) => walk(item, [...at, i]));
    if (node === null || typeof node !== "object") return;
    const kind = `${at.map((key) => (typeof key === "number" ? "[]" : key)).join(".")} ${node.role ?? ""} ${node.type ?? ""}{${Object.keys(node).sort()}}`;
    mistake(`${kind} with a field too many`, at, (copy) => { copy.no_such_field = true; });
    for (const key of ["role", "type"]) {
      if (typeof node[key] === "string") mistake(`${kind} with another ${key}`, at, (copy) => { copy[key] = "nonsense"; });
    }
    for (const [key, value] of Object.entries(node)) {
      if (!anything[wire]?.includes(key)) mistake(`${kind} with another kind of ${key}`, at, (copy) => { copy[key] = typeof value === "boolean" ? 1 : true; });
      if (!free.has(key)) walk(value, [...at, key]);
    }
  };
  walk(body, []);
  return made;
}

// compile is the compiler's complaints, by the name of what they are about.
function compile(wire, list, type) {
  const file = path.join(work, `${wire}-${type}.ts`);
  const head = `import type { Bodies } from "${path.relative(work, path.join(here, "bodies.ts")).replace(/\.ts$/, ".js")}";\n`;
  fs.writeFileSync(file, head + list.map(({ body }, i) => `export const b${i}: Bodies["${wire}"] = ${JSON.stringify(body)};\n`).join(""));
  const complaints = new Map();
  try {
    execFileSync(path.join(here, "node_modules/.bin/tsc"), ["--ignoreConfig", "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck",
      "--module", "nodenext", "--target", "esnext", "--types", "vscode", "--pretty", "false", file], { cwd: here, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (e) {
    if (!e.stdout) throw e;
    for (const line of e.stdout.split("\n")) {
      const at = /\((\d+),(\d+)\): error (.*)/.exec(line);
      if (line.startsWith(" ") || line === "") continue;
      if (!at || !line.includes(path.basename(file)) || +at[1] < 2) throw new Error(`outside of the bodies: ${line}`);
      const { name, body } = list[at[1] - 2];
      const literal = `export const b${at[1] - 2}: Bodies["${wire}"] = ${JSON.stringify(body)}`;
      complaints.set(name, `${at[3]}\n      at ${literal.slice(Math.max(0, at[2] - 60), +at[2] + 160)}`);
    }
  }
  return complaints;
}

fs.mkdirSync(path.join(here, "dist"), { recursive: true });
const work = fs.mkdtempSync(path.join(here, "dist", "bodies-"));
const t = tally();
for (const wire of wires) {
  const bodies = JSON.parse(fs.readFileSync(path.join(folder, `${wire}.json`), "utf8"));
  await t.check(`${wire}: every body is of the provider's type`, () => {
    const complaints = compile(wire, bodies, "bodies");
    assert.equal(complaints.size, 0, [...complaints].slice(0, 8).map(([name, text]) => `${name}: ${text}`).join("\n"));
    return `${bodies.length} bodies`;
  });
  await t.check(`${wire}: a wrong body is refused`, () => {
    const seen = new Set();
    const list = bodies.flatMap(({ body }) => wrongs(wire, body, seen));
    const complaints = compile(wire, list, "wrong");
    const taken = list.filter(({ name }) => !complaints.has(name)).map(({ name }) => name);
    assert.deepEqual(taken, []);
    return `${list.length} mistakes`;
  });
}
fs.rmSync(work, { recursive: true });
t.done();
