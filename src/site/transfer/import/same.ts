// Whether a record that arrives is here already: known by its name for all the world, or by its type, title and date.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Reads } from '#store/handles.ts';
import { titleKey } from '../../content/posts/found-by.ts';
import type { Post } from '../../content/posts/post.ts';
import { statuses } from '../../content/statuses.ts';
import { inLots } from './run.ts';
import type { MovingStore } from './tables.ts';
import type { TheirRecord } from './theirs.ts';

export type Same = Pick<Post, 'id' | 'type' | 'status'>;

export interface Repeated {
  readonly as: number;
}

/** One that arrives, as it would be kept. */
export interface Arriver {
  readonly theirs: TheirRecord;
  readonly guid: string;
  readonly title: string;
  readonly date: string | undefined;
}

type Db = Reads<MovingStore>;
type Row = Same & Pick<Post, 'guid' | 'title' | 'date'>;

/** With what is known of where it came from. */
type Dated = Row & { readonly source: string | null; readonly theirs: number | null };

const shown = ['posts.id', 'posts.type', 'posts.status', 'posts.guid', 'posts.title', 'posts.date'] as const;
const everyStatus = statuses.map(({ name }) => name);
const atOnce = 200;

/** Empty for one without. */
export const guidKey = (guid: string): string =>
  guid === '' ? '' : createHash('sha256').update(guid).digest('base64url');

/** As they are compared; what has no date is like nothing. */
const titled = ({ type, title, date }: { type: string; title: string; date: string | undefined }): string =>
  JSON.stringify([type, date, title]);

/** By the place in the list; they come from the site at `from`. One that repeats another of the list is told by the place of that one. */
export async function findSame(
  db: Db,
  from: string,
  all: readonly Arriver[],
): Promise<(Same | Repeated | undefined)[]> {
  const [arrived, numbered, dated] = await Promise.all([byGuid(db, all), byNumber(db, all), byTitle(db, all)]);
  const named = Map.groupBy([...arrived, ...numbered], ({ guid }) => guid);
  const alike = Map.groupBy(dated, titled);
  const before = { named: new Map<string, number[]>(), titled: new Map<string, number[]>() };
  return all.map((one, at) => {
    const [name, title] = [one.guid, titled({ ...one, type: one.theirs.type })];
    const here =
      named.get(name)?.find((row) => row.type === one.theirs.type && isNamed(one, row)) ??
      alike.get(title)?.find((row) => isAlike(one, row.guid, row.source === from ? row.theirs : 0));
    const twins = (before.named.get(name) ?? []).filter((other) =>
      isNamed(one, { ...all[other]!, theirs: all[other]!.theirs.id }),
    );
    const as =
      twins[0] ?? before.titled.get(title)?.find((other) => isAlike(one, all[other]!.guid, all[other]!.theirs.id));
    before.named.set(name, [...(before.named.get(name) ?? []), at]);
    before.titled.set(title, [...(before.titled.get(title) ?? []), at]);
    if (here !== undefined) return here;
    return as === undefined ? undefined : { as };
  });
}

/** Copies of a record often share its name with it: they have another number, title and date. */
function isNamed(
  { theirs, guid, title, date }: Arriver,
  other: Pick<Arriver, 'title' | 'date'> & { readonly theirs: number },
): boolean {
  if (guid === '') return false;
  const isNumbered = theirs.id > 0 && other.theirs > 0;
  return !isNumbered || theirs.id === other.theirs || title === other.title || date === other.date;
}

/**
 * Files and what has no title often come many in one second, and so does what a program made: they are told apart by their names,
 * where they have any. `number`: that of the other where this one comes from; 0 where nobody knows.
 */
function isAlike({ theirs, title, date, guid }: Arriver, other: string, number: number | null): boolean {
  if (date === undefined) return false;
  if (guid === '' || other === '') return true;
  const isAnother = theirs.id > 0 && number !== null && number > 0 && number !== theirs.id && guid !== other;
  return !isAnother && title !== '' && theirs.type !== 'attachment';
}

/** With the number it came by. */
type Keyed = Row & { readonly theirs: number };

async function byGuid(db: Db, all: readonly Arriver[]): Promise<Keyed[]> {
  const keys = [...new Set(all.map(({ guid }) => guidKey(guid)))].filter(Boolean);
  const found = await Promise.all(
    [...inLots(keys, atOnce)].map((some) =>
      db
        .selectFrom('arrived')
        .innerJoin('posts', 'posts.id', 'arrived.post_id')
        .select([...shown, 'arrived.theirs'])
        .where('arrived.guid_key', 'in', some)
        .execute(),
    ),
  );
  return found.flat();
}

/** One that left here, and comes back under its number. */
async function byNumber(db: Db, all: readonly Arriver[]): Promise<Keyed[]> {
  const guids = new Map(all.filter(({ guid }) => guid !== '').map(({ theirs, guid }) => [theirs.id, guid]));
  const ids = [...guids.keys()].filter((id) => Number.isSafeInteger(id) && id > 0);
  const found = await Promise.all(
    [...inLots(ids, atOnce)].map((some) =>
      db.selectFrom('posts').select(shown).where('posts.id', 'in', some).execute(),
    ),
  );
  return found.flat().flatMap((row) => (guids.get(row.id) === row.guid ? [{ ...row, theirs: row.id }] : []));
}

/** Many may have come in one second, or without a title: they are looked up by what tells more. */
async function byTitle(db: Db, all: readonly Arriver[]): Promise<Dated[]> {
  const dated = all.filter(({ date }) => date !== undefined);
  const types = [...new Set(dated.map(({ theirs }) => theirs.type))];
  const found: Dated[] = [];
  for (const some of inLots(dated, atOnce)) {
    const dates = [...new Set(some.map(({ date }) => date!))];
    const titles = [...new Set(some.map(({ title }) => titleKey(title)))];
    const rows = db
      .selectFrom('posts')
      .leftJoin('arrived', 'arrived.post_id', 'posts.id')
      .select([...shown, 'arrived.source', 'arrived.theirs'])
      .where('posts.type', 'in', types)
      .where('posts.status', 'in', everyStatus);
    const titled = titles.filter((title) => title !== '');
    if (titled.length > 0)
      found.push(
        ...(await rows.where('posts.title_key', 'in', titled).where(sql`posts.date || ''`, 'in', dates).execute()),
      );
    if (titled.length < titles.length)
      found.push(...(await rows.where('posts.date', 'in', dates).where(sql`posts.title_key || ''`, '=', '').execute()));
  }
  return found;
}
