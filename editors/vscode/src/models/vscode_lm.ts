import * as vscode from "vscode";
import { detailOf, ModelProblem } from "./problem.js";
import { list, object, words, type Delta } from "./stream.js";

/** A body of the wire vscode-lm as messages of VS Code's own classes. */
export function messagesOf(body: Record<string, unknown>): vscode.LanguageModelChatMessage[] {
  return list(body.messages).map((value) => {
    const message = object(value);
    const role =
      message.role === "assistant"
        ? vscode.LanguageModelChatMessageRole.Assistant
        : vscode.LanguageModelChatMessageRole.User;
    const parts = list(message.content).flatMap((part) => partOf(object(part)));
    return new vscode.LanguageModelChatMessage(role, parts as vscode.LanguageModelTextPart[]);
  });
}

type Part = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelToolResultPart;

function partOf(part: Record<string, unknown>): Part[] {
  switch (part.type) {
    case "text":
      return [new vscode.LanguageModelTextPart(words(part.value) ?? "")];
    case "toolCall":
      return [
        new vscode.LanguageModelToolCallPart(words(part.callId) ?? "", words(part.name) ?? "", object(part.input)),
      ];
    case "toolResult": {
      const content = list(part.content).flatMap((inner) => partOf(object(inner)));
      return [new vscode.LanguageModelToolResultPart(words(part.callId) ?? "", content)];
    }
    default:
      return []; // data: 1.100 has no class for it
  }
}

/** Sends a body of the wire vscode-lm to a model of VS Code's. */
export async function askModel(
  model: vscode.LanguageModelChat,
  body: Record<string, unknown>,
  signal: AbortSignal,
  onDelta: (delta: Delta) => void,
): Promise<void> {
  const cancel = new vscode.CancellationTokenSource();
  const stop = () => cancel.cancel();
  signal.addEventListener("abort", stop);
  try {
    const tools = list(body.tools).map((value): vscode.LanguageModelChatTool => {
      const tool = object(value);
      return {
        name: words(tool.name) ?? "",
        description: words(tool.description) ?? "",
        inputSchema: object(tool.inputSchema),
      };
    });
    const options: vscode.LanguageModelChatRequestOptions = {
      justification: vscode.l10n.t("Foreword's chat sends your message, with the prompt that it shows."),
      ...(tools.length > 0 ? { tools } : {}),
    };
    const answer = await model.sendRequest(messagesOf(body), options, cancel.token);
    let index = 0;
    for await (const part of answer.stream) {
      signal.throwIfAborted();
      if (part instanceof vscode.LanguageModelTextPart) onDelta({ kind: "text", text: part.value });
      else if (part instanceof vscode.LanguageModelToolCallPart)
        onDelta({
          kind: "call",
          index: index++,
          id: part.callId,
          name: part.name,
          arguments: JSON.stringify(part.input),
        });
    }
    onDelta({ kind: "end", reason: "stop" });
  } catch (error) {
    signal.throwIfAborted();
    throw problemOf(error);
  } finally {
    signal.removeEventListener("abort", stop);
    cancel.dispose();
  }
}

function problemOf(error: unknown): unknown {
  if (!(error instanceof vscode.LanguageModelError)) return error;
  const detail = detailOf(error.message);
  switch (error.code) {
    case vscode.LanguageModelError.NoPermissions.name:
      return new ModelProblem("permission", detail);
    case vscode.LanguageModelError.Blocked.name:
      return new ModelProblem(/rate|quota/i.test(detail) ? "rate" : "blocked", detail);
    case vscode.LanguageModelError.NotFound.name:
      return new ModelProblem("not-found", detail);
    default:
      return new ModelProblem("server", detail);
  }
}
