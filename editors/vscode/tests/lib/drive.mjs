// What the tests of this extension do with the editor again and again, beside what the rig can do. All of it polls:
// a busy machine takes its time.

import fs from "node:fs";
import path from "node:path";
import { until } from "../../../e2e/tally.mjs";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Settings for every test: what is not saved stays so. In a browser the editor saves by itself.
export const quiet = { "files.autoSave": "off" };

export function drive(rig, patience) {
  const { page } = rig;
  const tab = (name) => page.locator(`.tab[data-resource-name="${name}"]`);

  const editor = {
    item: () =>
      page
        .locator(
          ".statusbar-item[id='foreword.foreword.foreword.instructions'], .statusbar-item[id$='foreword.instructions']",
        )
        .first(),

    // What a screen reader says of the status bar item, once it matches.
    async status(pattern) {
      let said = "";
      return until(
        () => `the status bar item to match ${pattern}; it said last: ${JSON.stringify(said)}`,
        async () => {
          said = await editor
            .item()
            .locator("a")
            .first()
            .getAttribute("aria-label", { timeout: 1000 })
            .catch(() => "");
          return pattern.test(said ?? "") && said;
        },
        patience,
      );
    },

    // The number of tokens in the status bar.
    tokens: async () => Number(/([\d,]+) tokens/.exec(await editor.status(/tokens/))[1].replaceAll(",", "")),

    // Opens a file in a column, counted from 1, and waits until keys go to it.
    async open(file, column) {
      await page.keyboard.press("Escape");
      await page.keyboard.press(`Control+${column}`);
      await page.waitForFunction((column) => {
        const groups = [...document.querySelectorAll(".editor-group-container")];
        groups.sort((a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x);
        return groups[column - 1]?.classList.contains("active");
      }, column);
      await rig.openFile(file);
    },

    // Types a line at the start of a file that is open in a column, and waits until it is there.
    async write(file, column, line) {
      await editor.open(file, column);
      await rig.gotoLine(1, 1);
      await rig.type(`${line}\n`);
      const packed = (text) => text.replace(/\s+/g, ""); // a long line is broken where the column ends
      await until(
        `"${line}" to stand in ${file}`,
        async () => packed(await rig.editorText()).includes(packed(line)),
        patience,
      );
      await until(`${file} to be unsaved`, () => tab(path.basename(file)).and(page.locator(".dirty")).count(), patience);
    },

    // Closes a document, and nothing else.
    async close(name) {
      await tab(name).first().click();
      await until(`the tab ${name} to be active`, () => tab(name).and(page.locator(".active")).count(), patience);
      await page.keyboard.press("Control+W");
      await tab(name).first().waitFor({ state: "detached", timeout: patience });
      await page.mouse.move(640, 798);
    },

    // Puts the focus into a document that is open.
    focus: (name) => rig.focus(name),

    // All of a document's text: the screen has only some lines of it, the clipboard has all.
    async copied(name) {
      await editor.focus(name);
      await page.evaluate(() => navigator.clipboard.writeText(""));
      await page.keyboard.press("Control+A");
      await page.keyboard.press("Control+C");
      let text = "";
      for (let i = 0; i < 20 && text === ""; i++) {
        await pause(50);
        text = await page.evaluate(() => navigator.clipboard.readText());
      }
      await page.keyboard.press("Control+Home");
      return text.replaceAll("\r\n", "\n");
    },

    // The text of a read-only document, once it matches.
    async document(name, pattern) {
      await tab(name).first().waitFor({ timeout: patience });
      let text = "";
      await until(
        () => `${name} to match ${pattern}; it has:\n${text}`,
        async () => pattern.test((text = await editor.copied(name))),
        patience,
      );
      return text;
    },

    // The hover over a word; the first may come before the server has started.
    async hover(word) {
      return until(`a hover over ${word}`, () => rig.hoverWord(word).catch(() => ""), patience);
    },

    // The extension's log.
    log() {
      const logs = fs
        .readdirSync(path.join(rig.ud, "logs"), { recursive: true })
        .filter((file) => /Foreword\.log$/.test(file));
      return logs.map((file) => fs.readFileSync(path.join(rig.ud, "logs", file), "utf8")).join("");
    },

    // Waits until the extension has got so many servers to run. What the status bar says may be of the one before.
    running: (servers) =>
      until(
        () => `${servers} servers to have run; the log:\n${editor.log()}`,
        () => editor.log().split("the server runs").length > servers,
        patience,
      ),

    // The code actions at the cursor; with a title, that one is chosen.
    actions: (title) => rig.codeAction(title),
  };
  return editor;
}
