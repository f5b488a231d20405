/** What a model wants done to a file. */
export interface Replacement {
  path: string;
  /** What stands there now; empty to write a new file. */
  old: string;
  new: string;
  /** Every place, not only one. */
  all: boolean;
}

/** Reads the arguments of the tool edit; a text says what is wrong with them, for the model. */
export function replacementOf(call: unknown): Replacement | string {
  if (typeof call !== "object" || call === null) return 'the arguments must be an object with "path", "old" and "new"';
  const { path, old = "", new: now, all = false } = call as Record<string, unknown>;
  if (typeof path !== "string" || path.trim() === "") return '"path" must be the path of a file in the workspace';
  if (typeof old !== "string") return '"old" must be a text';
  if (typeof now !== "string") return '"new" must be a text';
  if (typeof all !== "boolean") return '"all" must be true or false';
  return { path, old, new: now, all };
}

/** The text after a replacement; or, as an error, what the model has to do better. */
export function replaceIn(text: string | undefined, wanted: Replacement): { text: string } | { error: string } {
  if (text === undefined)
    return wanted.old === ""
      ? { text: wanted.new }
      : { error: `there is no file ${wanted.path}; to write one, leave "old" empty` };
  if (wanted.old === "")
    return text === ""
      ? { text: wanted.new }
      : { error: `${wanted.path} exists; give in "old" the lines that are to be replaced` };
  if (wanted.old === wanted.new) return { error: '"old" and "new" are the same; nothing would change' };
  // A model writes \n; the file may have \r\n.
  const windows = text.includes("\r\n") && !wanted.old.includes("\r\n");
  const [old, now] = windows
    ? [wanted.old, wanted.new].map((part) => part.replace(/\r?\n/g, "\r\n"))
    : [wanted.old, wanted.new];
  const pieces = text.split(old ?? "");
  const places = pieces.length - 1;
  if (places === 0)
    return {
      error: `"old" does not stand in ${wanted.path} as it is given; read the file and copy the lines with their blanks`,
    };
  if (places > 1 && !wanted.all)
    return { error: `"old" stands in ${wanted.path} ${places} times; give more lines round it, or set "all"` };
  return { text: pieces.join(now) };
}
