// Arriving, put together: each kind has a file of its own beside this one.
import { keysOf } from '#lib/objects.ts';
import { momentAt } from '#lib/wall-time.ts';
import { keepMeta, metaOf as metaKept } from '../../content/meta.ts';
import { keepPost } from '../../content/posts/change.ts';
import type { Now } from '../../content/posts/dates.ts';
import { findFound, postLock } from '../../content/posts/rows.ts';
import type { Arriving, ArrivingOptions, Became } from './arriving.ts';
import { createDiscussing } from './comments.ts';
import { createKnown } from './known.ts';
import { makeFile } from './media.ts';
import { menuTaxonomy } from './menus/items.ts';
import { createMenus } from './menus/menus.ts';
import { type Made, type Making, makeRecords } from './records.ts';
import { createReport, type Fault, type Report } from './report.ts';
import { type ArrivingNeeds, bounds, faultOf, type Run } from './run.ts';
import { type Arriver, findSame, type Repeated, type Same } from './same.ts';
import { settleRecords } from './settling.ts';
import { guidOf, metaOf, momentOf, titleOf, written } from './sound.ts';
import { createSorting } from './terms.ts';
import type { TheirMeta, TheirRecord } from './theirs.ts';
import { createAuthors } from './users.ts';

/** As many terms as a request may name, and many more old slugs than anybody keeps track of. */
const most = { terms: 1_000, meta: 1_000, old_slugs: 100 };

const names: Readonly<Record<keyof typeof most, string>> = {
  terms: 'terms',
  meta: 'meta values',
  old_slugs: 'old slugs',
};

const members = keysOf(most);

function bounded(theirs: TheirRecord, report: Pick<Report, 'fault'>): TheirRecord {
  const tooMany = members.filter((member) => theirs[member].length > most[member]);
  if (tooMany.length === 0) return theirs;
  const { line, id, title } = theirs;
  for (const member of tooMany) {
    const message = `It has ${theirs[member].length} ${names[member]}; the first ${most[member]} are imported.`;
    report.fault({ ...(line !== undefined && { line }), id, title, code: 'too_many', message });
  }
  return { ...theirs, ...Object.fromEntries(tooMany.map((member) => [member, theirs[member].slice(0, most[member])])) };
}

/** What of them is nobody's but the other site's own. */
const passedOver = new Set(['revision']);

type Carried = Readonly<Record<string, readonly number[]>>;

export function createArriving(needs: ArrivingNeeds, options: ArrivingOptions, report = createReport()): Arriving {
  const run: Run = { needs, options, report, known: createKnown(needs.store.db, options.from, needs.clock()) };
  const authors = createAuthors(run);
  const sorting = createSorting(run);
  const discussing = createDiscussing(run, authors);
  const menus = createMenus(run);
  const now = async (): Promise<Now> => {
    const zone = await needs.content.zone();
    return { ...momentAt(zone, needs.clock()), zone };
  };
  const settle = async (progress: (records: number) => void | Promise<void> = () => {}): Promise<void> => {
    await discussing.end();
    for (const note of await authors.strangers()) report.note(note);
    if (!options.dryRun) await settleRecords(run, progress);
    await menus.make((all) => take(all, true));
  };
  /** `isSettled`: what they point at is as it is to be. */
  const take = async (all: readonly TheirRecord[], isSettled = false): Promise<readonly Became[]> => {
    const moment = await now();
    const at = needs.clock();
    const wanted = all.filter((theirs) => isWanted(run, theirs));
    const some = wanted.map((theirs) => bounded(theirs, report));
    const carried = await sorting.carried(some.map(({ terms }) => terms));
    const making: Making[] = [];
    for (const [place, theirs] of some.entries()) {
      const [type, author] = [needs.content.kinds.type(theirs.type)!, await authors.get(theirs.author)];
      const own = { ...theirs, meta: editorsNamed(theirs.meta, authors.numbered) };
      making.push({ theirs: own, type, author, terms: carried[place]!, now: moment, at, isSettled });
    }
    const became = await arrive(run, making);
    for (const theirs of all) if (!wanted.includes(theirs) && !menus.takes(theirs)) report.item(theirs.type, 'skipped');
    for (const [place, { theirs }] of making.entries()) {
      if (became.get(theirs)?.what === 'made') authors.wrote(some[place]!);
    }
    const outcomes = new Map(wanted.map((theirs, place) => [theirs, became.get(making[place]!.theirs)!]));
    return all.map((theirs) => outcomes.get(theirs) ?? { what: 'skipped' });
  };
  return {
    report,
    users: authors.users,
    async terms(all) {
      const own = all.filter(({ taxonomy }) => taxonomy !== menuTaxonomy);
      const became = await sorting.terms(own);
      menus.sorted(own, became);
      const outcomes = new Map(own.map((term, place) => [term, became[place]!]));
      return all.map((term) => outcomes.get(term) ?? { what: 'skipped' });
    },
    comments: async (all) => discussing.comments(all, await now()),
    settle,
    records: (all) => take(all),
  };
}

