import type { AnswerView, Ask, EntryView, NoteView, ToolView, Trouble, UserView } from "../chat/messages.js";
import { h, icon, iconButton } from "./dom.js";
import { showMarkdown } from "./markdown.js";
import { t } from "./strings.js";

/** A message longer than this is shown in part, with the way to the whole. */
const longest = 200_000;

interface Shown {
  view: EntryView;
  element: HTMLElement;
  body?: HTMLElement;
  thinking?: HTMLElement;
}

/** The messages of the conversation. */
export class Transcript {
  readonly element = h("div", {
    class: "transcript",
    role: "log",
    "aria-live": "polite",
    "aria-label": t("Conversation"),
    tabindex: 0,
  });
  private shown: Shown[] = [];
  private planned = false;
  private readonly grown = new Set<Shown>();
  /** How long the last drawing took, in ms: a long answer is drawn less often. */
  private cost = 0;

  constructor(
    private readonly ask: (ask: Ask) => void,
    private readonly empty: () => HTMLElement,
  ) {
    this.element.addEventListener("click", (event) => this.clicked(event));
    this.draw(0, []);
  }

  /** These take the place of all messages from an index on. */
  draw(from: number, entries: EntryView[]): void {
    const stays = this.atEnd();
    const editing = this.shown.slice(from).find(({ element }) => element.classList.contains("editing"));
    entries.forEach((view, i) => {
      const at = from + i;
      const before = this.shown[at];
      if (before && JSON.stringify(before.view) === JSON.stringify(view)) return;
      if (before && before === editing && before.view.id === view.id) return; // what is being written stays
      const opened = before?.view.id === view.id && before.element.querySelector("details")?.open;
      const now = this.make(view);
      const details = now.element.querySelector("details");
      if (opened && details) details.open = true;
      if (before) before.element.replaceWith(now.element);
      else this.element.append(now.element);
      this.shown[at] = now;
    });
    for (const gone of this.shown.splice(from + entries.length)) gone.element.remove();
    this.element.querySelector(".empty")?.remove();
    if (this.shown.length === 0) this.element.append(this.empty());
    if (stays) this.toEnd();
  }

  /** A piece of an answer came. */
  grow(id: string, text: string, thinking: string): void {
    const shown = this.shown.findLast(({ view }) => view.id === id);
    if (shown?.view.kind !== "answer") return;
    shown.view = { ...shown.view, text: shown.view.text + text, thinking: shown.view.thinking + thinking };
    this.grown.add(shown);
    if (this.planned) return;
    this.planned = true;
    setTimeout(() => requestAnimationFrame(() => this.drawGrown()), Math.min(1000, this.cost * 4));
  }

  /** Draws the empty state anew, where there is nothing else. */
  refreshEmpty(): void {
    if (this.shown.length === 0) this.draw(0, []);
  }

  /** Opens the newest message of the user to be written anew. */
  editLast(): void {
    const last = this.shown.findLast(({ view }) => view.kind === "user");
    if (last?.view.kind === "user") this.edit(last.element, last.view);
  }

  toEnd(): void {
    this.element.scrollTop = this.element.scrollHeight;
  }

  private atEnd(): boolean {
    return this.element.scrollHeight - this.element.scrollTop - this.element.clientHeight < 40;
  }

  private drawGrown(): void {
    this.planned = false;
    const stays = this.atEnd();
    const began = performance.now();
    for (const shown of this.grown) {
      if (shown.view.kind !== "answer") continue;
      if (shown.body) showMarkdown(shown.body, shown.view.text.slice(0, longest));
      if (shown.thinking && shown.view.thinking) {
        shown.thinking.hidden = false;
        const text = shown.thinking.querySelector("p");
        if (text) text.textContent = shown.view.thinking;
      }
    }
    this.grown.clear();
    this.cost = performance.now() - began;
    if (stays) this.toEnd();
  }

  private make(view: EntryView): Shown {
    switch (view.kind) {
      case "user":
        return { view, element: this.user(view) };
      case "answer":
        return this.answer(view);
      case "tool":
        return { view, element: this.tool(view) };
    }
  }

