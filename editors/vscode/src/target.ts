/** The schemes of the server's virtual documents. */
export const previewScheme = "foreword-preview";
export const explainScheme = "foreword-explain";

/**
 * The URI of the file that a virtual document is about, out of the query of the document's URI: base64url of the
 * parameters as JSON. Nothing when the query is no such thing.
 */
export function targetOf(query: string): string | undefined {
  try {
    const params = JSON.parse(Buffer.from(query, "base64url").toString("utf8")) as { uri?: unknown } | null;
    return typeof params?.uri === "string" ? params.uri : undefined;
  } catch {
    return undefined;
  }
}
