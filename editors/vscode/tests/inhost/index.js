// Runs inside VS Code's extension host, which calls run: what other extensions and the editor itself are answered.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const out = process.env.FOREWORD_INHOST_OUT;
const patience = 90_000; // ms; the machine may have more to do than this
const say = (line) => fs.appendFileSync(out, `${line}\n`);
let passed = 0;
let failed = 0;

async function check(name, fn) {
  try {
    const note = await fn();
    passed++;
    say(`ok - ${name}` + (note === undefined ? "" : `  # ${String(note).replaceAll("\n", " ").slice(0, 160)}`));
  } catch (error) {
    failed++;
    say(`not ok - ${name}\n${String(error?.stack ?? error).replace(/^/gm, "    ")}`);
  }
}

async function until(what, fn) {
  for (const end = Date.now() + patience; ;) {
    const value = await fn();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out after ${patience} ms: ${what}\n${picture()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// What the editor shows now, for the reader of a failed run.
function picture() {
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const texts = vscode.window.visibleTextEditors.map(({ document }) => {
    const text = document.getText();
    const clipped = text.length > 3000 ? `${text.slice(0, 3000)}… (${text.length} characters)` : text;
    return `--- ${document.uri.path}${document.isDirty ? " (unsaved)" : ""}\n${clipped}`;
  });
  return [`active: ${active}`, ...texts].join("\n");
}

exports.run = async () => {
  const run = vscode.commands.executeCommand;
  const root = vscode.workspace.workspaceFolders[0].uri;
  const file = (name) => vscode.Uri.joinPath(root, name);
  const open = async (name) => {
    const document = await vscode.workspace.openTextDocument(file(name));
    return vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  };
  const first = new vscode.Position(0, 0);
  const text = (hovers) => hovers.flatMap((hover) => hover.contents.map((content) => content.value)).join("\n");
  const extension = vscode.extensions.getExtension("foreword.foreword");

  await check("the extension activates", async () => {
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  await check("every command of the manifest is registered", async () => {
    const all = await vscode.commands.getCommands(true);
    for (const { command } of extension.packageJSON.contributes.commands) assert.ok(all.includes(command), command);
  });

  await check("the commands of the server can be asked by other extensions", async () => {
    const status = await run("foreword.status", { uri: file("pay/pay.go").toString() });
    assert.equal(status.version, 1);
    assert.equal(status.instructions.applies, 3);
    assert.equal(status.folders[0].trusted, true);
    const prompt = await run("foreword.prompt.build", { uri: file("pay/pay.go").toString() });
    assert.ok(prompt.sections.some((section) => section.key === "instructions/pay/AGENTS.md"));
    await assert.rejects(run("foreword.status", { uir: "x" }), /did you mean "uri"/);
  });

  await check("another extension adds sections to prompts", async () => {
    const uri = file("pay/pay.go").toString();
    const api = extension.exports;
    const registered = api.registerSectionProvider("notes", {
      provideSections: async (prompt) => ({
        add: [{ key: "today", title: "Notes", text: `Mind the gap in ${prompt.uri.split("/").pop()}.` }],
        edit: [{ key: "core/date", text: "No day." }],
      }),
    });
    const broken = api.registerSectionProvider("broken", {
      provideSections: () => Promise.reject(new Error("no luck")),
    });
    const section = (prompt, key) => prompt.sections.find((one) => one.key === key)?.text;
    const prompt = await run("foreword.prompt.build", { uri });
    assert.equal(section(prompt, "hook/editor/notes/today"), "Mind the gap in pay.go.");
    assert.equal(section(prompt, "core/date"), "No day.");
    assert.ok(prompt.warnings.some(({ message }) => /provider broken: no luck/.test(message)));
    registered.dispose();
    broken.dispose();
    const after = await run("foreword.prompt.build", { uri });
    assert.equal(section(after, "hook/editor/notes/today"), undefined);
    assert.deepEqual(after.hooks, []);
    assert.throws(() => api.registerSectionProvider("a b", { provideSections: () => null }), /letters, digits/);
  });

  await check("executeHoverProvider: on line 1 the instructions in order, elsewhere nothing of ours", async () => {
    const editor = await open("pay/pay.go");
    const hover = text(await run("vscode.executeHoverProvider", editor.document.uri, first));
    const order = ["[`AGENTS.md`]", "[`CLAUDE.md`]", "[`pay/AGENTS.md`]"].map((name) => hover.indexOf(name));
    assert.ok(order[0] >= 0 && order[0] < order[1] && order[1] < order[2], hover);
    assert.doesNotMatch(
      text(await run("vscode.executeHoverProvider", editor.document.uri, new vscode.Position(3, 6))),
      /instruction file/,
    );
    return hover;
  });

  await check("executeCodeActionProvider: preview and explain, with commands of the client", async () => {
    const actions = await run("vscode.executeCodeActionProvider", file("pay/pay.go"), new vscode.Range(first, first));
    const ours = actions.filter((action) => action.kind?.value.startsWith("foreword"));
    assert.deepEqual(
      ours.map((action) => [action.title, action.command.command]),
      [
        ["Preview the prompt for this file", "foreword.client.showPreview"],
        ["Explain instructions for this file", "foreword.client.showExplain"],
      ],
    );
  });

  await check("executeCodeLensProvider: above an instruction file, not above others", async () => {
    await open("pay/AGENTS.md");
    const lenses = await run("vscode.executeCodeLensProvider", file("pay/AGENTS.md"), 10);
    assert.equal(lenses.length, 1);
    assert.match(lenses[0].command.title, /^applies to 2 files · \d+ tokens/);
    assert.equal(lenses[0].command.command, "foreword.client.showExplain");
    const others = await run("vscode.executeCodeLensProvider", file("pay/pay.go"), 10);
    assert.ok(!others.some((lens) => lens.command?.command.startsWith("foreword")));
    return lenses[0].command.title;
  });

  await check("what extensions find in open files is told, until it is mended", async () => {
    const told = async () => {
      const { sections } = await run("foreword.prompt.build", { uri: file("pay/AGENTS.md").toString() });
      return sections.find((section) => section.key === "core/diagnostics")?.text ?? "";
    };
    const linter = vscode.languages.createDiagnosticCollection("linter");
    const problem = new vscode.Diagnostic(new vscode.Range(2, 0, 2, 4), "wrong\nword", vscode.DiagnosticSeverity.Warning);
    problem.source = "linter";
    linter.set(file("pay/pay.go"), [problem]);
    await open("pay/pay.go");
    const text = await until("the problem", async () => /pay\/pay\.go:3: warning: wrong word \[linter\]/.exec(await told()));
    linter.clear();
    await until("it to be gone", async () => !(await told()).includes("wrong word"));
    linter.dispose();
    return text[0];
  });

  const shown = (scheme) =>
    vscode.window.visibleTextEditors
      .map((editor) => editor.document)
      .find((document) => document.uri.scheme === scheme);

  await check("foreword.preview shows the document that the server serves", async () => {
    await open("pay/pay.go");
    await run("foreword.preview");
    const document = await until("the preview", () => shown("foreword-preview"));
    const { markdown } = await run("foreword.prompt.preview", { uri: file("pay/pay.go").toString() });
    await until("the same text", () => document.getText() === markdown);
    assert.equal(document.languageId, "markdown");
    assert.equal(vscode.window.activeTextEditor.viewColumn, vscode.ViewColumn.Two);
  });

  await check("the preview follows an edit that is not saved, and undo", async () => {
    const document = shown("foreword-preview");
    const editor = await open("pay/AGENTS.md");
    await editor.edit((edit) => edit.insert(first, "Round half to even.\n"));
    await until("the edit in the preview", () => document.getText().includes("Round half to even.\nMoney is"));
    assert.equal(editor.document.isDirty, true);
    await run("undo");
    await until("the edit to be gone", () => !document.getText().includes("Round half to even."));
  });

  await check("the preview follows a file that is changed on disk", async () => {
    const document = shown("foreword-preview");
    const agents = path.join(root.fsPath, "AGENTS.md");
    const before = fs.readFileSync(agents, "utf8");
    fs.writeFileSync(agents, `${before}Written by another program.\n`);
    await until("the change in the preview", () => document.getText().includes("Written by another program."));
    fs.writeFileSync(agents, before);
  });

  await check("the preview follows a setting, and a default does not win over foreword.toml", async () => {
    const document = shown("foreword-preview");
    const toml = path.join(root.fsPath, "foreword.toml");
    fs.writeFileSync(toml, 'model = "claude-sonnet-4-5"\n');
    await until("the model of foreword.toml", () => document.getText().includes("claude-sonnet-4-5"));
    const section = vscode.workspace.getConfiguration("foreword");
    await section.update("model", "gpt-5", vscode.ConfigurationTarget.Workspace);
    await until("the model of the settings", () => document.getText().includes("gpt-5"));
    await section.update("model", undefined, vscode.ConfigurationTarget.Workspace);
    await until("the model of foreword.toml again", () => document.getText().includes("claude-sonnet-4-5"));
    fs.rmSync(toml);
  });

  await check("a workspace adds to what the user excludes, and takes nothing from it", async () => {
    const section = vscode.workspace.getConfiguration("foreword");
    await section.update("exclude", ["*.pem"], vscode.ConfigurationTarget.Global);
    await section.update("exclude", ["*.gen.go"], vscode.ConfigurationTarget.Workspace);
    await until("both lists", async () => {
      const { settings } = await run("foreword.status", {});
      return JSON.stringify(settings.find((setting) => setting.key === "exclude").value) === '["*.pem","*.gen.go"]';
    });
    for (const target of [vscode.ConfigurationTarget.Global, vscode.ConfigurationTarget.Workspace])
      await section.update("exclude", undefined, target);
  });

  await check("Go to Definition leads from the preview to the line of the instruction file", async () => {
    const document = shown("foreword-preview");
    const line = document.getText().split("\n").indexOf("Never log a card number.");
    assert.ok(line > 0);
    const [place] = await run("vscode.executeDefinitionProvider", document.uri, new vscode.Position(line, 3));
    assert.equal(place.uri.toString(), file("pay/AGENTS.md").toString());
    assert.equal(place.range.start.line, 1);
  });

  await check("foreword.explain from the preview is about the file behind it", async () => {
    await vscode.window.showTextDocument(shown("foreword-preview"));
    await run("foreword.explain");
    const document = await until("the explanation", () => shown("foreword-explain"));
    assert.match(document.getText(), /^# Instructions for `pay\/pay\.go`/);
  });

  await check(
    "foreword.preview of a file given, as the menus do, with spaces and other letters in its name",
    async () => {
      const name = "web/größe & co #1.ts";
      fs.writeFileSync(path.join(root.fsPath, name), "export {};\n");
      await run("foreword.preview", file(name));
      const document = await until("the preview", () =>
        vscode.window.visibleTextEditors.map((editor) => editor.document).find((d) => d.uri.path.includes("größe")),
      );
      assert.match(document.getText(), /ten years old/);
      assert.ok(document.getText().includes(name), document.getText().slice(0, 200));
    },
  );

  await check("an untitled document has the instructions of the folder", async () => {
    const document = await vscode.workspace.openTextDocument({ content: "x" });
    await vscode.window.showTextDocument(document);
    const status = await run("foreword.status", { uri: document.uri.toString() });
    assert.equal(status.instructions.applies, 2);
  });

  await check("the server is restarted, and its commands are there again", async () => {
    await run("foreword.restartServer");
    const status = await run("foreword.status", { uri: file("pay/pay.go").toString() });
    assert.equal(status.instructions.applies, 3);
  });

  await check("the preview follows an edit that was made while the server was started again", async () => {
    await open("pay/pay.go");
    await run("foreword.preview");
    const document = await until("the preview", () =>
      vscode.window.visibleTextEditors
        .map((editor) => editor.document)
        .find((d) => d.uri.scheme === "foreword-preview" && d.uri.path.endsWith("/pay/pay.go.prompt.md")),
    );
    const editor = await open("pay/AGENTS.md");
    // From before the old server has gone to after the new one runs.
    const restarted = run("foreword.restartServer");
    let running = false;
    void restarted.then(() => (running = true));
    let last = "";
    for (let n = 1; !running || n < 5; n++) {
      last = `Edit ${n} over a restart.`;
      await editor.edit((edit) => edit.insert(first, `${last}\n`));
    }
    await restarted;
    await until("the last edit in the preview", () => document.getText().includes(last));
    return last;
  });

  say(`${passed} passed, ${failed} failed`);
};
