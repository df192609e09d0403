// What texts of records point at: addresses of the site they come from, and numbers of its records. Only whole addresses and whole
// numbers are replaced, each by looking once at every letter.
import { markOf, unmarked } from '../../content/marks.ts';

/** What an address or a number there is here; nothing where it stays. */
export interface Turning {
  /** Of a whole address, as it stands. */
  address(found: string): string | undefined;
  number(id: number): number | undefined;
}

const addresses = /https?:\/\/[^\s"'<>\\^`{|}\])]+/g;
const wrapped = /\b(wp-image-|attachment_)(\d{1,15})(?![\d\w-])/g;
const listed = /(\[(?:gallery|playlist)\b[^\]]{0,300}?\bids=["']?)([\d,\s]{1,2000})/g;
const embedded = /(\[site-(?:gallery|album)\b[^\]]{0,300}?\bid=["']?)(\d{1,15})(?!\d)/g;
const numbered = ['id', 'mediaId', 'ref', 'galleryId'];

/** Whether there may be anything in it that is not only text. */
export const mayPoint = (text: string, isRewriting: boolean): boolean =>
  (isRewriting && text.includes('://')) ||
  ['wp-image-', 'attachment_', 'ids=', '[site-', '<!-- wp:'].some((sign) => text.includes(sign));

export function turned(text: string, turning: Turning): string {
  const numberOf = (digits: string): string => {
    const id = Number(digits);
    return `${turning.number(id) ?? id}`;
  };
  const plain = text
    .replace(addresses, (found) => turning.address(found) ?? found)
    .replace(wrapped, (_, name: string, digits: string) => `${name}${numberOf(digits)}`)
    .replace(listed, (_, before: string, ids: string) => before + ids.replace(/\d{1,15}/g, numberOf))
    .replace(embedded, (_, before: string, digits: string) => before + numberOf(digits));
  return withMarks(plain, (comment) => turnedMark(comment, turning));
}

/** Each comment once, to the end of it; where one does not end, nothing more is looked at. */
function withMarks(text: string, turn: (comment: string) => string | undefined): string {
  const pieces: string[] = [];
  let done = 0;
  for (let from = text.indexOf('<!-- wp:'); from !== -1; from = text.indexOf('<!-- wp:', done)) {
    const to = text.indexOf('-->', from);
    if (to === -1) break;
    const whole = text.slice(from, to + 3);
    pieces.push(text.slice(done, from), turn(text.slice(from + 4, to)) ?? whole);
    done = to + 3;
  }
  return done === 0 ? text : pieces.join('') + text.slice(done);
}

/** Written anew only where a number in it changes. */
function turnedMark(comment: string, { number }: Turning): string | undefined {
  const mark = markOf(comment);
  if (mark?.attributes === undefined) return undefined;
  const attributes = read(mark.attributes);
  if (attributes === undefined) return undefined;
  const changed = Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) => {
      const now = numbered.includes(key) ? one(value, number) : key === 'ids' ? many(value, number) : undefined;
      return now === undefined ? [] : [[key, now]];
    }),
  );
  if (Object.keys(changed).length === 0) return undefined;
  const json = unmarked(JSON.stringify({ ...attributes, ...changed }));
  return `<!-- wp:${mark.name} ${json} ${mark.isAlone ? '/' : ''}-->`;
}

function read(json: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

const one = (value: unknown, number: Turning['number']): number | undefined =>
  typeof value === 'number' ? number(value) : undefined;

function many(value: unknown, number: Turning['number']): unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const turned = value.map((id) => one(id, number) ?? id);
  return turned.some((id, at) => id !== value[at]) ? turned : undefined;
}
