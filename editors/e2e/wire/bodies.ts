// The body of each wire in the words of the provider's own client. A wire that is not here has none: text is for people.
import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { Content, FunctionDeclaration, GenerationConfig } from "@google/genai";
import type { ChatRequest, Message, Tool, ToolCall } from "ollama";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import type { ResponseCreateParamsNonStreaming } from "openai/resources/responses/responses";
import type * as vscode from "vscode";

export interface Bodies {
  anthropic: MessageCreateParamsNonStreaming;
  gemini: Gemini;
  ollama: Ollama;
  "openai-chat": ChatCompletionCreateParamsNonStreaming;
  "openai-responses": ResponseCreateParamsNonStreaming;
  "vscode-lm": VSCode;
}

// The client takes other names than the service; clients.mjs holds that what it sends is this.
interface Gemini {
  systemInstruction?: Omit<Content, "role">;
  contents: (Content & { role: "user" | "model" })[];
  tools?: { functionDeclarations: FunctionDeclaration[] }[];
  generationConfig?: GenerationConfig;
}

// The server knows ids of calls (Message and ToolCall in api/types.go of ollama/ollama), its client for JavaScript does not.
type Ollama = Omit<ChatRequest, "messages" | "tools"> & {
  tools?: (Tool & { type: "function" })[];
  messages: (Omit<Message, "role" | "tool_calls"> & {
    role: "system" | "user" | "assistant" | "tool";
    tool_calls?: (ToolCall & { id?: string })[];
    tool_call_id?: string;
  })[];
};

// The extension makes an object of each part: the class that the part's type names, with the same fields. Bytes are base64.
type Text = { type: "text" } & Pick<vscode.LanguageModelTextPart, "value">;
type Data = { type: "data"; data: string } & Pick<vscode.LanguageModelDataPart, "mimeType">;
type Call = { type: "toolCall" } & Pick<vscode.LanguageModelToolCallPart, "callId" | "name" | "input">;
type Result = { type: "toolResult"; content: (Text | Data)[] } & Pick<vscode.LanguageModelToolResultPart, "callId">;
interface VSCode {
  model: vscode.LanguageModelChat["id"];
  messages: ({ role: "user"; content: (Text | Data | Result)[] } | { role: "assistant"; content: (Text | Data | Call)[] })[];
  tools?: vscode.LanguageModelChatTool[];
  modelOptions?: vscode.LanguageModelChatRequestOptions["modelOptions"];
}
