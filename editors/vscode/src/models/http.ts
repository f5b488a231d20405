import * as http from "node:http";
import * as https from "node:https";
import { detailOf, ModelProblem, type ProblemKind } from "./problem.js";
import { object, titleOf, words } from "./stream.js";

/** A request, with nothing left open. */
export interface Request {
  url: string;
  headers: Record<string, string>;
  /** The body of a POST; without one it is a GET. */
  body?: string;
}

/** What is read of an answer that is an error. */
const mostOfError = 64 * 1024;

/**
 * Sends a request and hands on what comes, piece by piece. Node's own http is used, not fetch: in the extension host
 * it follows the editor's settings of proxies and certificates, and it never gives up on a model that thinks.
 */
export async function send(request: Request, signal: AbortSignal, onData: (bytes: Uint8Array) => void): Promise<void> {
  signal.throwIfAborted();
  const url = addressOf(request.url);
  const module = url.protocol === "https:" ? https : http;
  await new Promise<void>((resolve, reject) => {
    const options = {
      method: request.body === undefined ? "GET" : "POST",
      headers: {
        accept: "text/event-stream, application/x-ndjson, application/json",
        "accept-encoding": "identity",
        ...request.headers,
        ...(request.body === undefined ? {} : { "content-length": String(Buffer.byteLength(request.body)) }),
      },
      signal,
    };
    const sent = module.request(url, options, (response) => {
      const status = response.statusCode ?? 0;
      const fail = (error: unknown) => {
        reject(error instanceof Error ? error : new Error(String(error)));
        response.destroy();
      };
      response.on("error", (error) => fail(signal.aborted ? signal.reason : problemOf(error)));
      response.on("aborted", () => fail(signal.aborted ? signal.reason : new ModelProblem("cut", "")));
      if (status < 200 || status >= 300) {
        const pieces: Buffer[] = [];
        let length = 0;
        const end = () => reject(refusal(status, response.headers, Buffer.concat(pieces).toString("utf8")));
        response.on("data", (piece: Buffer) => {
          pieces.push(piece);
          length += piece.length;
          if (length > mostOfError) {
            end();
            response.destroy();
          }
        });
        response.on("end", end);
        return;
      }
      response.on("data", (piece: Buffer) => {
        try {
          onData(piece);
        } catch (error) {
          fail(error);
        }
      });
      response.on("end", resolve);
    });
    sent.on("error", (error) => reject(signal.aborted ? (signal.reason as Error) : problemOf(error)));
    sent.end(request.body);
  });
}

function addressOf(text: string): URL {
  try {
    const url = new URL(text);
    if (url.protocol === "http:" || url.protocol === "https:") return url;
  } catch {
    // said below
  }
  throw new ModelProblem("request", `"${text}" is no address that begins with http:// or https://`);
}

/** What an error of the connection means. */
function problemOf(error: Error): ModelProblem {
  if (error instanceof ModelProblem) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const inner = error instanceof AggregateError ? (error.errors[0] as Error | undefined)?.message : undefined;
  const detail = detailOf(error.message || inner || code);
  if (code === "ECONNREFUSED") return new ModelProblem("refused", detail);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return new ModelProblem("unknown-host", detail);
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return new ModelProblem("certificate", detail);
  if (code === "ECONNRESET" || code === "EPIPE" || code === "ETIMEDOUT") return new ModelProblem("cut", detail);
  if (code.startsWith("HPE_")) return new ModelProblem("garbage", detail);
  return new ModelProblem("refused", detail);
}

/** What a status of HTTP that is no success means. */
function refusal(status: number, headers: http.IncomingHttpHeaders, body: string): ModelProblem {
  const detail = detailOf(saidIn(body) || http.STATUS_CODES[status] || "");
  return new ModelProblem(kindOf(status, detail), detail, status, waitOf(headers));
}

function kindOf(status: number, detail: string): ProblemKind {
  if (status === 401 || status === 403) return "key";
  if (status === 404) return "not-found";
  // 529 is Anthropic's "overloaded"; 503 is what a proxy or a model that is loaded answers.
  if (status === 429 || status === 529 || status === 503)
    return /quota|billing|credit/i.test(detail) ? "request" : "rate";
  if (status >= 500) return "server";
  if (status === 400 && /api.?key/i.test(detail)) return "key"; // Gemini's way
  return "request";
}

function saidIn(body: string): string {
  try {
    const value = object(JSON.parse(body));
    const error = value.error ?? value;
    return words(error) ?? words(object(error).message) ?? words(value.message) ?? words(value.detail) ?? body;
  } catch {
    return titleOf(body);
  }
}

/** The header retry-after: seconds, or a date. */
function waitOf(headers: http.IncomingHttpHeaders): number | undefined {
  const after = headers["retry-after"];
  if (after === undefined) return undefined;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
