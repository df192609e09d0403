// Scans of the site: three checks, one scan at a time among all processes, and their results.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { defineError, Problem } from '#kernel/problem.ts';
import { Unavailable } from '#lib/failures.ts';
import { hour, minute } from '#lib/spans.ts';
import type { Queue } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';
import { Upstream } from '#site/outgoing/outgoing.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import { toTheSecond } from '../../logs/entry.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Send } from '../../notifications/sending.ts';
import type { Inventory, Software } from '../../software/inventory.ts';
import type { createBlocklists, Listing } from './blocklists.ts';
import { type Finding, idOf, type Malware } from './malware/malware.ts';
import type { ScanTables } from './tables.ts';
import { ageOf, type createFeed, FeedUnavailable, matchesIn } from './vulnerabilities/feed.ts';
import type { Vulnerabilities, Vulnerability } from './vulnerabilities/vulnerabilities.ts';

export const scanErrors = {
  scanNotFound: defineError(
    404,
    'secsuite_site_scanner_factory_log_not_found',
    (id: number) => `Scan ${id} does not exist.`,
  ),
  notAScan: defineError(
    404,
    'secsuite_site_scanner_factory_invalid_log_item',
    (id: number) => `Log entry ${id} is not the result of a scan.`,
  ),
  issueNotFound: defineError(
    404,
    'secsuite_site_scanner_scan_issue_not_found',
    (id: string) => `This scan has no issue ${id}.`,
  ),
};

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

export interface ScanOrder {
  readonly scheduled: boolean;
}

interface ScannerDeps {
  readonly store: Store<ScanTables>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly logs: Pick<Logs, 'operation' | 'record' | 'get'>;
  readonly jobs: Pick<Jobs, 'work' | 'find'>;
  readonly queue: Queue<ScanOrder>;
  readonly inventory: Inventory;
  readonly feed: ReturnType<typeof createFeed>;
  readonly vulnerabilities: Vulnerabilities;
  readonly blocklists: ReturnType<typeof createBlocklists>;
  readonly malware: Pick<Malware, 'scan'>;
  readonly url: string;
  send: Send;
  hrefOf(path: string): string;
}

const module = 'site-scanner';
/** A scan with the same state is not repeated so soon. */
const freshFor = minute;
/** How long a request waits for a scan. */
const patience = 5 * minute;
const lookAgainAfter = 250;
/** Older results are deleted. */
const mostScans = 500;
/** How old the last answer of the catalogue may be. */
const catalogueAge = hour;

export type Scanner = ReturnType<typeof createScanner>;

export function createScanner(deps: ScannerDeps) {
  const { store, clock, logs, jobs, queue, inventory, vulnerabilities } = deps;
  const { db } = store;

  const mutedIds = async () => new Set((await vulnerabilities.muted()).map(({ id }) => id));
  const stateOf = (software: readonly Software[], muted: ReadonlySet<string>): string =>
    createHash('sha256')
      .update(JSON.stringify([software.map(({ id, version, active }) => [id, version, active]), [...muted].sort()]))
      .digest('hex');

  const find = async (id: number): Promise<Scan | undefined> => {
    const row = await db.selectFrom('secsuite_scans').selectAll().where('id', '=', id).executeTakeFirst();
    return row && scanOf(row, await mutedIds());
  };
  const get = async (id: number): Promise<Scan> => {
    const scan = Number.isSafeInteger(id) ? await find(id) : undefined;
    if (scan !== undefined) return scan;
    const entry = await logs.get(id).catch((error) => {
      if (error instanceof Problem && error.status === 404) return undefined;
      throw error;
    });
    throw entry === undefined ? scanErrors.scanNotFound(id) : scanErrors.notAScan(id);
  };
  const newest = () =>
    db.selectFrom('secsuite_scans').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').executeTakeFirst();

  /** Nothing, if the last scan is older or of another state. */
  const freshScan = async (): Promise<Scan | undefined> => {
    const [last, software, muted] = await Promise.all([newest(), inventory.list(catalogueAge), mutedIds()]);
    if (last === undefined || last.state !== stateOf(software, muted)) return undefined;
    const age = clock().getTime() - Date.parse(last.created_at);
    return age >= 0 && age < freshFor ? scanOf(last, muted) : undefined;
  };

  const finished = async (job: string): Promise<Scan> => {
    const until = performance.now() + patience;
    while (performance.now() < until) {
      await jobs.work(job);
      const { status, result } = (await jobs.find(job)) ?? {};
      if (status === 'done' && typeof result?.scan === 'number') return get(result.scan);
      if (status !== 'queued' && status !== 'running') break;
      await pause(lookAgainAfter);
    }
    throw new Unavailable('The scan did not end in time. Look at the list of scans later.');
  };

  return {
    get,

    async list({ limit, offset, codes, before, after }: ScanQuery): Promise<{ items: Scan[]; total: number }> {
      const wanted = db
        .selectFrom('secsuite_scans')
        .$if(codes !== undefined, (q) =>
          q.where(({ or }) => or(codes!.map((code) => sql<boolean>`code like ${patternOf(code)} escape '\\'`))),
        )
        .$if(before !== undefined, (q) => q.where('created_at', '<=', before!))
        .$if(after !== undefined, (q) => q.where('created_at', '>=', after!));
      const [rows, { total }, muted] = await Promise.all([
        wanted.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute(),
        wanted.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
        mutedIds(),
      ]);
      return { items: rows.map((row) => scanOf(row, muted)), total: Number(total) };
    },

    async issue(scan: number, id: string): Promise<Issue> {
      const found = (await get(scan)).issues.find((one) => one.id === id);
      if (found === undefined) throw scanErrors.issueNotFound(id);
      return found;
    },

    /** Waits for the scan that runs already, if one does. */
    async start(by: number): Promise<Scan> {
      return (await freshScan()) ?? finished(await queue.add({ scheduled: false }, { ...alone, by }));
    },

    schedule: () => queue.add({ scheduled: true }, alone),

    /** The work of the job. Answers the id of the scan. */
    async run({ scheduled }: ScanOrder, signal: AbortSignal): Promise<number> {
      const before = await newest();
      const operation = await logs.operation(module, 'scan', { site_id: 0 });
      const outcome = await outcomeOf(deps, signal);
      operation.stop({ code: outcome.code });
      const software = await inventory.list(catalogueAge);
      const muted = await mutedIds();
      const id = await save(deps, outcome, stateOf(software, muted));
      if (scheduled) await mailNews(deps, outcome, before);
      return id;
    },
  };
}

