// Scans of the site: one at a time among all processes, and their results.
import { createHash } from 'node:crypto';
import { defineError, Problem } from '#kernel/problem.ts';
import { Unavailable } from '#lib/failures.ts';
import { minute } from '#lib/spans.ts';
import type { Queue } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';
import type { Events } from '#site/platform/events.ts';
import type { Store } from '#store/store.ts';
import { toTheSecond } from '../../logs/entry.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Send } from '../../notifications/sending.ts';
import type { Software } from '../../software/inventory.ts';
import { jobResult } from '../../tools/job-result.ts';
import { type CheckDeps, catalogueAge, type Outcome, outcomeOf } from './checks.ts';
import { findScan, type Issue, lastFound, listScans, newestScan, type Scan, type ScanQuery, scanOf } from './scan.ts';
import type { ScanTables } from './tables.ts';

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

export interface ScanOrder {
  readonly scheduled: boolean;
}

declare module '#site/platform/events.ts' {
  interface SiteEvents {
    /** A scan found other vulnerabilities than the scan before. */
    'secsuite.vulnerabilities': { readonly scan: number };
  }
}

interface ScannerDeps extends CheckDeps {
  readonly store: Store<ScanTables>;
  readonly logs: Pick<Logs, 'operation' | 'record' | 'get'>;
  readonly events: Pick<Events, 'emit'>;
  readonly jobs: Pick<Jobs, 'work' | 'find'>;
  readonly queue: Queue<ScanOrder>;
  send: Send;
  /** To the page that shows a scan to this user. */
  linkFor(scan: number, user: number): string;
}

const module = 'site-scanner';
/** A scan with the same state is not repeated so soon. */
const freshFor = minute;
/** Older results are deleted. */
const mostScans = 500;

export type Scanner = ReturnType<typeof createScanner>;

export function createScanner(deps: ScannerDeps) {
  const { store, clock, logs, events, jobs, queue, inventory, vulnerabilities } = deps;
  const { db } = store;
  const { quietIds } = vulnerabilities;

  const get = async (id: number): Promise<Scan> => {
    const scan = Number.isSafeInteger(id) ? await findScan(db, id, await quietIds()) : undefined;
    if (scan !== undefined) return scan;
    const entry = await logs.get(id).catch((error) => {
      if (error instanceof Problem && error.status === 404) return undefined;
      throw error;
    });
    throw entry === undefined ? scanErrors.scanNotFound(id) : scanErrors.notAScan(id);
  };

  /** Nothing, if the last scan is older or of another state. */
  const freshScan = async (): Promise<Scan | undefined> => {
    const [last, software, quiet] = await Promise.all([newestScan(db), inventory.list(catalogueAge), quietIds()]);
    if (last === undefined || last.state !== stateOf(software, quiet)) return undefined;
    const age = clock().getTime() - Date.parse(last.created_at);
    return age >= 0 && age < freshFor ? scanOf(last, quiet) : undefined;
  };

  return {
    get,

    list: async (query: ScanQuery) => listScans(db, query, await quietIds()),

    async issue(scan: number, id: string): Promise<Issue> {
      const found = (await get(scan)).issues.find((one) => one.id === id);
      if (found === undefined) throw scanErrors.issueNotFound(id);
      return found;
    },

    /** Waits for the scan that runs already, if one does. */
    async start(by: number): Promise<Scan> {
      return (await freshScan()) ?? get(await finished(jobs, await queue.add({ scheduled: false }, { ...alone, by })));
    },

    schedule: () => queue.add({ scheduled: true }, alone),

    /** The work of the job. Answers the id of the scan. */
    async run({ scheduled }: ScanOrder, signal: AbortSignal): Promise<number> {
      const before = await lastFound(db);
      const operation = await logs.operation(module, 'scan', { site_id: 0 });
      const outcome = await outcomeOf(deps, signal);
      // Kept before the result, whose entry comes next.
      const stop = { module, code: 'scan', type: 'process-stop', parent: operation.id } as const;
      await logs.record({ ...stop, data: { code: outcome.code } });
      const software = await inventory.list(catalogueAge);
      const quiet = await quietIds();
      const id = await save(deps, outcome, stateOf(software, quiet));
      const isLookedFor = outcome.entries.some(({ slug }) => slug === 'vulnerabilities');
      if (isLookedFor && vulnerabilitiesIn(before) !== vulnerabilitiesIn(outcome.issues))
        events.emit('secsuite.vulnerabilities', { scan: id });
      if (scheduled) await mailNews(deps, id, outcome, before);
      return id;
    },
  };
}

const alone = { key: 'scan', alone: 'security-suite.scan' } as const;

/** Waits for the job, also if another process does it. Answers the id of the scan. */
async function finished(jobs: ScannerDeps['jobs'], job: string): Promise<number> {
  const { scan } = await jobResult(jobs, job, tooLong);
  if (typeof scan !== 'number') throw new Unavailable(tooLong);
  return scan;
}

const tooLong = 'The scan did not end within the time limit. Look at the list of scans later.';

const stateOf = (software: readonly Software[], quiet: ReadonlySet<string>): string =>
  createHash('sha256')
    .update(JSON.stringify([software.map(({ id, version, active }) => [id, version, active]), [...quiet].sort()]))
    .digest('hex');

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

/** Mails what was not found before. */
async function mailNews(
  { send, linkFor }: ScannerDeps,
  scan: number,
  { issues, feed }: Outcome,
  before: readonly Issue[],
): Promise<void> {
  const known = new Set(before.filter(isWarning).map(keyOf));
  const news = issues.filter(isWarning).filter((one) => !known.has(keyOf(one)));
  if (news.length === 0) return;
  const text = [
    'A scan of your site found problems.',
    news
      .slice(0, mostMailed)
      .map(({ description }) => description)
      .join('\n\n'),
    ...(news.length > mostMailed ? [`${news.length - mostMailed} more problems.`] : []),
    ...(feed === undefined ? [] : [`The list of known vulnerabilities is ${feed}.`]),
  ].join('\n\n');
  // The failure is in the security log.
  await send('malware-scheduling', { text, textFor: (user) => linkText(linkFor(scan, user)) }).catch(() => {});
}

/** A text that differs if others are found. */
const vulnerabilitiesIn = (issues: readonly Issue[]): string =>
  issues
    .filter((one) => one.entry === 'vulnerabilities' && isWarning(one))
    .map(({ id }) => id)
    .sort()
    .join();

const linkText = (link: string): string =>
  [
    'To see the problems and mute some of them, open this link. All readers of this link can do this within 7 days, so do not forward it:',
    link,
    'You get this email because scans of your site are turned on.',
  ].join('\n\n');

const mostMailed = 100;
const isWarning = ({ status }: Issue): boolean => status === 'warn';
const keyOf = ({ entry, id }: Issue): string => `${entry} ${id}`;
