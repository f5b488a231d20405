/** What went wrong between the chat and a model. */
export type ProblemKind =
  /** Nobody listens at the address. */
  | "refused"
  /** The name of the host is not known. */
  | "unknown-host"
  /** The certificate is not trusted. */
  | "certificate"
  /** The connection ended before the answer did. */
  | "cut"
  /** What came is not what the endpoint's type says. */
  | "garbage"
  /** A page for people came, not an answer. */
  | "page"
  /** One line, or the whole answer, is longer than any model says. */
  | "endless"
  /** The key is missing or wrong. */
  | "key"
  /** The model or the address is not known there. */
  | "not-found"
  /** Too many requests. */
  | "rate"
  /** The endpoint itself is in trouble. */
  | "server"
  /** The endpoint refuses the request. */
  | "request"
  /** The provider will not answer this. */
  | "blocked"
  /** The user has not allowed the model. */
  | "permission"
  /** Nothing was said. */
  | "empty";

/** Why there is no answer, or no whole one. */
export class ModelProblem extends Error {
  constructor(
    readonly kind: ProblemKind,
    /** What the endpoint or the system said, for the user. */
    readonly detail: string,
    /** The status of HTTP, where there was one. */
    readonly status?: number,
    /** For how many seconds the endpoint wants to be left alone. */
    readonly retryAfter?: number,
  ) {
    super(`${kind}: ${detail}`);
  }
}

/** Makes one line of what an endpoint said, short enough to be shown. */
export function detailOf(text: string): string {
  const longest = 300;
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
