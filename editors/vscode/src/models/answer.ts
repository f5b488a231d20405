import type { MessagePart } from "../protocol.js";
import { ModelProblem } from "./problem.js";
import type { Delta, Usage } from "./stream.js";

/** An answer is cut here: no window of a model holds as much. */
export const longestAnswer = 2 * 1024 * 1024;

/** A call of a tool as the model made it. */
export interface Call {
  id: string;
  name: string;
  /** An object, or the text where it is no JSON object. */
  arguments: unknown;
}

interface Open {
  id: string;
  name: string;
  arguments: string;
  signature?: string;
}

type Block = { kind: "part"; part: MessagePart } | { kind: "call"; index: number; call: Open };

/** Puts the pieces of an answer together, in the order in which they began. */
export class Answer {
  private readonly blocks: Block[] = [];
  private length = 0;
  usage: Usage | undefined;
  /** Why the model stopped, in the provider's word. */
  reason = "";

  constructor(
    private readonly model: string,
    /** Makes the id of a call where the provider gives none. */
    private readonly newID: () => string,
  ) {}

  add(delta: Delta): void {
    switch (delta.kind) {
      case "text":
        this.grow(delta.text.length);
        return this.text("text", delta.text);
      case "thinking":
        this.grow(delta.text?.length ?? 0);
        return this.thinking(delta);
      case "call":
        this.grow(delta.arguments?.length ?? 0);
        return this.call(delta);
      case "usage":
        this.usage = delta.usage;
        return;
      case "end":
        this.reason ||= delta.reason;
    }
  }

  /** What the user reads. */
  get said(): string {
    return this.parts.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("");
  }

  /** All of it, for the next turn. */
  get parts(): MessagePart[] {
    return this.blocks.map((block) =>
      block.kind === "part"
        ? block.part
        : {
            type: "tool-use",
            id: block.call.id,
            name: block.call.name,
            arguments: argumentsOf(block.call.arguments),
            ...(block.call.signature ? { signature: block.call.signature } : {}),
          },
    );
  }

  get calls(): Call[] {
    return this.blocks.flatMap((block) =>
      block.kind === "call"
        ? [{ id: block.call.id, name: block.call.name, arguments: argumentsOf(block.call.arguments) }]
        : [],
    );
  }

  private grow(by: number): void {
    this.length += by;
    if (this.length > longestAnswer) throw new ModelProblem("endless", `${longestAnswer / 1024 / 1024} MB`);
  }

  private text(type: string, text: string): void {
    const last = this.blocks.at(-1);
    if (last?.kind === "part" && last.part.type === type && !last.part.signature) last.part.text += text;
    else this.blocks.push({ kind: "part", part: { type, text } });
  }

  private thinking({ text, signature, data }: { text?: string; signature?: string; data?: string }): void {
    if (data !== undefined) {
      this.blocks.push({ kind: "part", part: { type: "thinking", data, model: this.model } });
      return;
    }
    if (text) this.text("thinking", text);
    const last = this.blocks.at(-1);
    if (last?.kind !== "part" || last.part.type !== "thinking") return;
    last.part.model = this.model;
    if (signature) last.part.signature = (last.part.signature ?? "") + signature;
  }

  private call(delta: { index: number; id?: string; name?: string; arguments?: string; signature?: string }): void {
    let open = this.blocks.find((block) => block.kind === "call" && block.index === delta.index);
    if (open?.kind !== "call") {
      open = { kind: "call", index: delta.index, call: { id: delta.id || this.newID(), name: "", arguments: "" } };
      this.blocks.push(open);
    }
    open.call.name ||= delta.name ?? "";
    open.call.arguments += delta.arguments ?? "";
    if (delta.signature) open.call.signature = delta.signature;
  }
}

function argumentsOf(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // the model wrote no JSON; it is told what it wrote
  }
  return text;
}
