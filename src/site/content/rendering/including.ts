// Texts that are shown within others: blocks that are kept once and used in many places.
import { sql } from 'kysely';
import type { Store } from '#store/store.ts';
import type { Post } from '../posts/post.ts';
import type { ContentTables } from '../tables.ts';
import { attributesOf, fullName, hasBlocks, piecesOf } from './blocks.ts';

type Mark = Parameters<typeof attributesOf>[0];

/** The record whose text such a block shows; nothing for any other block. */
export function includedBy(content: string, of?: Post): number[] {
  if (!hasBlocks(content)) return [];
  const ids: number[] = [];
  for (const { mark } of piecesOf(content)) {
    const id = mark === undefined ? undefined : includedIn(mark, of);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** The blocks that show the text of a record. */
export const areIncluding: ReadonlySet<string> = new Set(['core/block', 'core/post-content']);

export function includedIn(mark: Mark, of?: Post): number | undefined {
  const name = fullName(mark.name);
  if (mark.ends || !areIncluding.has(name)) return undefined;
  if (name === 'core/post-content') return of?.id;
  const { ref } = attributesOf(mark);
  return Number.isSafeInteger(ref) && (ref as number) > 0 ? (ref as number) : undefined;
}

/** Of one text, in all that it includes: so many, and so many bytes. */
const most = { texts: 100, bytes: 1024 * 1024 };

/** Where they are kept. */
export type Included = Pick<Store<ContentTables>, 'db'>;

/** By number; what is not there, or not for everybody, is nothing. */
export async function including({ db }: Included, content: string, of?: Post): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  const seen = new Set<number>();
  let left = most.bytes;
  for (let asked = includedBy(content, of); ; ) {
    const ids = [...new Set(asked)].filter((id) => !seen.has(id)).slice(0, most.texts - seen.size);
    if (ids.length === 0) return texts;
    for (const id of ids) seen.add(id);
    const fitting = (await readHeads(db, ids)).filter((row) => {
      if (!isShown(row, of) || row.length > left) return false;
      left -= row.length;
      return true;
    });
    const found = await readTexts(
      db,
      fitting.map(({ id }) => id),
    );
    for (const row of found) texts.set(row.id, row.content);
    asked = found.flatMap((row) => includedBy(row.content, of));
  }
}

type Db = Included['db'];

/** All but the texts: those may be long. */
const readHeads = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('posts')
    .select(['id', 'type', 'status', 'password'])
    .select(sql<number>`octet_length(posts.content)`.as('length'))
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();

const readTexts = async (db: Db, ids: readonly number[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('posts').select(['id', 'content']).where('id', 'in', ids).orderBy('id').execute();

type Head = Awaited<ReturnType<typeof readHeads>>[number];

const isShown = ({ id, type, status, password }: Head, of?: Post): boolean =>
  id === of?.id || (type === 'wp_block' && status === 'publish' && password === '');
