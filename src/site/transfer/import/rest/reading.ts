// One kind of thing after another, each page by page: what cannot be read is told, and the rest goes on.
import { Problem } from '#kernel/problem.ts';
import { refusing, Upstream } from '../../../outgoing/outgoing.ts';
import { transferErrors } from '../../errors.ts';
import type { Arriving } from '../arriving.ts';
import { faultOf } from '../run.ts';
import type { Sources } from '../sources.ts';
import type { CarriedTerm, TheirFile, TheirRecord } from '../theirs.ts';
import { isHidden, type Numbered } from './numbered.ts';
import { type Paged, pagesOf, type Wanted } from './paging.ts';
import { isObject, Left, numberOf, type Shown } from './shown.ts';
import { type Args, mayPass, type Pace, patiently, type Source } from './source.ts';

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
    note(`${what}: this login cannot edit all of them, so the import reads them as visitors see them.`);
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
      if (id === 0) throw transferErrors.malformed();
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

/** What whoever reads may do on the other site: texts as they were written are shown to those who may edit them. */
interface Rights {
  /** Where nobody says, it is tried. */
  may(capability: string): boolean;
}

export async function rightsOf(source: Source): Promise<Rights> {
  if (!source.isKnown) return { may: () => false };
  const asked = { context: 'edit', _fields: 'id,capabilities' };
  const body = await source.get('users/me', asked).then((answer) => answer.body, untold);
  const said = isObject(body) ? body.capabilities : undefined;
  return { may: (capability) => (isObject(said) ? Boolean(said[capability]) : true) };
}

/** Not every site tells anybody about users. */
function untold(error: unknown): undefined {
  if (!isHidden(error)) return refusing('not_fetched')(error);
  if (error.status !== 401 && error.status !== 403) return undefined;
  throw transferErrors.notSignedIn().because(error);
}

// Files of a site that is running: one that is not to be had now is tried once more, and each must weigh what the site says.

/** Bytes by address; 0 where nobody says. */
export type FileSizes = Map<string, number>;

interface FetchingOptions {
  readonly sources: Pick<Sources, 'file'>;
  readonly sizes: ReadonlyMap<string, number>;
  readonly pace: Pace;
  readonly dryRun: boolean;
}

/** Few: there may be very many that are gone. */
const tries = 2;

export function createFetching({ sources, sizes, pace, dryRun }: FetchingOptions) {
  return async (record: TheirRecord): Promise<TheirFile | undefined> => {
    const file = await patiently(() => sources.file(record), pace, tries);
    const said = sizes.get(record.file_url) ?? 0;
    if (file === undefined || dryRun || said === 0 || said === file.size) return file;
    await file.release();
    throw transferErrors.downloadSizeMismatch(file.size, said);
  };
}
