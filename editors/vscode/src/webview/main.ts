import type { Ask, PanelView, Tell } from "../chat/messages.js";
import { Composer } from "./composer.js";
import { ContextBar } from "./context_bar.js";
import { h, icon } from "./dom.js";
import { setStrings, t } from "./strings.js";
import "./style.css";
import { Transcript, trouble } from "./transcript.js";

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const api = acquireVsCodeApi();
const ask = (message: Ask) => api.postMessage(message);
let panel: PanelView | undefined;
let shown: ReturnType<typeof build> | undefined;

// Nothing is built before the texts of the editor's language are there.
window.addEventListener("message", (event: MessageEvent<Tell>) => {
  const message = event.data;
  if (message.type === "strings") {
    setStrings(message.strings);
    shown = build();
    return;
  }
  if (!shown) return;
  switch (message.type) {
    case "panel":
      panel = message.panel;
      return shown.show(message.panel);
    case "entries":
      return shown.transcript.draw(message.from, message.entries);
    case "delta":
      return shown.transcript.grow(message.id, message.text, message.thinking);
    case "suggestions":
      return shown.composer.completion.show(message.request, message.items);
    case "draft":
      return shown.composer.setDraft(message.text);
    case "focus":
      return shown.composer.focus();
  }
});

function build() {
  const transcript = new Transcript((message) => {
    if (message.type === "edit") transcript.toEnd();
    ask(message);
  }, empty);
  const composer = new Composer(
    (message) => {
      ask(message);
      if (message.type === "send") transcript.toEnd();
    },
    () => transcript.editLast(),
  );
  const context = new ContextBar(ask);
  const title = h("h1", { class: "title" });
  const notice = h("div", { class: "notice", role: "status", hidden: true });
  const problem = h("div");
  // What a screen reader is told while an answer comes: that it began and that it ended, not each piece.
  const said = h("div", { class: "hidden", role: "status" });
  document
    .getElementById("app")
    ?.replaceChildren(title, transcript.element, problem, notice, context.element, composer.element, said);
  let before: PanelView | undefined;
  const show = (view: PanelView) => {
    title.textContent = view.title || t("New Chat");
    notice.textContent = view.notice ?? "";
    notice.hidden = !view.notice;
    const troubles = JSON.stringify(view.trouble ?? null);
    if (troubles !== JSON.stringify(before?.trouble ?? null))
      problem.replaceChildren(...(view.trouble ? [trouble(view.trouble, ask)] : []));
    context.show(view.context, view.target);
    composer.show(view);
    transcript.element.setAttribute("aria-busy", String(view.busy));
    if (before && before.busy !== view.busy)
      said.textContent = view.busy ? t("The model answers.") : t("The answer is complete.");
    const changed =
      before?.promptOnly !== view.promptOnly ||
      before?.restricted !== view.restricted ||
      before?.target !== view.target;
    before = view;
    if (changed) transcript.refreshEmpty();
  };
  return { transcript, composer, show };
}

/** What there is to say before anything was said. */
function empty(): HTMLElement {
  const button = (label: string, message: Ask) =>
    h("button", { type: "button", class: "button secondary", click: () => ask(message) }, label);
  const restricted = panel?.restricted ?? false;
  const nobody = (panel?.promptOnly ?? false) && !restricted;
  return h(
    "section",
    { class: "empty", "aria-label": t("How to begin") },
    h("h2", {}, t("Ask about this code")),
    h(
      "p",
      {},
      t(
        "The bar below shows what the model is told before you send: which instructions apply, why, and what they cost.",
      ),
    ),
    restricted &&
      h(
        "p",
        { class: "note" },
        icon("shield"),
        " ",
        t("Restricted Mode: nothing is sent to a model. The prompt can be shown and copied."),
      ),
    restricted && button(t("Trust…"), { type: "action", run: "trust" }),
    nobody && h("p", { class: "note" }, t("There is no model yet. A message shows the prompt, for you to copy.")),
    nobody && button(t("Choose a Model…"), { type: "show", what: "model" }),
    nobody && button(t("Open Settings"), { type: "action", run: "settings" }),
    h(
      "ul",
      { class: "hints" },
      h("li", {}, h("kbd", {}, "@"), " ", t("attaches files, folders, symbols, the selection, problems, changes")),
      h("li", {}, h("kbd", {}, "Enter"), " ", t("sends"), ", ", h("kbd", {}, "Shift+Enter"), " ", t("begins a line")),
      h(
        "li",
        {},
        h("kbd", {}, "↑"),
        " ",
        t("edits your last message"),
        ", ",
        h("kbd", {}, "Esc"),
        " ",
        t("stops an answer"),
      ),
    ),
    button(t("Show Prompt"), { type: "show", what: "prompt" }),
    button(t("Earlier Chats…"), { type: "show", what: "sessions" }),
  );
}

ask({ type: "ready" });
