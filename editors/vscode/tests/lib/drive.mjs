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
        `the status bar item to match ${pattern}; it said last: ${said}`,
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
      ).catch((error) => {
        throw new Error(`${error.message} ${JSON.stringify(said)}`);
      });
    },

    // The number of tokens in the status bar.
    tokens: async () => Number(/([\d,]+) tokens/.exec(await editor.status(/tokens/))[1].replaceAll(",", "")),

    // Opens a file in a column, 1 or 2.
    async open(file, column) {
      await page.keyboard.press("Escape");
      await page.keyboard.press(`Control+${column}`);
      await rig.openFile(file);
      await editor.text(path.basename(file), column);
    },

    async text(name) {
      await until(`the tab ${name} to be active`, () => tab(name).and(page.locator(".active")).count(), patience);
    },

    // Puts the cursor into a document that is open.
    async focus(name) {
      await tab(name).first().click();
      const group = page.locator(".editor-group-container", { has: tab(name) });
      await group
        .locator(".editor-instance .view-lines")
        .first()
        .click({ position: { x: 5, y: 5 } });
    },

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
        `${name} to match ${pattern}`,
        async () => pattern.test((text = await editor.copied(name))),
        patience,
      ).catch((error) => {
        throw new Error(`${error.message}; it has:\n${text}`);
      });
      return text;
    },

    // The hover over a word; the first may come before the server has started.
    async hover(word) {
      return until(`a hover over ${word}`, () => rig.hoverWord(word).catch(() => ""), patience);
    },

    // The extension's log, for the reader of a failed run.
    log() {
      const logs = fs
        .readdirSync(path.join(rig.ud, "logs"), { recursive: true })
        .filter((file) => /Foreword\.log$/.test(file));
      return logs.map((file) => fs.readFileSync(path.join(rig.ud, "logs", file), "utf8")).join("");
    },

    // The code actions at the cursor; with a title, that one is chosen.
    actions: (title) => rig.codeAction(title),
  };
  return editor;
}
