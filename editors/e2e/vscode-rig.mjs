// A real VS Code (code-server) in Debian's Chromium, driven with playwright-core. No test framework.
//
//   const rig = await startRig({ workspace, settings: { "foreword.path": process.env.FOREWORD_BIN } });
//   await rig.openFile("main.go"); console.log(await rig.hoverWord("package")); await rig.shot("hover"); await rig.stop();
//
// Paths come from the environment that .ci/test sets: FOREWORD_CODE_SERVER, FOREWORD_VSIX, FOREWORD_SHOTS, CHROMIUM.

import { chromium } from "playwright-core";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export const SETTINGS = {
  // No prompts, no network, no welcome pages.
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "update.showReleaseNotes": false,
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "npm.fetchOnlinePackageInfo": false,
  "json.schemaDownload.enable": false,
  "typescript.disableAutomaticTypeAcquisition": true,
  "git.autofetch": false,
  "git.openRepositoryInParentFolders": "never",
  "remote.autoForwardPorts": false,
  "window.confirmBeforeClose": "never",
  "files.simpleDialog.enable": true,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  // Steady pictures and timing.
  "editor.hover.delay": 100,
  "editor.minimap.enabled": false,
  "editor.cursorBlinking": "solid",
  "workbench.reduceMotion": "on",
  "workbench.editor.enablePreview": false,
  "editor.stickyScroll.enabled": false,
  "editor.wordBasedSuggestions": "off",
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.settings.enableNaturalLanguageSearch": false,
};

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const plain = (s) => s.replace(/\u00a0/g, " "); // Monaco draws spaces as U+00A0

function killGroup(pid) {
  try {
    process.kill(-pid, "SIGTERM");
  } catch {} // it has gone already
}

