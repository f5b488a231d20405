import type { PrepareTurnResult } from "../protocol.js";
import type { Translate } from "../status_text.js";

/** A request as a page to read: what it says in its order, one block for each message. */
export function requestPage(prepared: PrepareTurnResult, t: Translate): string {
  const { body, tokens, turn, downgrades } = prepared;
  const exact = tokens.counter === "exact" ? t("exact") : t("an estimate");
  const head = [
    `# ${t("Request of turn {0}", turn)}`,
    t("{0} tokens ({1}); the window has {2}.", tokens.total, exact, tokens.window),
    ...downgrades.map((downgrade) => `- ${downgrade}`),
  ];
  if (typeof body.text === "string") return [...head, body.text, ""].join("\n\n");
  const rest: Record<string, unknown> = {};
  const blocks: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (name === "messages" || name === "contents" || name === "input")
      for (const message of Array.isArray(value) ? value : [value]) blocks.push(messageBlock(message));
    else if (name === "system" || name === "systemInstruction" || name === "instructions")
      blocks.push(`## system\n\n${textIn(value)}`);
    else rest[name] = value;
  }
  const others = `## ${t("Everything else")}\n\n~~~~json\n${JSON.stringify(rest, null, 2)}\n~~~~`;
  return [...head, ...blocks, others, ""].join("\n\n");
}

function messageBlock(message: unknown): string {
  const { role, content, parts, ...others } = (message ?? {}) as Record<string, unknown>;
  const text = textIn(content ?? parts ?? "");
  const more = Object.keys(others).length > 0 ? `\n\n~~~~json\n${JSON.stringify(others, null, 2)}\n~~~~` : "";
  return `## ${typeof role === "string" ? role : ""}\n\n${text}${more}`;
}

function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textIn).join("\n\n");
  if (typeof value !== "object" || value === null) return String(value);
  const part = value as Record<string, unknown>;
  if (typeof part.text === "string" && part.cache_control === undefined) return part.text;
  if (typeof part.text === "string") return `${part.text}\n\n(cache_control: ${JSON.stringify(part.cache_control)})`;
  if (typeof part.value === "string") return part.value;
  if (Array.isArray(part.parts)) return textIn(part.parts);
  return `~~~~json\n${JSON.stringify(value, null, 2)}\n~~~~`;
}
