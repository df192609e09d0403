// One kind of thing after another, each page by page: what cannot be read is told, and the rest goes on.
import { Problem } from '#kernel/problem.ts';
import { Upstream } from '../../../outgoing/outgoing.ts';
import type { Arriving } from '../arriving.ts';
import { faultOf } from '../run.ts';
import type { CarriedTerm } from '../theirs.ts';
import type { FileSizes } from './fetching.ts';
import { isHidden, type Numbered } from './numbered.ts';
import { type Paged, pagesOf, type Wanted } from './paging.ts';
import { mayPass } from './patience.ts';
import type { Rights } from './rights.ts';
import { Left, numberOf, type Shown } from './shown.ts';
import type { Args, Source } from './source.ts';

export interface MoveOptions {
  readonly source: Source;
  readonly arriving: Arriving;
  /** How much the files weigh that come next. */
  readonly sizes: FileSizes;
  /** What whoever looks on should know, and how far it is. */
  readonly note: (line: string) => void;
  readonly progress: (what: string, done: number, total: number | undefined) => void;
}

export interface Move extends MoveOptions {
  readonly rights: Rights;
  readonly logins: Numbered<string>;
  /** By the name under which records carry them. */
  readonly terms: ReadonlyMap<string, Numbered<CarriedTerm>>;
}

/** What is read, and what is done with each page of it. */
export interface Reading {
  readonly what: string;
  readonly route: string;
  readonly orderby?: Wanted['orderby'];
  /** What must be allowed to read it whole, and how it is read then. */
  readonly whole?: { readonly right: string; readonly args: Args };
  readonly args: Args;
  /** Whether nobody wonders when it is not shown. */
  readonly isOften: boolean;
  take(page: Paged): Promise<void>;
}

/** False when it is no use to read on now. */
export async function reading(
  move: Move,
  { what, route, orderby = 'id', whole, args, isOften, take }: Reading,
): Promise<boolean> {
  const { source, rights, note, progress, arriving } = move;
  let done = 0;
  const all = async (asked: Args): Promise<void> => {
    progress(what, done, undefined);
    for await (const page of pagesOf(source, { route, args: asked, orderby }, { fault: arriving.report.fault, note })) {
      await take(page);
      done += page.items.length;
      progress(what, done, page.total);
    }
  };
  try {
    if (whole === undefined || !source.isKnown) await all(args);
    else if (rights.may(whole.right)) await all(whole.args).catch((error) => shownOnly(error));
    else await shownOnly();
    return true;
  } catch (error) {
    return stopped(move, { what, isWanted: isOften || done > 0 }, error);
  }

  /** What everybody is shown, where more is not. */
  async function shownOnly(error?: unknown): Promise<void> {
    if (error !== undefined && (done > 0 || !isHidden(error))) throw error;
    note(`${what}: this login may not edit all of them, so they are read as everybody is shown them.`);
    await all(args);
  }
}

/** Whether to go on with what comes next. */
function stopped(
  { arriving, note }: Move,
  { what, isWanted }: { readonly what: string; readonly isWanted: boolean },
  error: unknown,
): boolean {
  if (isHidden(error) && !isWanted) {
    note(`${what}: the other site does not show them.`);
    return true;
  }
  const isTheirs = error instanceof Problem && ['unending', 'malformed'].includes(error.code);
  if (!(error instanceof Upstream) && !isTheirs) throw error;
  arriving.report.fault(faultOf(error, {}, what));
  return !(error instanceof Upstream && mayPass(error));
}

/** What can be read of a page, each record by itself. */
export function each<T>(
  { arriving: { report } }: Move,
  { items, place }: Paged,
  read: (record: Shown) => T,
  ended: (outcome: 'skipped' | 'failed') => void,
): T[] {
  return items.flatMap((item, at) => {
    const id = numberOf(item);
    try {
      if (id === 0) throw new Problem(502, 'malformed', 'It has no number, so it is no record.');
      return [read(item as Shown)];
    } catch (error) {
      const where = `${place}, record ${at + 1}`;
      if (error instanceof Left) {
        ended('skipped');
        report.note({ id, title: where, code: error.code, message: error.message });
        return [];
      }
      ended('failed');
      report.fault(faultOf(error, id > 0 ? { id } : {}, where));
      return [];
    }
  });
}
