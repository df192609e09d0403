// The three checks of a scan. A check that fails does not keep the others from their work.
import { Problem } from '#kernel/problem.ts';
import { hour } from '#lib/spans.ts';
import { Upstream } from '#site/outgoing/outgoing.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Log } from '#store/engine.ts';
import type { Inventory, Software } from '../../software/inventory.ts';
import type { Patching, SeenVulnerability } from '../../software/patching.ts';
import type { createBlocklists, Listing } from './blocklists.ts';
import { type Finding, idOf, type Malware } from './malware/malware.ts';
import { type Entry, entrySlugs, type Issue, type ScanError } from './scan.ts';
import { ageOf, type createFeed, FeedUnavailable, type Match, matchesIn } from './vulnerabilities/feed.ts';
import { isQuiet, isSoftware, type Vulnerabilities, type Vulnerability } from './vulnerabilities/vulnerabilities.ts';

export interface CheckDeps {
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly inventory: Inventory;
  readonly feed: ReturnType<typeof createFeed>;
  readonly vulnerabilities: Vulnerabilities;
  readonly patching: Pick<Patching, 'apply'>;
  readonly blocklists: ReturnType<typeof createBlocklists>;
  readonly malware: Pick<Malware, 'scan'>;
  readonly url: string;
  hrefOf(path: string): string;
}

/** How old the last answer of the catalogue may be. */
export const catalogueAge = hour;

export interface Outcome {
  readonly code: string;
  readonly entries: readonly Entry[];
  readonly errors: readonly ScanError[];
  readonly issues: readonly Issue[];
  readonly feed: string | undefined;
}

type Checked = Omit<Outcome, 'code' | 'feed'> & { readonly feed?: string };

export async function outcomeOf(deps: CheckDeps, signal: AbortSignal): Promise<Outcome> {
  const checks = [checkVulnerabilities, checkBlocklists, checkMalware];
  const all: Checked[] = [];
  for (const [at, check] of checks.entries())
    all.push(
      await check(deps, signal).catch((error) => {
        if (signal.aborted) throw error;
        deps.log.error({ err: error }, 'A check of a site scan failed');
        return failedCheck(
          `${entrySlugs[at]}-failed`,
          'This check failed. Ask the site operator to read the log of the server.',
        );
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

/** A list that names more of one site is not true. */
const mostMatches = 500;

async function checkVulnerabilities(deps: CheckDeps, signal: AbortSignal): Promise<Checked> {
  const { feed, inventory, vulnerabilities, patching, clock } = deps;
  try {
    const [list, software] = await Promise.all([feed.read(signal), inventory.list(catalogueAge)]);
    const matches = matchesIn(list, software);
    if (matches.length > mostMatches)
      throw new FeedUnavailable(`It names more than ${mostMatches} vulnerabilities of this site, so it is not used.`);
    const found = await vulnerabilities.saw(matches, software);
    const covered = await patching.apply(
      found.map((one) => seenOf(one, matches)),
      signal,
    );
    const seen = await vulnerabilities.patched(found, covered, software);
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

/** As a feed of firewall rules may call it. */
function seenOf({ id, advisory, details, type, slug }: Vulnerability, matches: readonly Match[]): SeenVulnerability {
  const mine = matches.filter((match) => match.advisory.id === advisory && isSoftware(match.software, type, slug));
  const products = mine.flatMap(({ software: { advisoryPackage: named, kind, file } }) => [
    `${kind}:${file}`,
    `${named.ecosystem}:${named.name}`,
    file,
    named.name,
  ]);
  const aliases = mine.flatMap((match) => match.advisory.aliases);
  return { id, advisory, aliases: [...new Set(aliases)], title: details.title, products: [...new Set(products)] };
}

function vulnerabilityIssue(
  { hrefOf }: CheckDeps,
  { id, details, type, slug, label, resolution }: Vulnerability,
  software: readonly Software[],
): Issue {
  const update = software.find((one) => one.kind === type && one.file === slug)?.update ?? null;
  return {
    id,
    entry: 'vulnerabilities',
    link: hrefOf(`/secsuite/v1/site-scanner/vulnerabilities/${id}`),
    description: `${label}: ${details.title}`,
    status: isQuiet(resolution) ? 'clean' : 'warn',
    meta: { issue: details, type, software: { slug, label, latest_version: update } },
  };
}

async function checkBlocklists({ blocklists, url, log }: CheckDeps, signal: AbortSignal): Promise<Checked> {
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

async function checkMalware(deps: CheckDeps, signal: AbortSignal): Promise<Checked> {
  const { findings, failure } = await deps.malware.scan(signal);
  return {
    entries: [{ slug: 'malware', title: 'Malware', status: failure === undefined ? 'clean' : 'error' }],
    errors: failure === undefined ? [] : [{ code: 'malware-engine-unavailable', message: failure }],
    issues: findings.map((one) => malwareIssue(deps, one)),
  };
}

function malwareIssue({ hrefOf, url }: CheckDeps, finding: Finding): Issue {
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
