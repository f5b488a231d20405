/** The message of an error, without a final stop. */
export function text(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}
