import { Lines, ServerEvents } from "./lines.js";
import { detailOf, ModelProblem } from "./problem.js";

/** What a provider counted, in tokens. Input is all that was sent, wherever it was read from. */
export interface Usage {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** A piece of an answer. */
export type Delta =
  | { kind: "text"; text: string }
  /** Thinking; providers take it back only with its signature. */
  | { kind: "thinking"; text?: string; signature?: string; data?: string }
  /** A piece of a call; the index says of which. */
  | { kind: "call"; index: number; id?: string; name?: string; arguments?: string; signature?: string }
  | { kind: "usage"; usage: Usage }
  /** The model is done. */
  | { kind: "end"; reason: string };

/** Reads the stream of one provider: bytes in any pieces become deltas. */
export interface Reader {
  push(bytes: Uint8Array): Delta[];
  /** Nothing more comes. Throws when the answer had not ended. */
  end(): Delta[];
}

/** What a provider's own part of a reader does with one JSON object of the stream. */
export type Interpret = (event: Record<string, unknown>) => Delta[];

/** Reads objects out of server-sent events. */
export function readEvents(interpret: Interpret): Reader {
  const events = new ServerEvents();
  return reader(
    interpret,
    (line) => {
      const event = events.push(line);
      if (event) return event.data;
      // An endpoint that was not made to stream answers with one object, or says in one what is wrong.
      return line.startsWith("{") ? line : undefined;
    },
    () => events.flush()?.data,
  );
}

/** Reads objects that stand one in each line. */
export function readLines(interpret: Interpret): Reader {
  return reader(
    interpret,
    (line) => (line.trim() === "" ? undefined : line),
    () => undefined,
  );
}

function reader(
  interpret: Interpret,
  objectOf: (line: string) => string | undefined,
  rest: () => string | undefined,
): Reader {
  const lines = new Lines();
  let ended = false;
  let seen = false;
  const take = (text: string | undefined): Delta[] => {
    if (text === undefined) return [];
    if (text.trim() === "[DONE]") {
      ended = true;
      return [];
    }
    const deltas = interpret(parse(text));
    seen = true;
    ended ||= deltas.some(({ kind }) => kind === "end");
    return deltas;
  };
  let raw = "";
  return {
    push: (bytes) =>
      lines.push(bytes).flatMap((line) => {
        if (!seen && raw.length < 2000) raw += `${line}\n`;
        return take(objectOf(line));
      }),
    end: () => {
      const deltas = [
        ...lines.end().flatMap((line) => {
          if (!seen && raw.length < 2000) raw += line;
          return take(objectOf(line));
        }),
        ...take(rest()),
      ];
      if (!seen && !ended && raw.trim() !== "") throw garbage(raw);
      if (!ended) throw new ModelProblem("cut", "");
      return deltas;
    },
  };
}

function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw garbage(text);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw garbage(text);
  return value as Record<string, unknown>;
}

function garbage(text: string): ModelProblem {
  if (/^\s*<(!doctype|html|head|body)\b/i.test(text)) return new ModelProblem("page", detailOf(titleOf(text)));
  return new ModelProblem("garbage", detailOf(text));
}

/** What a page for people says: its title, else its text. */
export function titleOf(page: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim();
  return title || page.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " ");
}

/** The parts of an object of unknown origin, for those who read streams. */
export const object = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const words = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
export const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