const alone = { key: 'scan', alone: 'security-suite.scan' } as const;

const patternOf = (code: string): string => code.replaceAll(/[\\_]/g, '\\$&');

function scanOf(row: ScanTables['secsuite_scans'], muted: ReadonlySet<string>): Scan {
  const issues = (JSON.parse(row.issues) as Issue[]).map(
    (one): Issue => (one.entry === 'vulnerabilities' && muted.has(one.id) ? { ...one, status: 'clean' } : one),
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

interface Outcome {
  readonly code: string;
  readonly entries: readonly Entry[];
  readonly errors: readonly ScanError[];
  readonly issues: readonly Issue[];
  readonly feed: string | undefined;
}

type Checked = Omit<Outcome, 'code' | 'feed'> & { readonly feed?: string };

/** A check that fails keeps the others from nothing. */
async function outcomeOf(deps: ScannerDeps, signal: AbortSignal): Promise<Outcome> {
  const checks = [checkVulnerabilities, checkBlocklists, checkMalware];
  const all: Checked[] = [];
  for (const [at, check] of checks.entries())
    all.push(
      await check(deps, signal).catch((error) => {
        if (signal.aborted) throw error;
        deps.log.error({ err: error }, 'A check of a site scan failed');
        return failedCheck(`${entrySlugs[at]}-failed`, 'This check failed. The log of the server has the cause.');
      }),
    );
  const entries = all.flatMap((one) => one.entries);
  const errors = all.flatMap((one) => one.errors);
  const issues = all.flatMap((one) => one.issues);
  const feed = all.find((one) => one.feed !== undefined)?.feed;
  return { code: codeOf(entries, errors, issues), entries, errors, issues, feed };
}

const failedCheck = (code: string, message: string): Checked => ({
  entries: [],
  errors: [{ code, message }],
  issues: [],
});

const foundCodes = [
  ['malware', 'found-malware'],
  ['blacklist', 'on-blacklist'],
  ['vulnerabilities', 'vulnerable-software'],
] as const;

function codeOf(entries: readonly Entry[], errors: readonly ScanError[], issues: readonly Issue[]): string {
  if (entries.length === 0) return 'scan-failure-server-error';
  const found = foundCodes
    .filter(([slug]) => issues.some(({ entry, status }) => entry === slug && status === 'warn'))
    .map(([, code]) => code as string);
  if (found.length === 0) return errors.length > 0 ? 'error' : 'clean';
  return [...found, ...(errors.length > 0 ? ['has-error'] : [])].join('--');
}

async function checkVulnerabilities(deps: ScannerDeps, signal: AbortSignal): Promise<Checked> {
  const { feed, inventory, vulnerabilities, clock } = deps;
  try {
    const [list, software] = await Promise.all([feed.read(signal), inventory.list(catalogueAge)]);
    const seen = await vulnerabilities.saw(matchesIn(list, software), software);
    const age = ageOf(list, clock().getTime());
    return {
      entries: [{ slug: 'vulnerabilities', title: `Known vulnerabilities (list ${age})`, status: 'clean' }],
      errors: [],
      issues: seen.map((one) => vulnerabilityIssue(deps, one, software)),
      feed: age,
    };
  } catch (error) {
    if (!(error instanceof FeedUnavailable)) throw error;
    return failedCheck('advisories-unavailable', error.message);
  }
}

function vulnerabilityIssue(
  { hrefOf }: ScannerDeps,
  { id, details, type, slug, label, resolution }: Vulnerability,
  software: readonly Software[],
): Issue {
  const update = software.find((one) => one.kind === type && one.file === slug)?.update ?? null;
  return {
    id,
    entry: 'vulnerabilities',
    link: hrefOf(`/secsuite/v1/site-scanner/vulnerabilities/${id}`),
    description: `${label}: ${details.title}`,
    status: resolution === 'muted' ? 'clean' : 'warn',
    meta: { issue: details, type, software: { slug, label, latest_version: update } },
  };
}

async function checkBlocklists({ blocklists, url, log }: ScannerDeps, signal: AbortSignal): Promise<Checked> {
  const listings: Listing[] = [await blocklists.localList()];
  const errors: ScanError[] = [];
  if (blocklists.hasProvider)
    await blocklists.provider(signal).then(
      (one) => listings.push(one),
      (error) => {
        if (signal.aborted) throw error;
        if (!(error instanceof Upstream || error instanceof Problem)) log.error({ err: error }, 'A blocklist failed');
        errors.push({ code: 'blacklist-unavailable', message: 'The reputation service does not answer.' });
      },
    );
  return {
    entries: [{ slug: 'blacklist', title: 'Blocklists', status: 'clean' }],
    errors,
    issues: listings.map(({ vendor, isListed, report }) => ({
      id: vendor.slug,
      entry: 'blacklist',
      link: report ?? url,
      description: `${vendor.label}: the site is ${isListed ? '' : 'not '}listed.`,
      status: isListed ? 'warn' : 'clean',
      meta: {},
    })),
  };
}

async function checkMalware(deps: ScannerDeps, signal: AbortSignal): Promise<Checked> {
  const { findings, failure } = await deps.malware.scan(signal);
  return {
    entries: [{ slug: 'malware', title: 'Malware', status: failure === undefined ? 'clean' : 'error' }],
    errors: failure === undefined ? [] : [{ code: 'malware-engine-unavailable', message: failure }],
    issues: findings.map((one) => malwareIssue(deps, one)),
  };
}

function malwareIssue({ hrefOf, url }: ScannerDeps, finding: Finding): Issue {
  const { message, attachment, ...rest } = finding;
  return {
    id: idOf(finding),
    entry: 'malware',
    link: attachment === undefined ? url : hrefOf(`/core/v2/media/${attachment}`),
    description: `${finding.path}: ${message}`,
    status: 'warn',
    meta: { ...rest, ...(attachment !== undefined && { attachment_id: attachment }) },
  };
}

/** The log first: a scan has the id of its log entry. */
async function save({ store, clock, logs, url }: ScannerDeps, outcome: Outcome, state: string): Promise<number> {
  const { code, entries, errors, issues, feed } = outcome;
  const isFound = issues.some(({ status }) => status === 'warn');
  const entry = await logs.record({
    module,
    code,
    type: isFound ? 'critical-issue' : errors.length > 0 ? 'warning' : 'notice',
    data: {
      ...(feed !== undefined && { advisories: feed }),
      issues: issues
        .filter(({ status }) => status === 'warn')
        .slice(0, 100)
        .map(({ description }) => description),
      errors,
    },
  });
  return store.write(async (tx) => {
    const { last } = await tx
      .selectFrom('secsuite_scans')
      .select(({ fn }) => fn.max<number | null>('id').as('last'))
      .executeTakeFirstOrThrow();
    const isFree =
      entry > 0 &&
      (await tx.selectFrom('secsuite_scans').select('id').where('id', '=', entry).executeTakeFirst()) === undefined;
    const id = isFree ? entry : Number(last ?? 0) + 1;
    await tx
      .insertInto('secsuite_scans')
      .values({
        id,
        created_at: toTheSecond(clock()),
        url,
        code,
        entries: JSON.stringify(entries),
        errors: JSON.stringify(errors),
        issues: JSON.stringify(issues),
        state,
      })
      .execute();
    const kept = tx
      .selectFrom('secsuite_scans')
      .select('id')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(mostScans);
    await tx.deleteFrom('secsuite_scans').where('id', 'not in', kept).execute();
    return id;
  });
}

/** Mails what the scan before did not find. */
async function mailNews(
  { send }: ScannerDeps,
  { issues, feed }: Outcome,
  before: ScanTables['secsuite_scans'] | undefined,
): Promise<void> {
  const known = new Set(
    before === undefined ? [] : (JSON.parse(before.issues) as Issue[]).filter(isWarning).map(keyOf),
  );
  const news = issues.filter(isWarning).filter((one) => !known.has(keyOf(one)));
  if (news.length === 0) return;
  const text = [
    'A scan of your site found problems.',
    news
      .slice(0, mostMailed)
      .map(({ description, link }) => `${description}\n${link}`)
      .join('\n\n'),
    ...(news.length > mostMailed ? [`There are ${news.length - mostMailed} more.`] : []),
    ...(feed === undefined ? [] : [`The list of known vulnerabilities is ${feed}.`]),
  ].join('\n\n');
  // The failure is in the security log.
  await send('malware-scheduling', { text }).catch(() => {});
}

const mostMailed = 100;
const isWarning = ({ status }: Issue): boolean => status === 'warn';
const keyOf = ({ entry, id }: Issue): string => `${entry} ${id}`;
