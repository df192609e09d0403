// What texts show of others is short, however long somebody made it.

/** In characters as they are kept: of a title, of an excerpt or caption, of a note, of content for the first words of it. */
export const longest = { title: 1_000, excerpt: 4_000, note: 4_000, content: 16_384 } as const;

/** What a record shows of its own, in the place that is made for it: nobody reads a longer one. */
export const longestOwn = { title: 16_384, excerpt: 65_536 } as const;

/** As much of a text as may be shown within another. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${beginningOf(text, most)}…`;

/** No more than so much of a text: up to where no tag, no comment and no word is torn. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const first = text.slice(0, most);
  const torn = [first.lastIndexOf('<'), first.lastIndexOf('<!--')].filter(
    (at, nth) => at >= 0 && isTorn(first, at, nth),
  );
  if (torn.length > 0) return first.slice(0, Math.min(...torn));
  return first.replace(/\s\S{0,100}$/, '').toWellFormed();
}

const isTorn = (text: string, from: number, nth: number): boolean =>
  nth === 0 ? /^<[a-z/!]/i.test(text.slice(from, from + 2)) && !text.includes('>', from) : !text.includes('-->', from);
