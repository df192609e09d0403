// Whether a record that arrives is here already: known by its name for all the world, or by its type, title and date.
import { createHash } from 'node:crypto';
import type { Reads } from '#store/handles.ts';
import type { Post } from '../content/posts/post.ts';
import { statuses } from '../content/statuses.ts';
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

const shown = ['posts.id', 'posts.type', 'posts.status', 'posts.guid', 'posts.title', 'posts.date'] as const;
const everyStatus = statuses.map(({ name }) => name);
const atOnce = 200;

/** Empty for one without. */
export const guidKey = (guid: string): string =>
  guid === '' ? '' : createHash('sha256').update(guid).digest('base64url');

/** As they are compared; empty for what can be compared with nothing. */
const named = (key: string): string => key && `guid ${key}`;
const titled = ({ type, title, date }: { type: string; title: string; date: string | undefined }): string =>
  date === undefined ? '' : JSON.stringify([type, date, title]);

/** By the place in the list. One that repeats another of the list is told by the place of that one. */
export async function findSame(db: Db, all: readonly Arriver[]): Promise<(Same | Repeated | undefined)[]> {
  const rows = (await Promise.all([byGuid(db, all), byNumber(db, all), byTitle(db, all)])).flat();
  const here = new Map(
    rows.flatMap((row) => [named(row.key || guidKey(row.guid)), titled(row)].map((as) => [as, row])),
  );
  const before = new Map<string, number>();
  return all.map((one, at) => {
    const [name, title] = [named(guidKey(one.guid)), titled({ ...one, type: one.theirs.type })];
    const alike = here.get(title);
    const known = here.get(name) ?? (alike && isAlike(one, alike.guid) ? alike : undefined);
    const twin = before.get(title);
    const as = before.get(name) ?? (twin !== undefined && isAlike(one, all[twin]!.guid) ? twin : undefined);
    for (const key of [name, title]) if (key !== '' && !before.has(key)) before.set(key, at);
    if (known !== undefined) return known;
    return as === undefined ? undefined : { as };
  });
}

/** Files and what has no title often come many in one second: they are told apart by their names, where they have any. */
function isAlike({ theirs, title, guid }: Arriver, other: string): boolean {
  if (guid === '' || other === '') return true;
  return title !== '' && theirs.type !== 'attachment';
}

type Keyed = Row & { readonly key?: string };

async function byGuid(db: Db, all: readonly Arriver[]): Promise<Keyed[]> {
  const keys = [...new Set(all.map(({ guid }) => guidKey(guid)))].filter(Boolean);
  const found = await Promise.all(
    [...inLots(keys, atOnce)].map((some) =>
      db
        .selectFrom('arrived')
        .innerJoin('posts', 'posts.id', 'arrived.post_id')
        .select([...shown, 'arrived.guid_key as key'])
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
  return found.flat().filter(({ id, guid }) => guids.get(id) === guid);
}

async function byTitle(db: Db, all: readonly Arriver[]): Promise<Keyed[]> {
  const dates = [...new Set(all.flatMap(({ date }) => date ?? []))];
  const types = [...new Set(all.map(({ theirs }) => theirs.type))];
  const found = await Promise.all(
    [...inLots(dates, atOnce)].map((some) =>
      db
        .selectFrom('posts')
        .select(shown)
        .where('type', 'in', types)
        .where('status', 'in', everyStatus)
        .where('date', 'in', some)
        .execute(),
    ),
  );
  return found.flat();
}
