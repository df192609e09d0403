/** What was gathered, the oldest first, and how much more there was. */
export function digestText(entries: readonly { at: string; text: string }[], gathered: number): string {
  const more = gathered - entries.length;
  return [
    ...entries.map(({ at, text }) => `${minuteOf(at)}\n${text}`),
    ...(more > 0 ? [`${entries.length > 0 ? 'And' : 'There were'} ${more} more.`] : []),
  ].join('\n\n');
}

/** `2026-11-20T12:00:00.000Z` as `2026-11-20 12:00 UTC` */
const minuteOf = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
