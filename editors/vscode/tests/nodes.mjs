// The rows of the view "Instructions", and the pages of sessions and skills, without an editor.

import assert from "node:assert/strict";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { tally } from "../../e2e/tally.mjs";

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// Without "vscode" among the externals: a part that came to need it would not be pure any more, and fails here.
async function load(name) {
  const entryPoints = [path.join(extension, `src/${name}.ts`)];
  const { outputFiles } = await build({ entryPoints, bundle: true, platform: "node", format: "esm", write: false });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

const t = tally();
const fill = (message, ...parts) => message.replace(/\{(\d+)\}/g, (_, i) => String(parts[i]));
const { roots, toolNodes, listNodes, wanted, stateName } = await load("instruction_nodes");
const { sessionPage, skillsPage } = await load("session_page");

const rule = { tool: "Foreword", versions: "all", source: "docs/instructions.md", checked: "2026-11-30" };
const entry = (name, state, more = {}) => ({
  uri: `file:///w/${name}`,
  path: name,
  sent: state === "sent" || state === "truncated",
  state,
  order: 0,
  why: `why of ${name}`,
  rule,
  kind: "agents",
  scope: ".",
  bytes: 9,
  truncated: state === "truncated",
  tokens: 7,
  ...more,
});
const result = {
  tokens: 21,
  entries: [
    entry("AGENTS.md", "sent", { order: 1 }),
    entry("big.md", "truncated", { order: 2, cut: { byte: 99, line: 12 } }),
    entry("pay/AGENTS.md", "sent", { order: 3, dirty: true }),
    entry("b|ad*.md", "needs-trust"),
    entry("web/AGENTS.md", "on-read"),
    entry("CLAUDE.md", "shadowed", { sameAs: "AGENTS.md" }),
  ],
};

await t.check("the rows of a file are by state, what is sent first and in order", () => {
  const [here, ...more] = roots("pay.go", result, fill);
  assert.equal(here.description, "3 sent · 21 tokens");
  assert.deepEqual(
    here.children.map(({ label, children, expanded }) => [label, children.map((child) => child.label), expanded]),
    [
      ["Sent", ["AGENTS.md", "pay/AGENTS.md"], true],
      ["Sent in part", ["big.md"], true],
      ["Sent when a file below it is read", ["web/AGENTS.md"], false],
      ["Needs a trusted workspace", ["b|ad*.md"], false],
      ["Shadowed by another file", ["CLAUDE.md"], false],
    ],
  );
  assert.deepEqual(more.map(({ ask }) => ask), ["tools", "workspace"]);
});

await t.check("a file opens where the tool stops reading it; its tooltip has reason and rule, and no foreign Markdown", () => {
  const [here] = roots("pay.go", result, fill);
  const file = (label) => here.children.flatMap(({ children }) => children).find((child) => child.label === label);
  assert.deepEqual(file("big.md").open, { uri: "file:///w/big.md", line: 12 });
  assert.equal(file("pay/AGENTS.md").description, "3 · 7 tokens");
  assert.match(file("pay/AGENTS.md").tooltip, /why of pay\/AGENTS\.md[\s\S]*Not saved[\s\S]*2026-11-30: docs\/instructions\.md/);
  assert.match(file("CLAUDE.md").tooltip, /Says the same as AGENTS\.md/);
  assert.ok(file("b|ad*.md").tooltip.startsWith("**b\\|ad\\*.md**"), file("b|ad*.md").tooltip);
});

await t.check("no two rows have the same id, and the badge counts what wants the user", () => {
  const ids = [];
  const walk = (nodes) => {
    for (const node of nodes ?? []) {
      ids.push(node.id);
      walk(node.children);
    }
  };
  const profiles = ["a", "b"].map((profile) => ({ profile, title: profile, tokens: 1, entries: result.entries }));
  walk(roots("pay.go", result, fill));
  walk(toolNodes({ profiles }, fill));
  walk(listNodes({ files: [{ ...entry("x.md", "sent"), reach: 2, tools: ["codex"], patterns: ["*.go"] }] }, fill));
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(wanted(result), 2);
  assert.equal(wanted(undefined), 0);
});

await t.check("without a file in front there are the tools and the workspace", () => {
  assert.deepEqual(roots(undefined, undefined, fill).map(({ id }) => id), ["tools", "workspace"]);
  assert.equal(stateName("unreadable", fill), "Cannot be read");
});

await t.check("a session's page holds its turns, what broke the cache, and what was told", () => {
  const page = sessionPage(
    {
      session: "s",
      title: "Round | it",
      turns: 2,
      updated: "2026-12-01T00:00:00Z",
      history: [
        { turn: 1, state: "finished", model: "m", input: 900, cachePredicted: 0, usage: { input: 900, output: 1, cacheRead: 0 } },
        { turn: 2, state: "failed", error: "429", input: 950, cachePredicted: 800, broken: "agents" },
      ],
      epochs: [{ number: 1, began: 1, because: "first", due: "the model changed" }],
      ledger: [{ turn: 1, how: "update", key: "date", tokens: 4, why: "midnight" }],
    },
    fill,
  );
  assert.match(page, /# Session Round \\\| it/);
  assert.match(page, /\| 1 \| finished \| m \| 900 \| 0 \| 0 \|  \|/);
  assert.match(page, /\| 2 \| failed: 429 \|  \| 950 \| 800 \|  \| agents \|/);
  assert.match(page, /- Turn 1: first; the next one: the model changed/);
  assert.match(page, /\| 1 \| update \| date \| 4 \| midnight \|/);
});

await t.check("the page of skills has each with its state and what is wrong", () => {
  const skill = { name: "round", description: "Rounds.", path: "a/SKILL.md", location: "file:///w/a/SKILL.md", tokens: 3 };
  const problems = [{ severity: "warning", message: "too long" }];
  assert.match(
    skillsPage({ skills: [{ ...skill, state: "manual", why: "it says so", problems }] }, fill),
    /## round[\s\S]*\[a\/SKILL\.md\]\(file:\/\/\/w\/a\/SKILL\.md\) · 3 tokens · manual: it says so[\s\S]*- warning: too long/,
  );
  assert.match(skillsPage({ skills: [] }, fill), /No skill was found/);
});

t.done();
