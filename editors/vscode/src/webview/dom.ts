type Child = Node | string | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** Makes an element. An attribute that is a function is a listener; one that is undefined or false is left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value as unknown as EventListener);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return element;
}

/** The drawings of buttons, on a grid of 16. */
const drawings = {
  send: "M2.5 8h10.5M8.5 3.5 13 8l-4.5 4.5",
  stop: "M4 4h8v8H4z",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  insert: "M8 2.5v8M4.5 7 8 10.5 11.5 7M3 13.5h10",
  apply: "M3 8.5 6.5 12 13 4.5",
  retry: "M13 8a5 5 0 1 1-1.5-3.5M13 2v3h-3",
  edit: "m10.5 3 2.5 2.5-7.5 7.5H3v-2.5zM9 4.5 11.5 7",
  attach: "M10.5 5.5v5a2.5 2.5 0 0 1-5 0v-6a1.5 1.5 0 0 1 3 0v6",
  close: "m4 4 8 8m0-8-8 8",
  prompt: "M3.5 2.5h9v11h-9zM6 6h4M6 8.5h4M6 11h2.5",
  difference: "M5 2.5v6M2.5 5.5h5M2.5 12.5h5M10.5 2.5v11",
  chevron: "m6 4 4 4-4 4",
  back: "m10 4-4 4 4 4",
  file: "M4 2.5h5L12 6v7.5H4zM9 2.5V6h3",
  folder: "M2.5 4h4L8 5.5h5.5v7h-11z",
  symbol: "M8 2.5 13 5v6l-5 2.5L3 11V5zM3 5l5 2.5L13 5M8 7.5v6",
  selection: "M2.5 4h11M2.5 8h7M2.5 12h9",
  problems: "M8 3 14 13H2zM8 7v3M8 11.5v.5",
  diff: "M5 2.5v6M2.5 5.5h5M2.5 12.5h5M10.5 2.5v11",
  editors: "M2.5 3.5h8v8h-8zM5.5 13.5h8v-8",
  diagnostics: "M8 3 14 13H2zM8 7v3M8 11.5v.5",
  tool: "M10 3a3 3 0 0 0-3 4L3 11l2 2 4-4a3 3 0 0 0 4-4L11 7 9 5z",
  shield: "M8 2.5 13 4v4.5c0 2.5-2 4-5 5-3-1-5-2.5-5-5V4z",
} as const;

export type Icon = keyof typeof drawings;

/** A drawing; what it means is said by what it stands in. */
export function icon(name: string): SVGSVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const line = document.createElementNS(namespace, "path");
  line.setAttribute("d", drawings[name as Icon] ?? drawings.file);
  svg.append(line);
  return svg;
}

/** A button with a drawing and a name. */
export function iconButton(name: Icon, label: string, click: () => void, more: Attributes = {}): HTMLButtonElement {
  return h(
    "button",
    { type: "button", class: "icon-button", title: label, "aria-label": label, click, ...more },
    icon(name),
  );
}
