import { detailOf, ModelProblem } from "./problem.js";
import { count, list, object, readEvents, words, type Delta, type Reader } from "./stream.js";

/** Reads what Gemini's streamGenerateContent sends with alt=sse. */
export function readGemini(): Reader {
  let calls = 0;
  return readEvents((event) => {
    if (event.error !== undefined) {
      const error = object(event.error);
      const status = typeof error.code === "number" ? error.code : undefined;
      const message = detailOf(words(error.message) ?? JSON.stringify(error));
      throw new ModelProblem(status === 429 ? "rate" : "server", message, status);
    }
    const blocked = words(object(event.promptFeedback).blockReason);
    if (blocked) throw new ModelProblem("blocked", blocked);
    const candidate = object(list(event.candidates)[0]);
    const deltas: Delta[] = list(object(candidate.content).parts).flatMap((value): Delta[] => {
      const part = object(value);
      const signature = words(part.thoughtSignature);
      const signed = signature ? { signature } : {};
      if (part.functionCall !== undefined) {
        const call = object(part.functionCall);
        const index = calls++;
        // Gemini gives a call whole, and most often without an id.
        return [
          {
            kind: "call",
            index,
            id: words(call.id) ?? "",
            name: words(call.name) ?? "",
            arguments: JSON.stringify(call.args ?? {}),
            ...signed,
          },
        ];
      }
      const text = words(part.text);
      if (part.thought === true) return [{ kind: "thinking", ...(text ? { text } : {}), ...signed }];
      return text ? [{ kind: "text", text }] : [];
    });
    const usage = object(event.usageMetadata);
    if (usage.promptTokenCount !== undefined)
      deltas.push({
        kind: "usage",
        usage: {
          input: count(usage.promptTokenCount),
          output: count(usage.candidatesTokenCount) + count(usage.thoughtsTokenCount),
          cacheRead: count(usage.cachedContentTokenCount),
        },
      });
    const reason = words(candidate.finishReason);
    if (reason) deltas.push({ kind: "end", reason });
    return deltas;
  });
}