const lastEditor = '_edit_last';

/** Who changed a record last goes by another number here. */
const editorsNamed = (meta: readonly TheirMeta[], numbered: (id: number) => number | undefined): TheirMeta[] =>
  meta.flatMap(({ key, value }) => {
    if (key !== lastEditor) return [{ key, value }];
    const id = numbered(Number(value));
    return id === undefined ? [] : [{ key, value: `${id}` }];
  });

const isWanted = ({ needs }: Run, { type, status }: TheirRecord): boolean =>
  needs.content.kinds.type(type) !== undefined && !passedOver.has(type) && status !== 'auto-draft';

async function arrive(run: Run, all: readonly Making[]): Promise<Map<TheirRecord, Became>> {
  const same = await findSame(
    run.needs.store.db,
    run.options.from,
    all.map((one) => arriverOf(run, one)),
  );
  const fresh = all.filter((_, at) => same[at] === undefined);
  await remember(
    run,
    all.map(({ theirs }, at) => ({ theirs, id: idOf(same[at]) })),
  );
  const made = await makeAll(run, fresh);
  const became = new Map<TheirRecord, Became>();
  const repeated: Partly[] = [];
  for (const [at, one] of all.entries()) {
    const found = same[at];
    if (found === undefined) became.set(one.theirs, outcomeOf(run, one, made.get(one)));
    else if ('as' in found) {
      const first = became.get(all[found.as]!.theirs);
      became.set(one.theirs, again(run, one, first));
      repeated.push({ theirs: one.theirs, id: first?.id });
    } else became.set(one.theirs, await reconciled(run, one, found));
  }
  await remember(run, repeated);
  return became;
}

const idOf = (same: Same | Repeated | undefined): number | undefined =>
  same !== undefined && 'id' in same ? same.id : undefined;

interface Partly {
  readonly theirs: TheirRecord;
  readonly id: number | undefined;
}

/** What points at one that was here before finds it. */
async function remember({ needs, options, known }: Run, all: readonly Partly[]): Promise<void> {
  const pairs = all.flatMap(({ theirs, id }) => (id === undefined ? [] : [{ theirs, id }]));
  if (pairs.length === 0) return;
  if (options.dryRun) known.suppose(pairs);
  else await needs.store.write((tx) => known.keep(tx, pairs), bounds);
}

function arriverOf({ needs, options }: Run, { theirs, now }: Making): Arriver {
  const filter = options.unfiltered ? undefined : needs.content.writing.filter;
  const date = written(theirs.date) ?? momentOf(undefined, written(theirs.date_gmt), now)?.wall;
  return { theirs, guid: guidOf(theirs.guid), title: titleOf(theirs, filter), date };
}

/** Files one by one; all else together. Nothing for a file that is not there. */
async function makeAll(run: Run, fresh: readonly Making[]): Promise<Map<Making, Made | undefined>> {
  const made = new Map<Making, Made | undefined>();
  const files = fresh.filter(({ theirs }) => theirs.type === 'attachment');
  const others = fresh.filter(({ theirs }) => theirs.type !== 'attachment');
  if (run.options.dryRun) for (const one of others) made.set(one, { faults: [] });
  else if (others.length > 0)
    for (const [at, one] of (await makeRecords(run, others)).entries()) made.set(others[at]!, one);
  for (const one of files) made.set(one, await fileMade(run, one));
  return made;
}

