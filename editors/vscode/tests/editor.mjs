// The extension in a real VS Code, through its user interface: status bar, hover, preview, explain, code lens, code action.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { tally, until } from "../../e2e/tally.mjs";
import { startRig } from "../../e2e/vscode-rig.mjs";
import { files, makeRepository } from "./lib/repository.mjs";
import { drive, quiet } from "./lib/drive.mjs";

const patience = 90_000; // ms; the machine may have more to do than this
const repository = makeRepository();
const rig = await startRig({
  workspace: repository.root,
  settings: { ...quiet, "foreword.server.path": process.env.FOREWORD_BIN },
});
const t = tally({ timeout: 3 * patience, evidence: (name) => rig.evidence(name) });
const editor = drive(rig, patience);

const started = await t.check(
  "the status bar counts the instructions of the active file and their tokens",
  async () => {
    await rig.openFile("pay/pay.go");
    const label = await editor.status(/3 instructions, \d+ tokens/);
    await rig.shot("status");
    return label;
  },
);

if (!started) {
  await rig.stop(); // nothing below can work
  t.done();
}

await t.check("its tooltip has the same in words, and the way on", async () => {
  const tooltip = rig.page
    .locator(".workbench-hover-container .monaco-hover")
    .filter({ hasText: "What a model is told about pay.go" });
  // An item that is drawn anew under the mouse loses its tooltip: point at it again.
  const said = await until(
    "the tooltip",
    async () => {
      await rig.page.mouse.move(640, 400);
      await editor.item().hover();
      return tooltip
        .first()
        .innerText({ timeout: 5000 })
        .catch(() => "");
    },
    patience,
  );
  await rig.shot("tooltip");
  assert.match(said, /3 instructions, \d+ tokens \(exact\)/);
  assert.match(said, /Explain Instructions · Preview Prompt · Show Status/);
  await rig.page.mouse.move(640, 400);
});

await t.check("the hover on line 1 lists them in order", async () => {
  const hover = await editor.hover("package");
  await rig.shot("hover");
  const order = ["AGENTS.md", "CLAUDE.md", "pay/AGENTS.md"].map((name) =>
    hover.search(new RegExp(`(^|[\\s.])${name}`)),
  );
  assert.ok(order[0] >= 0 && order[0] < order[1] && order[1] < order[2], hover);
  assert.doesNotMatch(hover, /web\/AGENTS/);
  return hover;
});

await t.check("Foreword: Preview Prompt opens a document with sections and the text of the instructions", async () => {
  await rig.command("Foreword: Preview Prompt");
  const text = await editor.document(
    "pay.go.prompt.md",
    /Instructions from pay\/AGENTS\.md[\s\S]*Never log a card number/,
  );
  await rig.shot("preview");
  for (const section of [
    "Identity",
    "Environment",
    "Files of the workspace",
    "Instructions from AGENTS.md",
    "Cache boundary",
    "Date",
  ])
    assert.ok(text.includes(section), `${section} is not in\n${text}`);
  for (const line of [files["AGENTS.md"], files["CLAUDE.md"], files["pay/AGENTS.md"]].join("\n").split("\n"))
    assert.ok(text.includes(line), line);
  assert.ok(!text.includes(files["web/AGENTS.md"].trim()), "a sibling's instructions are in the prompt");
});

await t.check("the preview is read-only", async () => {
  await editor.focus("pay.go.prompt.md");
  await rig.type("scribble");
  await rig.page
    .getByRole("paragraph")
    .filter({ hasText: "Cannot edit in read-only editor" })
    .waitFor({ timeout: patience });
  await rig.page.keyboard.press("Escape");
  const text = await editor.copied("pay.go.prompt.md");
  assert.doesNotMatch(text, /scribble/);
  assert.equal(await rig.page.locator('.tab[data-resource-name="pay.go.prompt.md"].dirty').count(), 0);
});

await t.check("an edit of AGENTS.md that is not saved shows in the preview and in the status bar", async () => {
  const before = await editor.tokens();
  await editor.write("pay/AGENTS.md", 1, "Round half to even, as the bank does.");
  const text = await editor.document(
    "pay.go.prompt.md",
    /Round half to even, as the bank does\.\s+Money is an integer/,
  );
  await rig.shot("unsaved");
  assert.match(text, /unsaved|not saved/i);
  assert.equal(
    fs.readFileSync(path.join(repository.root, "pay/AGENTS.md"), "utf8"),
    files["pay/AGENTS.md"],
    "the file on disk has changed",
  );
  await editor.open("pay/pay.go", 1);
  const after = await until(
    "more tokens than before",
    async () => ((await editor.tokens()) > before ? editor.tokens() : 0),
    patience,
  );
  return `${before} -> ${after} tokens`;
});

await t.check("Foreword: Explain Instructions says why each file is in or out", async () => {
  await editor.status(/3 instructions/);
  await rig.command("Foreword: Explain Instructions");
  const text = await editor.document("pay.go.instructions.md", /pay\/AGENTS\.md/);
  await rig.shot("explain");
  assert.match(text, /in the directory of the file/);
});

await t.check("a click on the status bar opens the same document", async () => {
  await editor.close("pay.go.instructions.md");
  await editor.open("pay/pay.go", 1);
  await editor.status(/3 instructions/);
  await editor.item().click();
  await editor.document("pay.go.instructions.md", /in the directory of the file/);
});

await t.check("the code lens of AGENTS.md tells its reach, and leads to the explanation", async () => {
  await editor.open("pay/AGENTS.md", 1);
  const lens = rig.page.locator(".codelens-decoration a", { hasText: /applies to/ });
  await lens.first().waitFor({ timeout: patience });
  const title = await rig.text(lens.first());
  await rig.shot("lens");
  assert.match(title, /applies to \d+ files · \d+ tokens/);
  // A lens that is drawn anew under the mouse does nothing: click again.
  const explanation = rig.page.locator('.tab[data-resource-name="AGENTS.md.instructions.md"]').first();
  await until(
    "the explanation to open",
    async () => {
      await lens.first().click();
      return explanation.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    },
    patience,
  );
  await editor.document("AGENTS.md.instructions.md", /the root of the walk/);
  return title;
});

await t.check("the code action shows the preview", async () => {
  await editor.open("web/cart.ts", 1);
  const titles = await editor.actions();
  assert.ok(
    titles.some((title) => /Preview the prompt for this file/.test(title)),
    titles.join("; "),
  );
  assert.ok(
    titles.some((title) => /Explain instructions for this file/.test(title)),
    titles.join("; "),
  );
  await editor.actions("Preview the prompt for this file");
  await editor.document("cart.ts.prompt.md", /ten years old/);
  await rig.shot("action");
});

await t.check("nothing but the machine itself was asked for anything", () => assert.deepEqual([...rig.external], []));

await rig.stop();
repository.remove();
t.done();