  private user(view: UserView): HTMLElement {
    const element = h("article", { class: "message user", "aria-label": t("You") });
    const version = view.version;
    const step = (by: -1 | 1) => () => this.ask({ type: "version", id: view.id, by });
    element.append(
      h(
        "div",
        { class: "text", tabindex: isLong(view.text) ? 0 : undefined },
        view.text.length > longest ? `${view.text.slice(0, longest)}…` : view.text,
      ),
      chips(view.attachments),
      h(
        "div",
        { class: "tools" },
        version && iconButton("back", t("Version before"), step(-1), { disabled: version.at === 1 }),
        version && h("span", { class: "version" }, t("{0} of {1}", version.at, version.of)),
        version && iconButton("chevron", t("Version after"), step(1), { disabled: version.at === version.of }),
        iconButton("copy", t("Copy message"), () => this.ask({ type: "copy", text: view.text })),
        iconButton("edit", t("Edit and send again"), () => this.edit(element, view)),
      ),
    );
    return element;
  }

  private edit(element: HTMLElement, view: UserView): void {
    if (element.classList.contains("editing")) return;
    element.classList.add("editing");
    const before = [...element.childNodes];
    const input = h("textarea", {
      class: "input",
      rows: Math.min(12, view.text.split("\n").length + 1),
      "aria-label": t("Message, to be sent again"),
    });
    input.value = view.text;
    const leave = () => {
      element.classList.remove("editing");
      element.replaceChildren(...before);
    };
    const send = () => {
      const text = input.value.trim();
      if (text === "") return;
      leave();
      this.ask({ type: "edit", id: view.id, text });
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") leave();
      else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        send();
      }
    });
    element.replaceChildren(
      input,
      h(
        "div",
        { class: "row" },
        h("span", { class: "hint" }, t("What came after it stays as another version.")),
        h("button", { type: "button", class: "button secondary", click: leave }, t("Cancel")),
        h("button", { type: "button", class: "button", click: send }, t("Send Again")),
      ),
    );
    input.focus();
  }

  private answer(view: AnswerView): Shown {
    const working = view.state === "waiting" || view.state === "streaming";
    const element = h("article", {
      class: `message answer ${view.state}`,
      "aria-label": t("Answer"),
      "aria-busy": working ? "true" : "false",
    });
    for (const note of view.notes) element.append(this.note(note));
    const thinking = h("details", { class: "thinking" }, h("summary", {}, t("Thinking")), h("p", {}, view.thinking));
    thinking.hidden = view.thinking === "";
    const body = h("div", { class: "markdown" });
    showMarkdown(body, view.text.slice(0, longest));
    element.append(thinking, body);
    if (view.prompt)
      element.prepend(
        h(
          "div",
          { class: "row prompt" },
          h("span", { class: "hint" }, t("The prompt, as a model would get it:")),
          h(
            "button",
            { type: "button", class: "button", click: () => this.ask({ type: "copy", text: view.text }) },
            t("Copy Prompt"),
          ),
          h(
            "button",
            { type: "button", class: "button secondary", click: () => this.ask({ type: "open", id: view.id }) },
            t("Open in Editor"),
          ),
        ),
      );
    if (view.text.length > longest)
      element.append(button(t("Open all of it in an editor"), () => this.ask({ type: "open", id: view.id })));
    if (view.state === "waiting")
      element.append(
        h(
          "div",
          { class: "waiting", role: "status" },
          h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
          h("span", { class: "hidden" }, t("Waiting for the model")),
        ),
      );
    if (view.state === "stopped") element.append(h("p", { class: "note" }, t("Stopped.")));
    if (view.trouble) element.append(trouble(view.trouble, this.ask));
    if (!working)
      element.append(
        h(
          "div",
          { class: "tools" },
          view.text !== "" && iconButton("copy", t("Copy answer"), () => this.ask({ type: "copy", text: view.text })),
          iconButton("retry", t("Ask again"), () => this.ask({ type: "retry" }), { class: "icon-button retry" }),
          view.cost !== undefined &&
            h(
              "span",
              {
                class: "cost",
                title: t(
                  "{0}: tokens that the provider counted, and how many it had in its cache of those that it should have",
                  view.model,
                ),
              },
              view.cost,
            ),
        ),
      );
    if (view.miss)
      element.append(
        h(
          "details",
          { class: "note" },
          h("summary", {}, t("Why did the cache miss?")),
          h(
            "p",
            {},
            view.miss,
            " ",
            button(t("Show What Changed"), () => this.ask({ type: "show", what: "difference" })),
          ),
        ),
      );
    return { view, element, body, thinking };
  }

  private note(note: NoteView): HTMLElement {
    const { undo } = note;
    const back = undo && button(undo.label, () => this.ask({ type: "keep", messages: undo.messages }));
    if (!note.detail) return h("p", { class: "note" }, note.text, " ", back);
    return h("details", { class: "note" }, h("summary", {}, note.text), h("pre", { tabindex: 0 }, note.detail), back);
  }

  private tool(view: ToolView): HTMLElement {
    const words = { asking: t("asks"), running: t("runs"), done: t("done"), failed: t("failed"), denied: t("denied") };
    const permit = (answer: "once" | "session" | "deny") => () => this.ask({ type: "permit", id: view.id, answer });
    const head = [
      icon("tool"),
      h("b", {}, view.name),
      h("span", { class: "subject", title: view.subject }, view.subject),
      h("span", { class: "state" }, words[view.state]),
    ];
    const element = h("article", {
      class: `message tool ${view.state}`,
      "aria-label": t("Tool {0}, {1}", view.name, words[view.state]),
    });
    if (view.question)
      element.append(
        h("div", { class: "tool-head" }, ...head),
        h(
          "div",
          { class: "row", role: "group", "aria-label": view.question },
          h("span", { class: "hint" }, view.question),
          h("button", { type: "button", class: "button", click: permit("once") }, t("Allow Once")),
          h("button", { type: "button", class: "button secondary", click: permit("session") }, t("Allow in This Chat")),
          h("button", { type: "button", class: "button secondary", click: permit("deny") }, t("Deny")),
        ),
      );
    else
      element.append(
        h("details", {}, h("summary", { class: "tool-head" }, ...head), h("pre", { tabindex: 0 }, view.output)),
      );
    for (const text of view.notes) element.append(h("p", { class: "note" }, text));
    return element;
  }

  private clicked(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : undefined;
    const link = target?.closest("[data-link]");
    if (link) {
      event.preventDefault();
      return this.ask({ type: "link", href: link.getAttribute("data-link") ?? "" });
    }
    const action = target?.closest<HTMLElement>("[data-do]");
    const block = action?.closest<HTMLElement>(".code");
    const text = block?.querySelector("code")?.textContent ?? "";
    switch (action?.dataset.do) {
      case "copy":
        return this.ask({ type: "copy", text });
      case "insert":
        return this.ask({ type: "insert", text });
      case "apply":
        return this.ask({ type: "apply", text, language: block?.dataset.language ?? "" });
    }
  }
}

