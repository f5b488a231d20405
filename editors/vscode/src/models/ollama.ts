import { detailOf, ModelProblem } from "./problem.js";
import { count, list, object, readLines, words, type Delta, type Reader } from "./stream.js";

/** Reads what Ollama's own /api/chat sends: an object in each line. */
export function readOllama(): Reader {
  let calls = 0;
  return readLines((event) => {
    if (event.error !== undefined)
      throw new ModelProblem("server", detailOf(words(event.error) ?? JSON.stringify(event.error)));
    const message = object(event.message);
    const deltas: Delta[] = [];
    const thinking = words(message.thinking);
    if (thinking) deltas.push({ kind: "thinking", text: thinking });
    const text = words(message.content);
    if (text) deltas.push({ kind: "text", text });
    for (const value of list(message.tool_calls)) {
      const call = object(object(value).function);
      deltas.push({
        kind: "call",
        index: calls++,
        id: words(object(value).id) ?? "",
        name: words(call.name) ?? "",
        arguments: JSON.stringify(call.arguments ?? {}),
      });
    }
    if (event.done === true) {
      if (event.prompt_eval_count !== undefined)
        deltas.push({
          kind: "usage",
          usage: { input: count(event.prompt_eval_count), output: count(event.eval_count) },
        });
      deltas.push({ kind: "end", reason: words(event.done_reason) ?? "stop" });
    }
    return deltas;
  });
}
