// Limits on what one argument may hold, so that no request costs more than a small share of a second.
import type { Check } from './schema.ts';

const most = 1_000;
/** No name in addresses is longer. */
const longestName = 250;

/** A list of at most this many items. */
export const atMost = (count: number) => (list: readonly unknown[]) =>
  list.length <= count ? undefined : { code: 'rest_too_many_items', message: `Send at most ${count} values.` };

/** Every item becomes a part of one statement. */
export const few = atMost(most);

export const fewNames: Check = (list: readonly string[]) => {
  if (list.length > most) return few(list);
  const isLong = list.some((name) => name.length > longestName);
  return isLong
    ? { code: 'rest_too_long', message: `Each value must have at most ${longestName} characters.` }
    : undefined;
};

/** So many letters, however many bytes they take. */
export const shorter =
  (name: string, longest: number): Check =>
  (text: string) =>
    [...text.slice(0, 2 * longest + 1)].length <= longest
      ? undefined
      : { code: 'rest_too_long', message: `${name} must have at most ${longest} characters.` };

/** What a list is searched for. */
export const shortTerm: Check = shorter('search', most);

/** Where a list begins, however far away or below nothing somebody says. */
export const startOf = (offset: number): number => Math.min(Math.abs(offset), Number.MAX_SAFE_INTEGER);
