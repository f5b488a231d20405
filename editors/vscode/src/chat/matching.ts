/** A pattern of VS Code's that finds a text in names, in whatever case. */
export function wildcard(text: string): string {
  return [...text]
    .map((letter) => {
      const [low, high] = [letter.toLowerCase(), letter.toUpperCase()];
      if (low !== high && low.length === 1 && high.length === 1) return `[${low}${high}]`;
      return /[[\]{}*?!,]/.test(letter) ? "?" : letter;
    })
    .join("");
}

/** Sorts what was found: names that are the text, that begin with it, that have it; then shorter paths. */
export function rank<T extends { label: string; detail: string }>(items: readonly T[], query: string): T[] {
  const wanted = query.toLowerCase();
  const score = ({ label, detail }: T) => {
    const name = label.toLowerCase().replace(/\/$/, "");
    if (name === wanted) return 0;
    if (name.startsWith(wanted)) return 1;
    if (name.includes(wanted)) return 2;
    return detail.toLowerCase().includes(wanted) ? 3 : 4;
  };
  return items
    .map((item, i) => ({ item, i, score: wanted === "" ? 0 : score(item) }))
    .filter(({ score }) => score < 4)
    .sort((a, b) => a.score - b.score || (wanted === "" ? 0 : a.item.detail.length - b.item.detail.length) || a.i - b.i)
    .map(({ item }) => item);
}
