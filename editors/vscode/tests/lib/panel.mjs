// What the tests of the chat do with its panel.

import { until } from "../../../e2e/tally.mjs";

export function drivePanel(rig, patience) {
  const { page } = rig;
  let found;
  // The frame of the panel, of those of all webviews: the one that has the message box.
  const frame = async () => {
    for (const one of page.frames())
      if (
        (await one
          .locator("form.composer")
          .count()
          .catch(() => 0)) > 0
      )
        return one;
    return undefined;
  };
  const panel = {
    async open() {
      await rig.command("Foreword: Open Chat");
      return panel.frame();
    },
    async frame() {
      found = await until(
        "the chat's panel",
        async () => (found && !found.isDetached() ? found : (found = await frame())),
        patience,
      );
      return found;
    },
    async box() {
      return (await panel.frame()).getByRole("textbox", { name: "Message", exact: true });
    },
    async send(text) {
      const box = await panel.box();
      await box.fill(text);
      await box.press("Enter");
    },
    // Waits until keys go to the message.
    async focused() {
      const box = await panel.box();
      await until(
        "the message to have the focus",
        () => box.evaluate((box) => document.activeElement === box).catch(() => false),
        patience,
      );
    },
    async answers() {
      return (await panel.frame()).locator("article.answer");
    },
    // Waits until the last answer is there to its end and matches.
    async answered(pattern) {
      const answers = await panel.answers();
      let said = "";
      await until(
        () => `an answer that matches ${pattern}; the last is: ${said}`,
        async () => {
          const last = answers.last();
          if ((await answers.count()) === 0) return false;
          said = await last.innerText().catch(() => "");
          return (await last.getAttribute("aria-busy").catch(() => "true")) === "false" && pattern.test(said);
        },
        patience,
      );
      return said;
    },
    async text() {
      return (await panel.frame()).locator("#app").innerText();
    },
    async has(pattern) {
      let said = "";
      await until(
        () => `the panel to have ${pattern}; it has:\n${said}`,
        async () => pattern.test((said = await panel.text().catch(() => ""))),
        patience,
      );
      return said;
    },
    async click(name) {
      await (await panel.frame()).getByRole("button", { name, exact: true }).last().click();
    },
  };
  return panel;
}