async function fileMade(run: Run, making: Making): Promise<Made | undefined> {
  const { options, report } = run;
  try {
    const file = await options.file(making.theirs);
    if (file === undefined) {
      report.file('missing');
      report.note(missing(making.theirs));
      return undefined;
    }
    if (options.dryRun) await file.release();
    const made = options.dryRun ? { faults: [] } : await makeFile(run, making, file);
    if (made.id !== undefined || options.dryRun) report.file(file.from);
    return made.id === undefined ? { faults: made.faults.map((fault) => ofFile(fault, making.theirs)) } : made;
  } catch (error) {
    return { faults: [ofFile(faultOf(error, making.theirs, making.theirs.title), making.theirs)] };
  }
}

const ofFile = (fault: Fault, { file_url: url }: TheirRecord): Fault => (url === '' ? fault : { ...fault, url });

function missing(theirs: TheirRecord): Fault {
  const { line, id, title, file_url } = theirs;
  const place = { ...(line !== undefined && { line }), id, title };
  if (file_url === '') return { ...place, code: 'no_file_url', message: 'It has no URL of its file.' };
  return ofFile({ ...place, code: 'missing', message: `Its file was not found: ${file_url}` }, theirs);
}

function outcomeOf({ report, options }: Run, { theirs }: Making, made: Made | undefined): Became {
  if (made === undefined) {
    report.item(theirs.type, 'skipped');
    return { what: 'skipped' };
  }
  for (const fault of made.faults) report.fault(fault);
  const isMade = made.id !== undefined || (options.dryRun && made.faults.length === 0);
  report.item(theirs.type, isMade ? 'created' : 'failed');
  return isMade ? { what: 'made', ...(made.id !== undefined && { id: made.id }) } : { what: 'failed' };
}

/** One that came twice in a row: where the first is not here, neither is this. */
function again(run: Run, { theirs }: Making, first: Became | undefined): Became {
  const hasFailed = first?.what === 'failed';
  run.report.item(theirs.type, hasFailed ? 'failed' : 'skipped');
  if (hasFailed) return { what: 'failed' };
  return { what: 'same', ...(first?.id !== undefined && { id: first.id }) };
}

/** One that is here already gets the terms and meta that it lacks, and nothing else. */
async function reconciled(run: Run, making: Making, { id }: Same): Promise<Became> {
  const { theirs, type } = making;
  const { needs, options, report } = run;
  const { store, content } = needs;
  const filter = options.unfiltered ? undefined : content.writing.filter;
  const { meta } = metaOf(theirs.meta, type.name, content.metaKeys, filter);
  const lacking = await lackingOf(run, id, making.terms, meta);
  if (lacking !== undefined && !options.dryRun) {
    try {
      await store.write(async (tx, { lock }) => {
        await lock(postLock(id));
        const before = await findFound(tx, id);
        if (before === undefined) return;
        const post = await keepPost(tx, before, before);
        await content.writing.terms.assign(tx, post, lacking.terms);
        await keepMeta(tx, id, lacking.meta);
      }, bounds);
    } catch (error) {
      report.fault(faultOf(error, theirs, theirs.title) satisfies Fault);
    }
  }
  report.item(theirs.type, 'skipped');
  return { what: 'same', id };
}

/** Nothing where it lacks nothing. Its own terms stay. */
async function lackingOf(
  { needs: { store } }: Run,
  id: number,
  terms: Carried,
  meta: Readonly<Record<string, unknown>>,
) {
  const has = await store.db
    .selectFrom('post_terms')
    .select(['term_id', 'taxonomy'])
    .where('post_id', '=', id)
    .execute();
  const carries = new Set(has.map(({ term_id }) => term_id));
  const more = Object.entries(terms).filter(([, ids]) => ids.some((one) => !carries.has(one)));
  const kept = (await metaKept(store.db, [id])).get(id) ?? {};
  const unkept = Object.entries(meta).filter(([key, value]) => value !== null && !Object.hasOwn(kept, key));
  if (more.length + unkept.length === 0) return undefined;
  const own = (taxonomy: string) => has.filter((one) => one.taxonomy === taxonomy).map(({ term_id }) => term_id);
  return {
    terms: Object.fromEntries(more.map(([taxonomy, ids]) => [taxonomy, [...own(taxonomy), ...ids]])),
    meta: Object.fromEntries(unkept),
  };
}
