import type { ContextView } from "../chat/account.js";
import type { Ask } from "../chat/messages.js";
import { h, icon } from "./dom.js";
import { t } from "./strings.js";

/** Shows what is sent: a bar, and below it everything that the bar stands for. */
export class ContextBar {
  readonly element = h("details", { class: "context" });
  private before = "";

  constructor(private readonly ask: (ask: Ask) => void) {
    this.element.hidden = true;
  }

  show(view: ContextView | undefined, target: string): void {
    const now = JSON.stringify([view, target]);
    if (now === this.before) return;
    this.before = now;
    this.element.hidden = !view;
    if (!view) return;
    const held = view.parts.filter(({ kind }) => kind !== "free");
    // Without a known window the bar is what is sent.
    const whole =
      view.window ||
      Math.max(
        1,
        held.reduce((all, part) => all + part.tokens, 0),
      );
    const bar = h("div", { class: "bar", "aria-hidden": "true" });
    for (const part of held) {
      const piece = h("i", { class: part.kind });
      piece.style.width = `${(part.tokens / whole) * 100}%`;
      bar.append(piece);
    }
    this.element.replaceChildren(
      h(
        "summary",
        { "aria-label": t("What is sent: {0}", view.summary) },
        bar,
        h("span", { class: "sum" }, icon("chevron"), view.summary),
      ),
      h(
        "div",
        { class: "account" },
        h(
          "p",
          { class: "when" },
          view.sent
            ? t("As it was sent with the last message.")
            : t("As it will be sent, for {0}.", target || t("the workspace")),
        ),
        h(
          "table",
          {},
          h(
            "tbody",
            {},
            ...view.parts.map((part) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, h("i", { class: `key ${part.kind}`, "aria-hidden": "true" }), part.label),
                h("td", {}, part.tokens.toLocaleString()),
              ),
            ),
          ),
        ),
        h("p", {}, view.cache),
        ...group(
          t("Instructions that apply"),
          view.instructions.map((one) => [one.label, one.tokens.toLocaleString(), one.why]),
        ),
        ...group(
          t("Will be said, since it changed"),
          view.updates.map((one) => [one.label, one.tokens.toLocaleString(), one.why]),
        ),
        ...group(
          t("Left out"),
          view.leftOut.map((one) => [one.label, one.state, one.why]),
        ),
        ...(view.warnings.length > 0
          ? [h("h2", {}, t("Warnings")), h("ul", {}, ...view.warnings.map((text) => h("li", {}, text)))]
          : []),
        h(
          "div",
          { class: "row" },
          this.button(t("Show Prompt"), "prompt"),
          this.button(t("What Changed"), "difference"),
          this.button(t("Explain Instructions"), "instructions"),
        ),
      ),
    );
  }

  private button(label: string, what: "prompt" | "difference" | "instructions"): HTMLElement {
    return h(
      "button",
      { type: "button", class: "button secondary", click: () => this.ask({ type: "show", what }) },
      label,
    );
  }
}

function group(title: string, rows: [string, string, string][]): HTMLElement[] {
  if (rows.length === 0) return [];
  return [
    h("h2", {}, title),
    h(
      "ul",
      {},
      ...rows.map(([label, value, why]) =>
        h("li", {}, h("b", {}, label), h("span", { class: "value" }, value), h("span", { class: "why" }, why)),
      ),
    ),
  ];
}
