// Results of scans as they are stored.
import { sql } from 'kysely';
import type { Store } from '#store/store.ts';
import type { ScanTables } from './tables.ts';

export const entrySlugs = ['vulnerabilities', 'blacklist', 'malware'] as const;
export type EntrySlug = (typeof entrySlugs)[number];
export type Status = 'clean' | 'warn' | 'error';

export interface Entry {
  readonly slug: EntrySlug;
  readonly title: string;
  readonly status: Status;
}

export interface Issue {
  readonly id: string;
  readonly entry: EntrySlug;
  readonly link: string;
  readonly description: string;
  readonly status: Status;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface ScanError {
  readonly code: string;
  readonly message: string;
}

export interface Scan {
  readonly id: number;
  readonly time: string;
  readonly url: string;
  readonly code: string;
  readonly status: Status;
  readonly entries: readonly Entry[];
  readonly errors: readonly ScanError[];
  readonly issues: readonly Issue[];
}

export interface ScanQuery {
  readonly limit: number;
  readonly offset: number;
  /** `%` stands for any text. */
  readonly codes?: readonly string[] | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

type Db = Store<ScanTables>['db'];
type Row = ScanTables['secsuite_scans'];

export const newestScan = (db: Db): Promise<Row | undefined> =>
  db.selectFrom('secsuite_scans').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').executeTakeFirst();

/** How many scans are looked through for a check that did not fail. */
const mostFailed = 20;

/** Of each check, what the newest scan found in which it did not fail. */
export async function lastFound(db: Db): Promise<Issue[]> {
  const rows = await db
    .selectFrom('secsuite_scans')
    .select(['entries', 'issues'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostFailed)
    .execute();
  const found = new Map<EntrySlug, Issue[]>();
  for (const { entries, issues } of rows)
    for (const { slug, status } of JSON.parse(entries) as Entry[])
      if (status !== 'error' && !found.has(slug))
        found.set(
          slug,
          (JSON.parse(issues) as Issue[]).filter(({ entry }) => entry === slug),
        );
  return [...found.values()].flat();
}

export async function findScan(db: Db, id: number, quiet: ReadonlySet<string>): Promise<Scan | undefined> {
  const row = await db.selectFrom('secsuite_scans').selectAll().where('id', '=', id).executeTakeFirst();
  return row && scanOf(row, quiet);
}

export async function listScans(
  db: Db,
  { limit, offset, codes, before, after }: ScanQuery,
  quiet: ReadonlySet<string>,
): Promise<{ items: Scan[]; total: number }> {
  const wanted = db
    .selectFrom('secsuite_scans')
    .$if(codes !== undefined, (q) =>
      q.where(({ or }) => or(codes!.map((code) => sql<boolean>`code like ${patternOf(code)} escape '\\'`))),
    )
    .$if(before !== undefined, (q) => q.where('created_at', '<=', before!))
    .$if(after !== undefined, (q) => q.where('created_at', '>=', after!));
  const page = wanted.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset);
  const [rows, { total }] = await Promise.all([
    page.execute(),
    wanted.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { items: rows.map((row) => scanOf(row, quiet)), total: Number(total) };
}

const patternOf = (code: string): string => code.replaceAll(/[\\_]/g, '\\$&');

/** `quiet`: vulnerabilities that are no problem now. */
export function scanOf(row: Row, quiet: ReadonlySet<string>): Scan {
  const issues = (JSON.parse(row.issues) as Issue[]).map(
    (one): Issue => (one.entry === 'vulnerabilities' && quiet.has(one.id) ? { ...one, status: 'clean' } : one),
  );
  const errors = JSON.parse(row.errors) as ScanError[];
  const entries = (JSON.parse(row.entries) as Entry[]).map((entry): Entry => {
    const isWarned = issues.some((issue) => issue.entry === entry.slug && issue.status === 'warn');
    return isWarned ? { ...entry, status: 'warn' } : { ...entry, status: entry.status === 'error' ? 'error' : 'clean' };
  });
  const status =
    entries.length === 0 || (errors.length > 0 && !issues.some((one) => one.status === 'warn'))
      ? 'error'
      : issues.some((one) => one.status === 'warn')
        ? 'warn'
        : 'clean';
  return { id: row.id, time: row.created_at, url: row.url, code: row.code, status, entries, errors, issues };
}
