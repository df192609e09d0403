/** How many letters must be changed, added, taken away or swapped with their neighbour to get from one word to the other. */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= from.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const least = Math.min(changed, at(i - 1, j) + 1, at(i, j - 1) + 1);
      rows[i]![j] = swapped ? Math.min(least, at(i - 2, j - 2) + 1) : least;
    }
  }
  return at(from.length, to.length);
}

/** The word somebody probably meant, if any is near enough to be worth saying. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const near = [...known]
    .map((name) => ({ name, away: distance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.away - b.away)[0];
  return near && near.away <= Math.max(1, Math.floor(near.name.length / 3)) ? near.name : undefined;
}

/** A sentence's end: ` Did you mean "serve"?` or nothing. */
export function suggestion(word: string, known: Iterable<string>): string {
  const near = nearest(word, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
