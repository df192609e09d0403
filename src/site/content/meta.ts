// What programs keep about a record, by registered keys.
import { isDeepStrictEqual } from 'node:util';
import { failure } from '#kernel/args/checks.ts';
import { compile } from '#kernel/args/validate.ts';
import { problemFrom } from '#kernel/problem.ts';
import { type Schema, type TSchema, t } from '#kernel/schema.ts';
import type { JsonText } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import { built } from '#store/statements.ts';
import type { TextFilter } from './filter/filter.ts';
import type { ContentTables, Writing } from './tables.ts';

export interface MetaKey {
  readonly key: string;
  /** The types whose records have it. */
  readonly types: readonly string[];
  /** With its default. */
  readonly schema: TSchema;
  /** Whether the history of a record keeps it. */
  readonly revisioned?: true;
  /** Whether it is part of the text: it is closed by the same password. */
  readonly ofText?: true;
  /** What of it may be written by people who may not write any HTML; all of it, where nothing is said. */
  readonly safe?: (written: string, filter: TextFilter) => string;
}

/** By key. */
export type MetaValues = Readonly<Record<string, unknown>>;

export interface MetaKeys {
  /** In the order of the interface. */
  of(type: string): readonly MetaKey[];
  /** What was sent, as it is kept: without what nobody registered. Null takes a value away, and so does its default. Throws what is wrong, and what is too long. With a filter, it is filtered. */
  settled(type: string, sent: MetaValues, filter?: TextFilter): MetaValues;
  isRevisioned(key: string): boolean;
}

const footnotes: MetaKey = {
  key: 'footnotes',
  types: ['post', 'page', 'wp_block'],
  schema: t.string({ title: '', description: 'The footnotes of the text, as JSON.', default: '' }),
  revisioned: true,
  ofText: true,
  safe: safeFootnotes,
};

const syncStatus: MetaKey = {
  key: 'wp_pattern_sync_status',
  types: ['wp_block'],
  schema: t.choice(['partial', 'unsynced', ''], {
    description: 'Whether copies of the pattern stay in sync with it.',
    default: '',
  }),
};

export function createMetaKeys(more: readonly MetaKey[] = []): MetaKeys {
  const keys = [syncStatus, footnotes, ...more].map((one) => {
    const schema: Schema = one.schema;
    return { ...one, schema, settler: compile(schema) };
  });
  const of = (type: string) => keys.filter(({ types }) => types.includes(type));
  return {
    of,
    isRevisioned: (key) => keys.some((one) => one.key === key && one.revisioned === true),
    settled(type, sent, filter) {
      const known = of(type).filter(({ key }) => Object.hasOwn(sent, key) && sent[key] !== undefined);
      const settled = known.map(({ key, schema, settler, safe }) => {
        const value = sent[key];
        if (value === null) return [key, null];
        const wrong = settler.check(value, `meta.${key}`);
        if (wrong !== undefined) throw problemFrom(400, wrong);
        // Filtered it can be longer than what was sent.
        const coerced = short(key, filtered(short(key, settler.coerce(value)), safe, filter));
        return [key, isDeepStrictEqual(coerced, schema.default) ? null : coerced];
      });
      return Object.fromEntries(settled);
    },
  };
}

/** Signs that one value may have: more than any list of footnotes has. */
const longest = 1024 * 1024;

/** The value, or throws. */
function short(key: string, value: unknown): unknown {
  const length = (typeof value === 'string' ? value : JSON.stringify(value)).length;
  if (length <= longest) return value;
  throw problemFrom(400, failure('rest_too_long', `meta.${key} must have at most ${longest} characters.`));
}

const filtered = (value: unknown, safe: MetaKey['safe'], filter: TextFilter | undefined): unknown =>
  safe !== undefined && filter !== undefined && typeof value === 'string' ? safe(value, filter) : value;

const readMeta = built((db: Reads<Pick<ContentTables, 'post_meta'>>, posts) =>
  db.selectFrom('post_meta').select(['post_id', 'key', 'value']).where('post_id', 'in', posts),
);

/** What is kept of these records; defaults are not. */
export async function metaOf(
  db: Reads<Pick<ContentTables, 'post_meta'>>,
  posts: readonly number[],
): Promise<Map<number, MetaValues>> {
  if (posts.length === 0) return new Map();
  const rows = await readMeta(db, posts);
  const found = new Map<number, Record<string, unknown>>(posts.map((id) => [id, {}]));
  for (const { post_id, key, value } of rows) found.get(post_id)![key] = JSON.parse(value);
  return found;
}

/** Of a record that is new. */
export const keepFirstMeta = (tx: Writing, id: number, meta: MetaValues): Promise<void> =>
  keepFirstMetaOf(tx, [{ id, meta }]);

/** So many rows in one statement. */
const atOnce = 1_000;

/** Of many. */
export async function keepFirstMetaOf(
  tx: Writing,
  all: readonly { readonly id: number; readonly meta: MetaValues }[],
): Promise<void> {
  const rows = all.flatMap(({ id, meta }) => metaRows(meta).map((row) => ({ post_id: id, ...row })));
  for (let at = 0; at < rows.length; at += atOnce)
    await tx
      .insertInto('post_meta')
      .values(rows.slice(at, at + atOnce))
      .execute();
}

/** Of what is new, without the number of what it is about. */
export const metaRows = (meta: MetaValues): { readonly key: string; readonly value: JsonText }[] =>
  Object.entries(meta)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ({ key, value: JSON.stringify(value) }));

/** Answers which keys have another value now. */
export async function keepMeta(tx: Writing, post_id: number, meta: MetaValues): Promise<string[]> {
  const keys = Object.keys(meta);
  if (keys.length === 0) return [];
  const before = (await metaOf(tx, [post_id])).get(post_id)!;
  const changed = keys.filter((key) => JSON.stringify(meta[key]) !== JSON.stringify(before[key] ?? null));
  for (const key of changed) {
    if (meta[key] === null) {
      await tx.deleteFrom('post_meta').where('post_id', '=', post_id).where('key', '=', key).execute();
      continue;
    }
    const value = JSON.stringify(meta[key]);
    await tx
      .insertInto('post_meta')
      .values({ post_id, key, value })
      .onConflict((on) => on.columns(['post_id', 'key']).doUpdateSet({ value }))
      .execute();
  }
  return changed;
}

// The notes at the foot of a text: a list kept as JSON, each with HTML of its own.

interface Footnote {
  readonly id: string;
  readonly content: string;
}

const isFootnote = (one: unknown): one is Footnote =>
  typeof one === 'object' &&
  one !== null &&
  typeof (one as Footnote).id === 'string' &&
  typeof (one as Footnote).content === 'string';

/** Those that a text has; what is no list of notes is nothing. */
export const notesIn = (written: string): Footnote[] =>
  listOf(written)
    .filter(isFootnote)
    .map(({ id, content }) => ({ id: id.replace(/[^\w-]/g, ''), content }));

/** As they may be written by people who may not write any HTML. */
export function safeFootnotes(written: string, filter: TextFilter): string {
  const notes = notesIn(written).map(({ id, content }) => ({ id, content: filter(content, 'content') }));
  return notes.length === 0 ? '' : JSON.stringify(notes);
}

function listOf(written: string): unknown[] {
  try {
    const said: unknown = JSON.parse(written);
    return Array.isArray(said) ? said : [];
  } catch {
    return [];
  }
}
