import { readAnthropic } from "./anthropic.js";
import { readGemini } from "./gemini.js";
import { send, type Request } from "./http.js";
import { readOllama } from "./ollama.js";
import { readOpenAI } from "./openai.js";
import { ModelProblem } from "./problem.js";
import { list, object, words, type Delta, type Reader } from "./stream.js";

/** What an endpoint speaks. */
export type EndpointType = "openai" | "anthropic" | "gemini" | "ollama";

/** An entry of the setting foreword.chat.endpoints. */
export interface Endpoint {
  name: string;
  type: EndpointType;
  /** Address up to the version, without a slash at the end. */
  url: string;
  models: string[];
  headers: Record<string, string>;
  provider?: string;
  window?: number;
}

interface Kind {
  wire: "openai-chat" | "anthropic" | "gemini" | "ollama";
  read(): Reader;
  path(model: string): string;
  /** What is added to the body of foreword.turn.prepare to have the answer streamed. */
  stream: Record<string, unknown>;
  key(key: string): Record<string, string>;
  /** Where the endpoint lists its models. */
  models: string;
  names(answer: Record<string, unknown>): string[];
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const kinds: Record<EndpointType, Kind> = {
  openai: {
    wire: "openai-chat",
    read: readOpenAI,
    path: () => "/chat/completions",
    stream: { stream: true, stream_options: { include_usage: true } },
    key: bearer,
    models: "/models",
    names: (answer) => namesIn(answer.data, "id"),
  },
  anthropic: {
    wire: "anthropic",
    read: readAnthropic,
    path: () => "/messages",
    stream: { stream: true },
    key: (key) => ({ "x-api-key": key }),
    models: "/models?limit=1000",
    names: (answer) => namesIn(answer.data, "id"),
  },
  gemini: {
    wire: "gemini",
    read: readGemini,
    path: (model) => `/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    stream: {},
    key: (key) => ({ "x-goog-api-key": key }),
    models: "/models?pageSize=1000",
    names: (answer) => namesIn(answer.models, "name").map((name) => name.replace(/^models\//, "")),
  },
  ollama: {
    wire: "ollama",
    read: readOllama,
    path: () => "/api/chat",
    stream: { stream: true },
    key: bearer,
    models: "/api/tags",
    names: (answer) => namesIn(answer.models, "name"),
  },
};

function namesIn(value: unknown, key: string): string[] {
  return list(value).flatMap((entry) => words(object(entry)[key]) ?? []);
}

/** The wire that foreword.turn.prepare is asked for. */
export const wireOf = (type: EndpointType) => kinds[type].wire;

/** The request that sends a prepared body: byte for byte as it is, and behind it what makes the answer stream. */
export function requestOf(
  endpoint: Endpoint,
  model: string,
  key: string | undefined,
  prepared: { body: Record<string, unknown>; bodyText?: string; headers: Record<string, string> },
): Request {
  const kind = kinds[endpoint.type];
  return {
    url: endpoint.url + kind.path(model),
    headers: { ...prepared.headers, ...(key ? kind.key(key) : {}), ...lower(endpoint.headers) },
    body: withMembers(prepared.bodyText ?? JSON.stringify(prepared.body), kind.stream),
  };
}

/** Adds members at the end of an object that is text, and changes nothing of what stands before. */
function withMembers(text: string, members: Record<string, unknown>): string {
  if (Object.keys(members).length === 0) return text;
  return `${text.trimEnd().slice(0, -1)},${JSON.stringify(members).slice(1)}`;
}

const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Sends a request and hands on the pieces of the answer as they come. */
export async function ask(
  endpoint: Endpoint,
  request: Request,
  signal: AbortSignal,
  onDelta: (delta: Delta) => void,
): Promise<void> {
  const reader = kinds[endpoint.type].read();
  await send(request, signal, (bytes) => reader.push(bytes).forEach(onDelta));
  reader.end().forEach(onDelta);
}

/** Asks an endpoint for its models. */
export async function modelsOf(endpoint: Endpoint, key: string | undefined, signal: AbortSignal): Promise<string[]> {
  const kind = kinds[endpoint.type];
  const version = endpoint.type === "anthropic" ? { "anthropic-version": "2023-06-01" } : {};
  const most = 4 * 1024 * 1024;
  const pieces: Uint8Array[] = [];
  let length = 0;
  const request = {
    url: endpoint.url + kind.models,
    headers: { ...version, ...(key ? kind.key(key) : {}), ...lower(endpoint.headers) },
  };
  await send(request, signal, (bytes) => {
    pieces.push(bytes);
    length += bytes.length;
    if (length > most) throw new ModelProblem("endless", `${most / 1024 / 1024} MB`);
  });
  try {
    return kind.names(object(JSON.parse(Buffer.concat(pieces).toString("utf8")))).sort();
  } catch {
    throw new ModelProblem("garbage", "");
  }
}

/** Reads the setting; what makes no sense is left out and told. */
export function endpointsOf(setting: unknown): { endpoints: Endpoint[]; wrong: string[] } {
  const endpoints: Endpoint[] = [];
  const wrong: string[] = [];
  list(setting).forEach((value, i) => {
    const entry = object(value);
    const name = words(entry.name)?.trim();
    const url = words(entry.url)?.trim().replace(/\/+$/, "");
    const type = (words(entry.type) ?? "openai") as EndpointType;
    if (!name || !url || !/^https?:\/\//.test(url) || !(type in kinds) || endpoints.some((one) => one.name === name)) {
      wrong.push(name ?? `#${i + 1}`);
      return;
    }
    const headers = Object.entries(object(entry.headers)).flatMap(([key, header]) =>
      typeof header === "string" ? [[key, header] as const] : [],
    );
    const provider = words(entry.provider);
    endpoints.push({
      name,
      type,
      url,
      models: list(entry.models).flatMap((model) => words(model) ?? []),
      headers: Object.fromEntries(headers),
      ...(provider ? { provider } : {}),
      ...(typeof entry.window === "number" && entry.window > 0 ? { window: entry.window } : {}),
    });
  });
  return { endpoints, wrong };
}
