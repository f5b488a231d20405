import { detailOf, ModelProblem } from "./problem.js";
import { count, list, object, readEvents, words, type Delta, type Reader } from "./stream.js";

/** Reads what OpenAI's chat API streams, and the many that speak like it. */
export function readOpenAI(): Reader {
  return readEvents((event) => {
    if (event.error !== undefined && event.error !== null) throw said(event.error);
    return [...choice(object(list(event.choices)[0])), ...usage(object(event.usage))];
  });
}

function choice(choice: Record<string, unknown>): Delta[] {
  const deltas: Delta[] = [];
  // One that was not made to stream has the message whole.
  const delta = object(choice.delta ?? choice.message);
  const thinking = words(delta.reasoning_content) ?? words(delta.reasoning);
  if (thinking) deltas.push({ kind: "thinking", text: thinking });
  const text = words(delta.content) ?? words(delta.refusal);
  if (text) deltas.push({ kind: "text", text });
  list(delta.tool_calls).forEach((value, position) => {
    const call = object(value);
    const named = object(call.function);
    deltas.push({
      kind: "call",
      index: typeof call.index === "number" ? call.index : position,
      ...given("id", words(call.id)),
      ...given("name", words(named.name)),
      ...given("arguments", words(named.arguments)),
    });
  });
  const reason = words(choice.finish_reason);
  if (reason) deltas.push({ kind: "end", reason });
  return deltas;
}

const given = <K extends string>(key: K, value: string | undefined) =>
  (value ? { [key]: value } : {}) as Partial<Record<K, string>>;

function usage(usage: Record<string, unknown>): Delta[] {
  if (usage.prompt_tokens === undefined) return [];
  const cached = object(usage.prompt_tokens_details).cached_tokens ?? usage.prompt_cache_hit_tokens;
  return [
    {
      kind: "usage",
      usage: {
        input: count(usage.prompt_tokens),
        output: count(usage.completion_tokens),
        ...(cached === undefined || cached === null ? {} : { cacheRead: count(cached) }),
      },
    },
  ];
}

function said(error: unknown): ModelProblem {
  const message = words(error) ?? words(object(error).message) ?? JSON.stringify(error);
  return new ModelProblem("server", detailOf(message));
}
