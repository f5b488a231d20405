import { detailOf, ModelProblem } from "./problem.js";
import { count, object, readEvents, words, type Delta, type Reader, type Usage } from "./stream.js";

/** Reads what Anthropic's messages API streams. */
export function readAnthropic(): Reader {
  let usage: Usage = { input: 0, output: 0 };
  return readEvents((event) => {
    const index = typeof event.index === "number" ? event.index : 0;
    switch (event.type) {
      case "error":
        throw said(object(event.error));
      case "message_start":
        usage = counted(object(object(event.message).usage), usage);
        return [{ kind: "usage", usage }];
      case "content_block_start":
        return begun(index, object(event.content_block));
      case "content_block_delta":
        return more(index, object(event.delta));
      case "message_delta": {
        usage = counted(object(event.usage), usage);
        const reason = words(object(event.delta).stop_reason);
        return [{ kind: "usage", usage }, ...(reason ? [{ kind: "end", reason } as const] : [])];
      }
      case "message_stop":
        return [{ kind: "end", reason: "stop" }];
      default:
        return []; // ping, content_block_stop, and what may come
    }
  });
}

function begun(index: number, block: Record<string, unknown>): Delta[] {
  switch (block.type) {
    case "tool_use":
      return [{ kind: "call", index, id: words(block.id) ?? "", name: words(block.name) ?? "" }];
    case "redacted_thinking":
      return [{ kind: "thinking", data: words(block.data) ?? "" }];
    case "thinking":
      return [{ kind: "thinking", text: words(block.thinking) ?? "" }];
    case "text":
      return block.text ? [{ kind: "text", text: words(block.text) ?? "" }] : [];
    default:
      return [];
  }
}

function more(index: number, delta: Record<string, unknown>): Delta[] {
  switch (delta.type) {
    case "text_delta":
      return [{ kind: "text", text: words(delta.text) ?? "" }];
    case "thinking_delta":
      return [{ kind: "thinking", text: words(delta.thinking) ?? "" }];
    case "signature_delta":
      return [{ kind: "thinking", signature: words(delta.signature) ?? "" }];
    case "input_json_delta":
      return [{ kind: "call", index, arguments: words(delta.partial_json) ?? "" }];
    default:
      return [];
  }
}

/** Anthropic counts what came from the cache, and went into it, apart from the input. */
function counted(said: Record<string, unknown>, before: Usage): Usage {
  const output = said.output_tokens === undefined ? before.output : count(said.output_tokens);
  if (said.input_tokens === undefined || said.input_tokens === null) return { ...before, output };
  const cacheRead = count(said.cache_read_input_tokens);
  const cacheWrite = count(said.cache_creation_input_tokens);
  return { input: count(said.input_tokens) + cacheRead + cacheWrite, output, cacheRead, cacheWrite };
}

function said(error: Record<string, unknown>): ModelProblem {
  const message = detailOf(words(error.message) ?? JSON.stringify(error));
  switch (error.type) {
    case "rate_limit_error":
    case "overloaded_error":
      return new ModelProblem("rate", message);
    case "authentication_error":
    case "permission_error":
      return new ModelProblem("key", message);
    default:
      return new ModelProblem("server", message);
  }
}
