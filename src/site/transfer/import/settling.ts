// When everything is here and lies where it belongs: what texts point at. Done once for each record that still lacked something; who
// breaks off goes on where they were. What is owed then is looked at again when more has come.
import type { During } from '#store/writing.ts';
import { keepMeta, metaOf } from '../../content/meta.ts';
import type { Post } from '../../content/posts/post.ts';
import { findFound, postLock } from '../../content/posts/rows.ts';
import {
  asThere,
  keepChanged,
  keptOwed,
  lackingIn,
  type Owed,
  placeRecords,
  readOwed,
  turningOf,
  type Unsettled,
  unsettled,
} from './placing.ts';
import { turned } from './references.ts';
import type { Fault } from './report.ts';
import { bounds, faultOf, type Run } from './run.ts';
import type { Writing } from './tables.ts';
import { type Pointing, turningFor } from './turning.ts';

export async function settleRecords(run: Run, progress: (records: number) => void): Promise<void> {
  await placeRecords(run);
  let done = 0;
  for await (const rows of unsettled(run, true)) {
    const pointers = await pointersOf(run, rows);
    const turning = await turningFor(
      run,
      [...pointers.values()].flat().map(({ there }) => there),
    );
    const here = await run.known.records(rows.flatMap(({ parent, picture }) => [parent, picture]));
    const outlooks = rows.map((row) => outlookOf(run, row, pointers.get(row.post_id) ?? [], turning, here));
    for (const fault of await settleSome(run, outlooks, turning)) run.report.fault(fault);
    done += rows.length;
    progress(done);
  }
}

/** What is to happen with one record. */
interface Outlook {
  readonly row: Unsettled;
  readonly before: Owed | undefined;
  readonly isChanging: boolean;
  /** As it is kept. */
  readonly owed: string | null;
}

/** A text as it is kept, and with the addresses there. */
interface Pointer {
  readonly text: string;
  readonly there: string;
}

/** What points somewhere in each of these records. */
async function pointersOf(run: Run, rows: readonly Unsettled[]): Promise<Map<number, Pointer[]>> {
  const { store } = run.needs;
  const owed = new Map(rows.map((row) => [row.post_id, readOwed(row.owed)]));
  const posts = await store.db
    .selectFrom('posts')
    .select(['id', 'content', 'excerpt'])
    .where('id', 'in', [...owed.keys()])
    .execute();
  const metas = await metaOf(store.db, [...owed.keys()]);
  return new Map(
    posts.map(({ id, content, excerpt }) => {
      const texts = [content, excerpt, ...enclosuresIn(metas.get(id) ?? {})];
      return [id, texts.map((text) => ({ text, there: asThere(text, run, owed.get(id)) }))];
    }),
  );
}

function outlookOf(
  run: Run,
  row: Unsettled,
  pointers: readonly Pointer[],
  turning: Pointing,
  here: ReadonlyMap<number, number>,
): Outlook {
  const before = readOwed(row.owed);
  const isAwaited = (there: number, got: number): boolean =>
    run.options.from !== '' && got === 0 && there > 0 && !here.has(there);
  const awaits = (what: 'parent' | 'picture'): boolean => before === undefined || before[what] === true;
  const texts = pointers.map(({ there }) => there);
  const owed: Owed = {
    ...lackingIn(texts, run, turning, before),
    ...(awaits('parent') && isAwaited(row.parent, row.above) && { parent: true }),
    ...(awaits('picture') && isAwaited(row.picture, row.shown) && { picture: true }),
  };
  // Most texts point at what stays where it is.
  const now = turningOf(turning, run, before);
  const isChanging = pointers.some(({ text, there }) => turned(there, now) !== text);
  return { row, before, isChanging, owed: keptOwed(owed) };
}

async function settleSome(run: Run, all: readonly Outlook[], turning: Pointing): Promise<Fault[]> {
  const changing = all.filter(({ isChanging }) => isChanging);
  const kept = all.filter(({ row, owed }) => owed === null || owed !== row.owed);
  if (changing.length + kept.length === 0) return [];
  return run.needs.store.write(async (tx, during) => {
    const faults: Fault[] = [];
    for (const { row } of changing) await during.lock(postLock(row.post_id));
    for (const one of changing) {
      try {
        await during.apart(() => settleOne(run, tx, during, one, turning));
      } catch (error) {
        faults.push(faultOf(error, { id: one.row.theirs }, 'item'));
      }
    }
    await keepOwed(tx, kept);
    return faults;
  }, bounds);
}

async function keepOwed(tx: Writing, all: readonly Outlook[]): Promise<void> {
  const settled = all.flatMap(({ row, owed }) => (owed === null ? [row.post_id] : []));
  if (settled.length > 0)
    await tx.updateTable('arrived').set({ unsettled: 0, owed: null }).where('post_id', 'in', settled).execute();
  for (const { row, owed } of all)
    if (owed !== null) await tx.updateTable('arrived').set({ owed }).where('post_id', '=', row.post_id).execute();
}

async function settleOne(run: Run, tx: Writing, during: During, one: Outlook, pointing: Pointing): Promise<void> {
  const before = await findFound(tx, one.row.post_id);
  if (before === undefined) return;
  const turning = turningOf(pointing, run, one.before);
  const now = (text: string): string => turned(asThere(text, run, one.before), turning);
  const after: Post = { ...before, content: now(before.content), excerpt: now(before.excerpt) };
  await keepChanged(tx, during, before, after, run.needs.content.writing);
  await turnEnclosures(tx, before.id, now);
}

const key = 'enclosure';

const enclosuresIn = (meta: Readonly<Record<string, unknown>>): string[] =>
  [meta[key]].flat().filter((one): one is string => typeof one === 'string');

async function turnEnclosures(tx: Writing, post: number, turn: (text: string) => string): Promise<void> {
  const meta = (await metaOf(tx, [post])).get(post) ?? {};
  const before = enclosuresIn(meta);
  const after = before.map(turn);
  if (before.every((text, at) => text === after[at])) return;
  await keepMeta(tx, post, { [key]: after.length === 1 ? after[0] : after });
}
