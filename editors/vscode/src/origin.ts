/** A file that a line of a document names, and where what was taken from it begins. */
export interface Link {
  uri: string;
  /** From 0. */
  line: number;
}

/** The links to files in a line of a preview: `[path](file:///…) lines 3 to 9`. */
export function links(line: string): Link[] {
  return [...line.matchAll(/\]\((file:\/\/[^\s)]+)\)([^[]*)/g)].flatMap(([, uri, after]) => {
    const from = /^ lines (\d+) to/.exec(after ?? "")?.[1];
    return uri === undefined ? [] : [{ uri, line: from === undefined ? 0 : Number(from) - 1 }];
  });
}

/** The files that the section of a row names, nearest first; none for a section that foreword wrote itself. */
export function sectionLinks(lines: readonly string[], row: number): Link[] {
  for (let i = row; i >= 0; i--) {
    const found = links(lines[i] ?? "");
    if (found.length > 0) return found;
    if (i < row && (lines[i] ?? "").startsWith("## ")) return [];
  }
  return [];
}

/** The row of a file, at or after the link's, that has the same text; the link's own row where none has. */
export function rowOf(link: Link, text: string, file: readonly string[]): number {
  const same = text.trim() === "" ? -1 : file.findIndex((line, i) => i >= link.line && line === text);
  return same >= 0 ? same : link.line;
}