/** Whether a message of the user is shown in a part that scrolls. */
const isLong = (text: string) => text.length > 600 || text.split("\n").length > 12;

const button = (label: string, click: () => void) =>
  h("button", { type: "button", class: "text-button", click }, label);

/** A sentence that says what is wrong, with its buttons. */
export function trouble(view: Trouble, ask: (ask: Ask) => void): HTMLElement {
  return h(
    "div",
    { class: "trouble", role: "alert" },
    h("span", {}, view.text),
    ...view.actions.map(({ label, run }, i) =>
      h(
        "button",
        { type: "button", class: i === 0 ? "button" : "button secondary", click: () => ask({ type: "action", run }) },
        label,
      ),
    ),
  );
}

/** What is attached, each with its cost; with a listener each can be taken away. */
export function chips(attachments: UserView["attachments"], remove?: (id: string) => void): HTMLElement {
  return h(
    "ul",
    { class: "chips", "aria-label": t("Attached"), hidden: attachments.length === 0 },
    ...attachments.map((one) => {
      const cost = one.tokens === undefined ? "" : `${one.about ? "~" : ""}${one.tokens.toLocaleString()}`;
      const title = [one.detail, one.refused].filter(Boolean).join("\n");
      return h(
        "li",
        { class: one.refused ? "chip refused" : "chip", title },
        icon(one.kind),
        h("span", {}, one.label),
        h("span", { class: "tokens", title: t("tokens") }, cost),
        remove && iconButton("close", t("Take away {0}", one.label), () => remove(one.id)),
        one.refused && h("span", { class: "why" }, t("Not sent: {0}", one.refused)),
      );
    }),
  );
}
