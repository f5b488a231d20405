import type { Ask, PanelView } from "../chat/messages.js";
import { Completion } from "./completion.js";
import { h, icon, iconButton } from "./dom.js";
import { t } from "./strings.js";
import { chips } from "./transcript.js";

/** Where the message is written, with all that goes with it. */
export class Composer {
  readonly element: HTMLElement;
  readonly completion: Completion;
  private readonly input = h("textarea", {
    class: "input",
    rows: 1,
    "aria-label": t("Message"),
    placeholder: t("Ask, or attach with @"),
  });
  private readonly attached = h("div");
  private readonly queue = h("ul", { class: "queue", "aria-label": t("Waiting to be sent"), hidden: true });
  private readonly send: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;
  private readonly model = h("button", {
    type: "button",
    class: "text-button model",
    click: () => this.ask({ type: "show", what: "model" }),
  });
  private readonly agent = h("select", {
    class: "agent",
    "aria-label": t("Agent"),
    title: t("Agent: what the model may do"),
  });
  private busy = false;

  constructor(
    private readonly ask: (ask: Ask) => void,
    private readonly editLast: () => void,
  ) {
    this.completion = new Completion(this.input, ask);
    this.send = iconButton("send", t("Send (Enter)"), () => this.submit(), { class: "icon-button primary" });
    this.stop = iconButton("stop", t("Stop (Escape)"), () => ask({ type: "stop" }), { class: "icon-button primary" });
    this.agent.addEventListener("change", () => ask({ type: "agent", agent: this.agent.value }));
    this.input.addEventListener("input", () => {
      this.fit();
      this.completion.update();
      ask({ type: "draft", text: this.input.value });
    });
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.element = h(
      "form",
      { class: "composer", submit: (event: Event) => event.preventDefault() },
      this.queue,
      this.completion.element,
      h(
        "div",
        { class: "box" },
        this.attached,
        this.input,
        h(
          "div",
          { class: "row" },
          iconButton("attach", t("Attach something (@)"), () => this.at()),
          this.agent,
          this.model,
          h("span", { class: "space" }),
          this.stop,
          this.send,
        ),
      ),
    );
  }

  show(panel: PanelView): void {
    this.busy = panel.busy;
    this.stop.hidden = !panel.busy;
    const label = panel.busy
      ? t("Send after this answer (Enter)")
      : panel.promptOnly
        ? t("Show the prompt (Enter)")
        : t("Send (Enter)");
    this.send.title = label;
    this.send.setAttribute("aria-label", label);
    this.model.replaceChildren(h("span", {}, panel.model || t("Choose a model")), icon("chevron"));
    this.model.title = t("Model: {0}", panel.model || t("none"));
    const agents = panel.agents.includes(panel.agent) ? panel.agents : [...panel.agents, panel.agent];
    if ([...this.agent.options].map(({ value }) => value).join() !== agents.join())
      this.agent.replaceChildren(...agents.map((name) => h("option", { value: name }, name)));
    this.agent.value = panel.agent;
    this.attached.replaceChildren(chips(panel.attachments, (id) => this.ask({ type: "detach", id })));
    this.queue.hidden = panel.queue.length === 0;
    this.queue.replaceChildren(
      ...panel.queue.map(({ id, text }) =>
        h(
          "li",
          {},
          h("span", {}, text),
          iconButton("close", t("Take back {0}", text), () => this.ask({ type: "unqueue", id })),
        ),
      ),
    );
  }

  setDraft(text: string): void {
    this.input.value = text;
    this.fit();
  }

  focus(): void {
    this.input.focus();
  }

  private at(): void {
    this.input.focus();
    const before = this.input.value.slice(0, this.input.selectionStart);
    const gap = before === "" || /\s$/.test(before) ? "" : " ";
    this.input.setRangeText(`${gap}@`, this.input.selectionStart, this.input.selectionEnd, "end");
    this.input.dispatchEvent(new Event("input"));
  }

  private key(event: KeyboardEvent): void {
    if (event.isComposing) return; // an input method has the keys
    if (this.completion.key(event)) return event.preventDefault();
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "Escape" && this.busy) {
      this.ask({ type: "stop" });
    } else if (event.key === "ArrowUp" && this.input.value === "") {
      event.preventDefault();
      this.editLast();
    }
  }

  private submit(): void {
    const text = this.input.value.trim();
    if (text === "") return;
    this.setDraft("");
    this.ask({ type: "send", text });
  }

  /** As high as what is written, up to a part of the panel. */
  private fit(): void {
    this.input.style.height = "auto";
    this.input.style.height = `${Math.min(this.input.scrollHeight + 2, Math.max(80, window.innerHeight * 0.4))}px`;
  }
}
