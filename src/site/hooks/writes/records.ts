// Which kinds of records a statement writes, by the names that the interface has for them: `page`, `category`, `user`.

import type { PlannedWrite } from '#kernel/request-guard.ts';
import type { Change } from '#store/statements.ts';
import type { AffectedRows } from '#store/writing.ts';
import type { Kinds } from '../../content/types.ts';

export type RecordKinds = Pick<Kinds, 'types' | 'taxonomies'>;

/** Tables whose rows are of several kinds: a column says which. What changes in the other columns is counted, and no change. */
const several = {
  posts: { column: 'type', counted: 'version', all: ({ types }: RecordKinds) => types },
  terms: { column: 'taxonomy', counted: 'count', all: ({ taxonomies }: RecordKinds) => taxonomies },
} as const;

type Several = keyof typeof several;

/** Tables that hold a part of a record: what comes or goes there changes the record. */
const parts: Readonly<Record<string, { readonly of: Several; readonly by: string } | string>> = {
  post_meta: { of: 'posts', by: 'post_id' },
  post_terms: { of: 'posts', by: 'post_id' },
  revisions: { of: 'posts', by: 'post_id' },
  media: { of: 'posts', by: 'post_id' },
  term_meta: { of: 'terms', by: 'term_id' },
  comment_meta: 'comment',
  user_meta: 'user',
  user_roles: 'user',
};

const single: Readonly<Record<string, string>> = {
  comments: 'comment',
  users: 'user',
  application_passwords: 'application_password',
  settings: 'setting',
  extensions: 'extension',
};

/** Tables of the site that hold no records: what it counts, queues, remembers and looks up. Those of extensions are called as they are. */
const unnamed: ReadonlySet<string> = new Set([
  'application_password_uses',
  'arrived',
  'arrived_keys',
  'changes',
  'comments_search',
  'daily_counts',
  'estates',
  'extension_catalogues',
  'health_marks',
  'job_errors',
  'jobs',
  'keys',
  'leases',
  'mail_digests',
  'mail_entries',
  'media_locks',
  'media_paths',
  'media_redirects',
  'migrations',
  'old_slugs',
  'one_time_tokens',
  'posts_search',
  'posts_words',
  'rate_limits',
  'releases',
  'schedules',
  'sent_files',
  'session_uses',
  'sessions',
  'totals',
]);

/** Whether it is a table of the site itself. */
export function isKnownTable(table: string): boolean {
  return [several, parts, single].some((some) => Object.hasOwn(some, table)) || unnamed.has(table);
}

export async function writtenBy(change: Change, rows: AffectedRows, kinds: RecordKinds): Promise<PlannedWrite[]> {
  const { table, action } = change;
  if (unnamed.has(table) || isCounting(change)) return [];
  const named = (records: readonly string[], done: PlannedWrite['action']): PlannedWrite[] =>
    records.map((record) => ({ record, action: done }));
  if (isSeveral(table)) return named(await kindsIn(table, rows, kinds), action);
  const part = Object.hasOwn(parts, table) ? parts[table] : undefined;
  if (typeof part === 'string') return named([part], 'change');
  if (part !== undefined) return named(await kindsOf(part.of, await rows.values(part.by), rows, kinds), 'change');
  return named([Object.hasOwn(single, table) ? single[table]! : table], action);
}

const isSeveral = (table: string): table is Several => Object.hasOwn(several, table);

const isCounting = ({ table, columns }: Change): boolean =>
  isSeveral(table) && columns?.every((column) => column === several[table].counted) === true;

async function kindsIn(table: Several, rows: AffectedRows, kinds: RecordKinds): Promise<string[]> {
  const { column, all } = several[table];
  return (await rows.values(column))?.map(String) ?? all(kinds).map(({ name }) => name);
}

/** So many are looked up at once. */
const atOnce = 1_000;

/** Of these rows of the table; of all kinds there are where nobody knows which rows they are. */
async function kindsOf(
  table: Several,
  ids: readonly unknown[] | undefined,
  { tx }: AffectedRows,
  kinds: RecordKinds,
): Promise<string[]> {
  const { column, all } = several[table];
  if (ids === undefined) return all(kinds).map(({ name }) => name);
  const found = new Set<string>();
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce);
    const named = await tx.selectFrom(table).select(column).distinct().where('id', 'in', some).execute();
    for (const row of named) found.add(String((row as Record<string, unknown>)[column]));
  }
  return [...found];
}
