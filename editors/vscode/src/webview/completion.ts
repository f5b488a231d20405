import type { Ask, Suggestion } from "../chat/messages.js";
import { h, icon } from "./dom.js";
import { t } from "./strings.js";

/** The list of what can be attached, which opens at an @ in the message. */
export class Completion {
  readonly element = h("ul", {
    class: "suggestions",
    role: "listbox",
    id: "suggestions",
    "aria-label": t("What to attach"),
    hidden: true,
  });
  private items: Suggestion[] = [];
  private at = 0;
  private request = 0;

  constructor(
    private readonly input: HTMLTextAreaElement,
    private readonly ask: (ask: Ask) => void,
  ) {
    // A text of several lines may not have the role combobox; these say as much.
    for (const [name, value] of Object.entries({
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
      "aria-controls": "suggestions",
    }))
      input.setAttribute(name, value);
    input.addEventListener("blur", () => this.close());
  }

  get open(): boolean {
    return !this.element.hidden;
  }

  /** Asks for what fits the word at the cursor, if an @ begins it. */
  update(): void {
    const query = this.query();
    if (query === undefined) return this.close();
    this.ask({ type: "suggest", request: ++this.request, query });
  }

  show(request: number, items: Suggestion[]): void {
    if (request !== this.request || this.query() === undefined) return;
    this.items = items;
    this.at = 0;
    this.element.replaceChildren(
      ...items.map((item, i) =>
        h(
          "li",
          {
            role: "option",
            id: `suggestion-${i}`,
            "aria-selected": "false",
            mousedown: (event: MouseEvent) => {
              event.preventDefault(); // the message keeps the focus
              this.choose(i);
            },
          },
          icon(item.icon),
          h("span", { class: "label" }, item.label),
          h("span", { class: "detail" }, item.detail),
        ),
      ),
    );
    this.element.hidden = items.length === 0;
    this.mark();
  }

  /** Tells whether the key was for the list. */
  key(event: KeyboardEvent): boolean {
    if (!this.open) return false;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        this.at = (this.at + (event.key === "ArrowDown" ? 1 : this.items.length - 1)) % this.items.length;
        this.mark();
        return true;
      case "Enter":
      case "Tab":
        this.choose(this.at);
        return true;
      case "Escape":
        this.close();
        return true;
      default:
        return false;
    }
  }

  private choose(at: number): void {
    const item = this.items[at];
    const query = this.query();
    if (!item || query === undefined) return;
    const end = this.input.selectionStart;
    this.input.setRangeText("", end - query.length - 1, end, "end");
    this.input.dispatchEvent(new Event("input"));
    this.close();
    this.ask({ type: "attach", choice: item.choice });
  }

  close(): void {
    this.request++; // an answer that comes now is late
    this.element.hidden = true;
    this.input.removeAttribute("aria-activedescendant");
  }

  private mark(): void {
    [...this.element.children].forEach((child, i) => {
      child.setAttribute("aria-selected", String(i === this.at));
      if (i === this.at) child.scrollIntoView({ block: "nearest" });
    });
    if (this.open) this.input.setAttribute("aria-activedescendant", `suggestion-${this.at}`);
  }

  /** The word behind the @ that the cursor stands in. */
  private query(): string | undefined {
    const { selectionStart, selectionEnd, value } = this.input;
    if (selectionStart !== selectionEnd) return undefined;
    return /(?:^|[\s(])@([^\s@]*)$/.exec(value.slice(0, selectionStart))?.[1];
  }
}