export async function startRig({
  workspace, // a folder
  bin = process.env.FOREWORD_CODE_SERVER,
  vsix = process.env.FOREWORD_VSIX ? [process.env.FOREWORD_VSIX] : [],
  settings = {},
  env = {},
  args = [], // more for code-server
  query = "", // more for the URL: a string, or a function of the port
  trust = false, // leave workspace trust switched on
  keep = false, // leave the temporary folder behind
}) {
  const tmp = fs.mkdtempSync(path.join(os.tmpdir(), "foreword-vscode-"));
  const [ud, exts, home] = ["ud", "exts", "home"].map((d) => path.join(tmp, d));
  for (const d of [path.join(ud, "User"), path.join(ud, "Machine"), exts, home]) fs.mkdirSync(d, { recursive: true });
  // Both: a setting of scope "machine" or "machine-overridable" (the server's path) counts only in Machine; in User it is a race.
  const all = { ...SETTINGS, ...(trust ? { "security.workspace.trust.enabled": true } : {}), ...settings };
  for (const d of ["User", "Machine"]) fs.writeFileSync(path.join(ud, d, "settings.json"), JSON.stringify(all, null, 1));

  const environment = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, ".config"),
    XDG_DATA_HOME: path.join(home, ".local/share"),
    XDG_STATE_HOME: path.join(home, ".local/state"),
    XDG_CACHE_HOME: path.join(home, ".cache"),
    EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: "", itemUrl: "", resourceUrlTemplate: "" }), // no marketplace
    ...env,
  };
  delete environment.VSCODE_IPC_HOOK_CLI; // else code-server opens the folder in an outer VS Code

  const base = ["--user-data-dir", ud, "--extensions-dir", exts, "--config", path.join(tmp, "config.yaml")];
  for (const v of vsix) execFileSync(bin, [...base, "--install-extension", v], { env: environment, stdio: ["ignore", "pipe", "pipe"] });

  const started = Date.now();
  const flags = ["--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry", "--disable-update-check"];
  if (!trust) flags.push("--disable-workspace-trust");
  flags.push("--disable-getting-started-override", "--disable-proxy");
  const server = spawn(bin, [...base, ...flags, ...args, workspace], { env: environment, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const stopServer = () => killGroup(server.pid);
  process.once("exit", stopServer);
  let log = "";
  for (const s of [server.stdout, server.stderr]) s.on("data", (d) => (log += d));
  let port; // a free one, which code-server finds and tells
  for (let i = 0; ; i++) {
    port = Number(/listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(log)?.[1]);
    try {
      if (port && (await fetch(`http://127.0.0.1:${port}/healthz`)).ok) break;
    } catch {} // not listening yet
    if (i > 900 || server.exitCode !== null) throw new Error("code-server did not start:\n" + log);
    await sleep(100);
  }

  const browser = await chromium.launchPersistentContext(path.join(tmp, "chrome"), {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    viewport: { width: 1280, height: 800 },
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  await browser.grantPermissions(["clipboard-read", "clipboard-write"], { origin: `http://127.0.0.1:${port}` });
  const page = browser.pages()[0] ?? (await browser.newPage());
  page.setDefaultTimeout(90_000); // the machine may have more to do than this
  const external = new Set();
  const consoleErrors = [];
  page.on("request", (r) => {
    const u = new URL(r.url());
    if (/^http/.test(u.protocol) && u.hostname !== "127.0.0.1") external.add(u.hostname);
  });
  page.on("console", (m) => {
    if (m.type() === "error") consoleErrors.push(m.text());
  });
  // Not page.route(): a fulfilled document makes Chromium's local network check refuse the websockets to 127.0.0.1.
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURI(workspace)}` + (typeof query === "function" ? query(port) : query));
  await page.waitForSelector(".monaco-workbench .part.statusbar").catch((error) => {
    throw new Error(`the workbench did not come up: ${error.message}\n${consoleErrors.join("\n")}\n${log}`);
  });

  const input = page.locator(".quick-input-widget input.input");
  const rows = page.locator(".quick-input-list .monaco-list-row");
  const quickInput = page.locator(".quick-input-widget");

  // Open the quick input with a key and fill it. The key does nothing while the widget of the question before is still
  // going away, and what is filled in would go away with it.
  async function ask(key, text) {
    await quickInput.waitFor({ state: "hidden" });
    await page.keyboard.press(key);
    await input.fill(text);
  }

  const rig = {
    page, port, tmp, ud, exts, home,
    external, // hosts other than 127.0.0.1 that the page asked
    consoleErrors,
    startMs: Date.now() - started,
    log: () => log,
    text: async (locator) => plain(await locator.innerText()),

    // Run a command of the palette by its whole title, "Foreword: Preview Prompt".
    async command(title) {
      await ask("F1", ">" + title);
      await rows.filter({ hasText: title }).first().click();
      // The command may put a question of its own into the same widget.
      await page.waitForFunction((filled) => {
        const widget = document.querySelector(".quick-input-widget");
        return !widget || widget.style.display === "none" || widget.querySelector("input.input")?.value !== filled;
      }, ">" + title);
    },

    // Open a file by name, or by path from the folder when several have the name, and wait until keys go to it.
    async openFile(name) {
      const base = path.basename(name), dir = path.dirname(name);
      const exactly = (s) => new RegExp(`^${s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
      await ask("Control+P", name);
      // The exact name: a recently opened "x.go.md" may stand above "x.go".
      let row = rows.filter({ has: page.locator(".label-name", { hasText: exactly(base) }) });
      if (dir !== ".") row = row.filter({ has: page.locator(".label-description", { hasText: dir }) });
      await row.first().click();
      await rig.focused(name);
    },

    // Wait until keys go to the text of a file, given by name or path; without one, to any text. Its tab is active
    // before: the text is still being fetched then, and what is typed goes nowhere, or to the file before.
    async focused(name = "") {
      await page.waitForFunction((end) => {
        const text = document.activeElement?.closest(".monaco-editor.focused");
        if (!text?.closest(".editor-group-container.active .editor-instance")) return false;
        const shown = decodeURIComponent(new URL(text.getAttribute("data-uri")).pathname);
        return end === "" || shown.endsWith(`/${end}`);
      }, name);
    },

    // Give the focus to a text that is shown, without the mouse: on a tab it brings up a tooltip that covers the text.
    async focus(name) {
      const tab = page.locator(`.tab[data-resource-name="${name}"]`).first();
      if (!(await tab.evaluate((tab) => tab.classList.contains("active")))) {
        await tab.click();
        await page.mouse.move(640, 798);
      }
      await page.waitForFunction((end) => {
        for (const text of document.querySelectorAll(".editor-instance .monaco-editor[data-uri]")) {
          if (!decodeURIComponent(new URL(text.getAttribute("data-uri")).pathname).endsWith(`/${end}`)) continue;
          if (text.getClientRects().length === 0) continue;
          text.querySelector(".native-edit-context, textarea.inputarea")?.focus();
          return text.contains(document.activeElement);
        }
        return false;
      }, name);
      await rig.focused(name);
    },

    async gotoLine(line, column = 1) {
      await rig.focused();
      await ask("Control+G", `:${line}:${column}`);
      await page.keyboard.press("Enter");
      await quickInput.waitFor({ state: "hidden" });
      await rig.focused();
    },

    // Type into the editor that has the focus, without completions or auto-closing getting in between.
    async type(text) {
      await rig.focused();
      await page.keyboard.insertText(text);
    },

    // The hover's text with the mouse over the nth occurrence of a word in the active editor.
    async hoverWord(word, nth = 0) {
      const box = await page.evaluate(
        ([word, nth]) => {
          // Tokens are spans, so the word's own rectangle comes from a Range.
          const root = document.querySelector(".editor-group-container.active .editor-instance .view-lines") ?? document.querySelector(".editor-instance .view-lines");
          const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
          for (let node; (node = walker.nextNode()); ) {
            for (let i = -1; (i = node.data.indexOf(word, i + 1)) >= 0; ) {
              if (nth-- > 0) continue;
              const range = document.createRange();
              range.setStart(node, i);
              range.setEnd(node, i + word.length);
              const b = range.getBoundingClientRect();
              return { x: b.x + b.width / 2, y: b.y + b.height / 2 };
            }
          }
          return null;
        },
        [word, nth],
      );
      if (!box) throw new Error(`the word ${word} is not on the screen`);
      const shown = ".monaco-hover:not(.hidden) .monaco-hover-content";
      // A hover left open would be read as the new one.
      await page.keyboard.press("Escape");
      await page.mouse.move(640, 798);
      await page.waitForFunction((s) => !document.querySelector(s), shown);
      await page.mouse.move(box.x - 3, box.y);
      await page.mouse.move(box.x, box.y, { steps: 4 });
      await page.locator(shown).first().waitFor({ timeout: 15_000 });
      await page.waitForFunction((s) => !/Loading/.test(document.querySelector(s)?.textContent ?? "Loading"), shown);
      return rig.text(page.locator(shown).first());
    },

    // The titles in the code action menu at the cursor; with a title, that one is chosen.
    async codeAction(title) {
      const actions = page.locator(".action-widget .monaco-list-row.action");
      // Just after an edit the document can be "not in sync" and nothing opens: try again.
      for (let i = 0; ; i++) {
        await page.keyboard.press("Control+.");
        try {
          await actions.first().waitFor({ timeout: 3000 });
          break;
        } catch (e) {
          if (i === 4) throw e;
          await page.keyboard.press("Escape");
        }
      }
      const titles = (await actions.allInnerTexts()).map((t) => plain(t).trim());
      if (title) {
        // An invisible block covers the menu until the mouse has moved.
        await page.mouse.move(2, 400);
        await page.mouse.move(4, 402);
        await actions.filter({ hasText: title }).first().click();
      } else {
        await page.keyboard.press("Escape");
      }
      return titles;
    },

    // The lines of the active editor that are on the screen, in order.
    async editorText() {
      const text = await page.evaluate(() => {
        const root = document.querySelector(".editor-group-container.active .editor-instance") ?? document.querySelector(".editor-instance");
        return [...root.querySelectorAll(".view-line")]
          .map((l) => [parseFloat(l.style.top), l.textContent])
          .sort((a, b) => a[0] - b[0])
          .map((x) => x[1])
          .join("\n");
      });
      return plain(text);
    },

    // Save, and wait for the bytes on disk: the tab's .dirty class lags behind.
    async saveUntil(file, re) {
      await page.keyboard.press("Control+S");
      let text = "";
      for (let i = 0; i < 200; i++) {
        text = fs.readFileSync(file, "utf8");
        if (re.test(text)) return text;
        await sleep(50);
      }
      throw new Error(`${file} never matched ${re}: ${JSON.stringify(text)}`);
    },

    statusBar: async () => plain(await page.locator(".part.statusbar").innerText()),

    // The nth webview's own document.
    webview(nth = 0) {
      return page.frameLocator("iframe.webview.ready").nth(nth).frameLocator("iframe#active-frame");
    },

    // A picture for a person to look at; its path.
    async shot(name) {
      const dir = process.env.FOREWORD_SHOTS ?? path.join(os.tmpdir(), "foreword-shots");
      fs.mkdirSync(dir, { recursive: true });
      const file = path.join(dir, `vscode-${name}.png`);
      await page.screenshot({ path: file });
      return file;
    },

    // What can be seen now, and the ends of the logs, for the reader of a failed run. logs: which files of VS Code's
    // logs, by their path.
    async evidence(name, { logs = /Foreword\.log$/, lines = 40 } = {}) {
      const shown = await page.evaluate(() => {
        const active = document.activeElement;
        const texts = (selector, root = document) => [...root.querySelectorAll(selector)].map((e) => e.innerText.replace(/\s+/g, " ").trim()).filter(Boolean);
        return [
          `keys go to: ${active?.closest("[data-uri]")?.getAttribute("data-uri") ?? `${active?.tagName} ${active?.className}`}`,
          ...[...document.querySelectorAll(".editor-group-container")].map((group) => {
            const tabs = [...group.querySelectorAll(".tab")].map((tab) =>
              tab.getAttribute("data-resource-name") + (tab.classList.contains("active") ? " (active)" : "") + (tab.classList.contains("dirty") ? " (unsaved)" : ""));
            return `column${group.classList.contains("active") ? " with the focus" : ""}: ${tabs.join(", ")}`;
          }),
          ...[...document.querySelectorAll(".quick-input-widget")].filter((e) => e.style.display !== "none")
            .map((e) => `quick input: ${e.querySelector("input.input")?.value} -> ${texts(".monaco-list-row", e).slice(0, 5).join(" / ")}`),
          ...texts(".notifications-toasts .notification-list-item").map((text) => `notice: ${text}`),
          ...texts(".monaco-dialog-box").map((text) => `dialog: ${text}`),
          ...[...document.querySelectorAll(".part.statusbar a[aria-label]")].map((e) => e.getAttribute("aria-label")).filter((label) => /Foreword/i.test(label)).map((label) => `status bar: ${label}`),
        ].join("\n");
      });
      const file = await rig.shot(`failed-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 60)}`);
      const tail = (text) => text.trimEnd().split("\n").slice(-lines).join("\n");
      const kept = fs.existsSync(path.join(ud, "logs"))
        ? fs.readdirSync(path.join(ud, "logs"), { recursive: true }).filter((name) => logs.test(name)).sort()
        : [];
      return [
        `picture: ${file}`,
        shown,
        ...kept.map((name) => `--- the end of ${name}\n${tail(fs.readFileSync(path.join(ud, "logs", name), "utf8"))}`),
        `--- the last errors of the page\n${tail(consoleErrors.join("\n"))}`,
      ].join("\n");
    },

    async stop() {
      await browser.close();
      stopServer();
      process.off("exit", stopServer);
      await new Promise((resolve) => {
        if (server.exitCode !== null || server.signalCode) return resolve();
        server.once("exit", resolve);
        setTimeout(resolve, 5000);
      });
      if (!keep) fs.rmSync(tmp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
  return rig;
}
