// Runs inside VS Code's extension host, which calls run: the tools that models get, the commands, the pages. Then it
// waits for the file that the outside writes when it has looked at the view, since the window closes after run.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const out = process.env.FOREWORD_SURFACES_OUT;
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
  for (const end = Date.now() + patience; ; ) {
    const value = await fn();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out after ${patience} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

exports.run = async () => {
  const run = vscode.commands.executeCommand;
  const root = vscode.workspace.workspaceFolders[0].uri;
  const file = (name) => vscode.Uri.joinPath(root, name);
  const extension = vscode.extensions.getExtension("foreword.foreword");
  const began = performance.now();
  await extension.activate();
  say(`# activated, with the server started, in ${Math.round(performance.now() - began)} ms`);

  const invoke = async (name, input) => {
    const source = new vscode.CancellationTokenSource();
    const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token);
    return result.content.map(({ value }) => value).join("");
  };

  await check("the tools are there with the schemas of the manifest", () => {
    const declared = extension.packageJSON.contributes.languageModelTools;
    assert.equal(declared.length, 3);
    for (const { name, inputSchema, modelDescription } of declared) {
      const tool = vscode.lm.tools.find((one) => one.name === name);
      assert.ok(tool, name);
      assert.deepEqual(tool.inputSchema, inputSchema);
      assert.equal(tool.description, modelDescription);
    }
  });

  await check("foreword_read gives unsaved text and the instructions of its folders, each time anew", async () => {
    const document = await vscode.workspace.openTextDocument(file("pay/pay.go"));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), "// not saved yet\n");
    await vscode.workspace.applyEdit(edit);
    await until("the unsaved text", async () => /not saved yet/.test(await invoke("foreword_read", { path: "pay/pay.go" })));
    const said = await invoke("foreword_read", { path: "pay/pay.go" });
    assert.match(said, /func Total/);
    assert.ok(said.indexOf("func Total") < said.indexOf("Never log a card number."), said);
    assert.doesNotMatch(said, /ten years old/);
    const { sessions } = await run("foreword.session.list", {});
    assert.deepEqual(sessions, [], "the tool left a session behind");
  });

  await check("foreword_explain and foreword_prompt answer for a file, and say what is wrong with a path", async () => {
    assert.match(await invoke("foreword_explain", { path: "pay/pay.go" }), /pay\/AGENTS\.md/);
    assert.match(await invoke("foreword_prompt", { path: file("web/cart.ts").fsPath }), /ten years old/);
    await assert.rejects(invoke("foreword_explain", { path: "nowhere.go" }), /nowhere\.go/);
  });

  await check("the prompt is copied as it would be sent", async () => {
    await run("foreword.copyPrompt", file("web/cart.ts"));
    const { messages } = await run("foreword.prompt.build", { uri: file("web/cart.ts").toString() });
    assert.equal(await vscode.env.clipboard.readText(), messages.map(({ content }) => content).join("\n\n"));
  });

  await check("the check shows what is wrong in files that are not open", async () => {
    const broken = file(".cursor/rules/broken.mdc");
    fs.mkdirSync(path.dirname(broken.fsPath), { recursive: true });
    fs.writeFileSync(broken.fsPath, "---\nglobs: [\n---\nUse tabs.\n");
    const mine = () =>
      vscode.languages.getDiagnostics(broken).filter(({ source }) => source === "foreword");
    await until("a problem", async () => {
      await run("foreword.check");
      return mine().length > 0;
    });
    return mine()[0].message;
  });

  await check("a new AGENTS.md is opened, and not written before it is saved", async () => {
    const lib = file("lib");
    fs.mkdirSync(lib.fsPath);
    await run("foreword.createInstructions", lib);
    const { document } = vscode.window.activeTextEditor;
    assert.equal(document.uri.path, file("lib/AGENTS.md").path);
    assert.match(document.getText(), /^# lib\n/);
    assert.ok(!fs.existsSync(file("lib/AGENTS.md").fsPath));
    await run("workbench.action.revertAndCloseActiveEditor");
    await run("foreword.createInstructions", file("pay/pay.go"));
    assert.equal(vscode.window.activeTextEditor.document.uri.toString(), file("pay/AGENTS.md").toString());
  });

  await check("the page of skills is read-only Markdown", async () => {
    fs.mkdirSync(file(".claude/skills/round").fsPath, { recursive: true });
    fs.writeFileSync(
      file(".claude/skills/round/SKILL.md").fsPath,
      "---\nname: round\ndescription: Rounds money as the bank does.\n---\nRound half to even.\n",
    );
    const page = await until("the page", async () => {
      await run("foreword.skills.show", file("pay/pay.go"));
      return vscode.window.visibleTextEditors
        .map(({ document }) => document)
        .find((document) => document.uri.scheme === "foreword-report" && /Rounds money/.test(document.getText()));
    });
    assert.match(page.getText(), /## round/);
  });

  await check("a session's page and the account of its cache", async () => {
    const turn = async (id, said) =>
      run("foreword.turn.prepare", {
        uri: file("pay/pay.go").toString(),
        session: "pay",
        wire: "text",
        messages: [{ id, role: "user", content: said }],
      });
    await turn("1", "How is money rounded?");
    await run("foreword.sessions.show", "pay");
    await run("foreword.sessions.compare", "pay");
    const { text: shown } = await run("foreword.prompt.diff", { session: "pay" });
    const pages = await until("both pages", () => {
      const found = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === "foreword-report");
      const texts = found.map((document) => document.getText());
      return texts.some((text) => /How is money rounded/.test(text)) && texts.length >= 3 && texts;
    });
    assert.ok(pages.some((text) => text === shown), pages.join("\n---\n"));
    await run("foreword.sessions.rebase", "pay");
    const { epochs } = await run("foreword.session.show", { session: "pay" });
    assert.match(epochs.at(-1).due, /asked for by the user/);
  });

  await check("activation has made no view ask for anything: the chat is not loaded", () => {
    const loaded = Object.keys(require.cache).filter((name) => name.endsWith("chat_panel.js"));
    assert.deepEqual(loaded, []);
  });

  await vscode.window.showTextDocument(file("pay/pay.go"), { viewColumn: vscode.ViewColumn.One });
  say(`${passed} passed, ${failed} failed`);
  while (!fs.existsSync(`${out}.done`)) await new Promise((resolve) => setTimeout(resolve, 200));
};
