// Everything of one kind, page after page, in the order of its numbers: what is added meanwhile comes last. A site may lie about
// how much it has, give the same page for ever, or never end.
import { Upstream } from '../../../outgoing/outgoing.ts';
import { transferErrors } from '../../errors.ts';
import type { Fault } from '../report.ts';
import { isObject, numberOf } from './shown.ts';
import { type Args, malformed, placeOf, type Source } from './source.ts';

export interface Paged {
  readonly items: readonly unknown[];
  /** Where they came from, for people. */
  readonly place: string;
  /** How many there are of them, where the site says so. */
  readonly total: number | undefined;
}

const size = 100;
const most = { pages: 20_000, empty: 20, tooLarge: 100, tooMany: 1_000 };

/** What whoever reads is told: what is wrong, and what is only good to know. */
export interface Telling {
  fault(fault: Fault): void;
  note(line: string): void;
}

/** What is asked for, and what it is in order of. */
export interface Wanted {
  readonly route: string;
  readonly args: Args;
  readonly orderby: 'id' | 'post';
}

/** Throws a `Problem` with the code `unending` when it is no use to read on. */
export async function* pagesOf(source: Pick<Source, 'get'>, wanted: Wanted, telling: Telling): AsyncGenerator<Paged> {
  const { route, orderby } = wanted;
  const ask = asking(source, wanted, telling.fault);
  let highest = nowhere;
  let empty = 0;
  const count = { read: 0, promised: 0 };
  for (let page = 1; page <= most.pages; page += 1) {
    const place = placeOf(route, { page, per_page: size });
    const { items, passed, total, isLast } = await ask(page, size);
    count.read += items.length + passed;
    count.promised = total ?? count.promised;
    const spots = items.map((item) => spotOf(item, orderby));
    const last = lastInOrder(spots, highest, place);
    empty = last === undefined ? empty + 1 : 0;
    if (empty > most.empty)
      throw transferErrors.unending(`${place} and the pages before it are empty, so the import stopped reading there.`);
    const before = highest;
    const fresh = items.filter((_, at) => spots[at]![1] === 0 || isAfter(spots[at]!, before));
    highest = last ?? highest;
    if (fresh.length > 0) yield { items: fresh, place, total };
    if (isLast ?? count.read === total) return lacking(route, count, telling);
    if (total !== undefined && count.read > 2 * total + most.tooMany)
      throw transferErrors.unending(
        `${route} has far more records than the ${total} that it announced, so the import stopped reading there.`,
      );
  }
  throw transferErrors.unending(`${route} has no end, so the import stopped reading after ${most.pages} pages.`);
}

/** Where something stands in the order, and its number: 0 for what has none. */
type Spot = readonly [first: number, id: number];

const nowhere: Spot = [0, 0];

function spotOf(item: unknown, orderby: Wanted['orderby']): Spot {
  const id = numberOf(item);
  if (orderby === 'id' || !isObject(item)) return [0, id];
  return Number.isSafeInteger(item.post) ? [item.post as number, id] : nowhere;
}

/** Throws if the page is not in order, or shows only what earlier pages showed. */
function lastInOrder(spots: readonly Spot[], highest: Spot, place: string): Spot | undefined {
  const real = spots.filter(([, id]) => id > 0);
  if (real.some((spot, at) => at > 0 && !isAfter(spot, real[at - 1]!)))
    throw transferErrors.unending(`${place} is not sorted as requested, so the import stopped reading there.`);
  const last = real.at(-1);
  if (last !== undefined && !isAfter(last, highest))
    throw transferErrors.unending(`${place} repeats earlier records, so the import stopped reading there.`);
  return last;
}

const isAfter = ([first, id]: Spot, [before, than]: Spot): boolean => first > before || (first === before && id > than);

/** Some are shown to nobody who asks, though they are counted. A whole page of them, or one in twenty, is more than that. */
function lacking(
  route: string,
  { read, promised }: { read: number; promised: number },
  { fault, note }: Telling,
): void {
  const lack = promised - read;
  if (lack <= 0) return;
  const message = `The other site announced ${promised} records, but sent ${read}.`;
  if (lack < size && lack * 20 <= promised) note(`${route}: ${message}`);
  else fault({ title: route, code: 'incomplete', message });
}

interface Piece {
  readonly items: readonly unknown[];
  /** How many there were that are too large. */
  readonly passed: number;
  readonly total: number | undefined;
  /** Nothing where only what comes after it can tell. */
  readonly isLast: boolean | undefined;
}

type Ask = (page: number, size: number) => Promise<Piece>;

/** A page that weighs too much is read in smaller ones, down to single records. */
function asking(source: Pick<Source, 'get'>, { route, args, orderby }: Wanted, fault: (fault: Fault) => void): Ask {
  let tooLarge = 0;
  const passOver = (place: string): Piece => {
    tooLarge += 1;
    if (tooLarge > most.tooLarge) throw transferErrors.unending(`${route} has too many records that are too large.`);
    fault({ title: place, code: 'too_large', message: 'It is too large to be imported.' });
    return { items: [], passed: 1, total: undefined, isLast: false };
  };
  const inParts = async (page: number, per_page: number): Promise<Piece> => {
    const items: unknown[] = [];
    let [passed, total]: [number, number | undefined] = [0, undefined];
    for (let part = (page - 1) * 10 + 1; part <= page * 10; part += 1) {
      const piece = await ask(part, per_page / 10);
      items.push(...piece.items);
      passed += piece.passed;
      total = piece.total ?? total;
      if (piece.isLast) return { items, passed, total, isLast: true };
    }
    return { items, passed, total, isLast: undefined };
  };
  const ask: Ask = async (page, per_page) => {
    const asked = { ...args, orderby, order: 'asc', per_page, page };
    try {
      const { body, total, pages } = await source.get(route, asked);
      if (!Array.isArray(body)) throw malformed(`The answer to ${placeOf(route, asked)} is not a list.`);
      return {
        items: body.slice(0, per_page),
        passed: 0,
        total,
        isLast: pages === undefined ? body.length === 0 || undefined : page >= pages,
      };
    } catch (error) {
      if (!(error instanceof Upstream && error.fault === 'size')) throw error;
      return per_page === 1 ? passOver(placeOf(route, asked)) : inParts(page, per_page);
    }
  };
  return ask;
}
