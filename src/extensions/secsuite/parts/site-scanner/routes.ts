// Scans of the site and their issues.
import type { Caller } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Check, Context } from '#kernel/schema.ts';
import { readMoment } from '#lib/wall-time.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Toolkit } from '#site/extension.ts';
import { unlessEmpty } from '#site/platform/listing.ts';
import { rdate, relations } from '../../base.ts';
import { type CardAccess, type Gate, type Manage, whoManages } from '../../groups/manage.ts';
import { type Fixes, fixDenial, isFixable } from './fixes.ts';
import { type MailTokens, tokenCaller } from './mail-tokens.ts';
import { entrySlugs, type Issue, type Scan } from './scan.ts';
import type { Scanner } from './scanner.ts';
import type { Vulnerabilities } from './vulnerabilities/vulnerabilities.ts';

export interface ScannerUse {
  readonly scanner: Scanner;
  readonly vulnerabilities: Vulnerabilities;
  readonly fixes: Fixes;
  readonly manage: Pick<Manage, 'behalfOf'>;
  readonly mailTokens: MailTokens;
  readonly cardAccess: Pick<CardAccess, 'sees'>;
}

const list = 'site-scanner/scans';
const one = `${list}/(?P<id>\\d+)` as const;
const issues = `${list}/(?P<scan_id>\\d+)/issues` as const;
const oneIssue = `${issues}/(?P<issue_id>[\\w_-]+)` as const;

const shown: readonly Context[] = ['view', 'embed'];
const viewed: readonly Context[] = ['view'];
const statuses = ['clean', 'warn', 'error'] as const;
/** How old the last answer of the catalogue may be that says which updates there are. */
export const updatesAge = 60 * 60 * 1_000;

type Tools = Toolkit<ScannerUse>;

/** An issue as one caller sees it. */
interface ShownIssue extends Issue {
  readonly scan: number;
  readonly isFixable: boolean;
}

const descriptions: Readonly<Record<string, string>> = {
  clean: 'The scan found no problem.',
  error: 'The scan found no problem, but a check failed.',
  'scan-failure-server-error': 'The scan failed.',
  'scan-failure-client-error': 'The scan failed.',
  'found-malware': 'The scan found malware.',
  'on-blacklist': 'The site is on a blocklist.',
  'vulnerable-software': 'The scan found software with known vulnerabilities.',
  'has-error': 'A check failed.',
};

export const describeCode = (code: string): string =>
  code
    .split('--')
    .map((part) => descriptions[part] ?? part)
    .join(' ');

type ResourceTools = Pick<Tools, 'resource' | 't'>;

export function scanResource({ resource, t }: ResourceTools) {
  return resource({
    name: 'secsuite-site-scan',
    relations,
    fields: {
      id: t.integer({ context: shown }),
      time: t.string({ format: 'date-time', context: shown }),
      url: t.string({ format: 'uri', context: shown }),
      code: t.string({ context: shown }),
      description: t.string({ context: shown }),
      status: t.choice(statuses, { context: shown }),
      entries: t.list(t.object({ slug: t.string(), title: t.string(), status: t.choice(statuses) }), {
        context: viewed,
      }),
      errors: t.list(t.object({ code: t.string(), message: t.string() }), { context: viewed }),
    },
    compute: {
      time: (scan: Scan) => rdate(scan.time),
      description: (scan) => describeCode(scan.code),
    },
    links: ({ id }) => ({
      self: [{ href: `/secsuite/v1/${list}/${id}` }],
      'secsuite:site-scan-issues': [{ embeddable: true, href: `/secsuite/v1/${list}/${id}/issues` }],
    }),
  });
}

export function issueResource({ resource, t }: ResourceTools) {
  return resource({
    name: 'secsuite-site-scan-issue',
    relations,
    fields: {
      id: t.string({ context: shown }),
      link: t.string({ format: 'uri', context: shown }),
      description: t.string({ context: shown }),
      status: t.choice(statuses, { context: shown }),
      entry: t.choice(entrySlugs, { context: shown }),
      meta: t.free({ context: viewed }),
    },
    compute: { meta: (issue: ShownIssue) => issue.meta as Record<string, unknown> },
    links: ({ id, scan, isFixable: canFix }) => {
      const collection = `/secsuite/v1/${list}/${scan}/issues`;
      return {
        self: [{ href: `${collection}/${id}` }],
        collection: [{ href: collection }],
        up: [{ href: `/secsuite/v1/${list}/${scan}` }],
        ...(canFix && { 'secsuite:site-scan-fix-issue': [{ href: `${collection}/${id}/fix`, title: 'Update' }] }),
      };
    },
  });
}

const ownSite: Check = (site: number) =>
  site === 0 || site === 1
    ? undefined
    : { code: 'rest_invalid_site', message: '`site_id` must be 0 or 1, because this server has one site.' };

/** A time that no calendar has is refused by the schema. */
const momentOf = (text: string): string => {
  const read = readMoment({ timezone: '', offset: 0 }, text, 'utc');
  return read === undefined ? text : `${read.utc}.000Z`;
};

export const spanOf = ({ after, before }: { after?: string | undefined; before?: string | undefined }) => ({
  after: after === undefined ? undefined : momentOf(after),
  before: before === undefined ? undefined : momentOf(before),
});

const scanCards = ['vulnerable-software', 'malware-scan'];

export function scanRoutes(tools: Tools, gate: Gate): Route[] {
  const { route, t, on, page, perPage, offsetOf, created } = tools;
  const scans = scanResource(tools);
  const found = issueResource(tools);
  const viewer = gate.managerOr(contentErrors.cannotView);
  const cardViewer = on(
    (_: object, { cardAccess }: ScannerUse) => cardAccess,
    async (caller, access) =>
      gate.manages(caller) || (await access.sees(caller, scanCards)) || gate.judge(caller, contentErrors.cannotView),
    `${whoManages} Also accounts that see a card of scans on a dashboard.`,
  );
  const context = t.choice(['view', 'embed'], {
    default: 'view',
    description: 'Which fields the answer has: `view`, `embed` or `edit`.',
  });
  const time = (description: string) => t.optional(t.string({ format: 'date-time', description }));
  const show = async (scan: number, all: readonly Issue[], { fixes, vulnerabilities }: ScannerUse, caller: Caller) => {
    const updates = caller.can('update_plugins') ? await fixes.updates(updatesAge) : new Map<string, string>();
    const canFix = async ({ entry, id }: Issue) =>
      updates.size > 0 && entry === 'vulnerabilities' && isFixable(await vulnerabilities.get(id), updates);
    return Promise.all(all.map(async (one): Promise<ShownIssue> => ({ ...one, scan, isFixable: await canFix(one) })));
  };
  return [
    route({
      method: 'GET',
      path: list,
      summary: 'List scans, newest first',
      access: cardViewer,
      token: tokenCaller,
      resource: scans,
      args: {
        context,
        page: page(),
        per_page: perPage(),
        code: t.optional(
          t.list(t.string(), { description: 'Complete codes; % stands for any text.', check: fewCodes }),
        ),
        before: time('Only scans at this time or before.'),
        after: time('Only scans at this time or after.'),
      },
      handle: ({ args, use }) =>
        use.scanner.list({
          limit: args.per_page,
          offset: offsetOf(args),
          codes: unlessEmpty(args.code),
          ...spanOf(args),
        }),
    }),
    route({
      method: 'POST',
      path: list,
      summary: 'Scan the site',
      access: gate.managerOr(contentErrors.cannotCreate),
      token: tokenCaller,
      resource: scans,
      args: { site_id: t.integer({ default: 0, check: ownSite, description: '0 or 1: this site.' }) },
      handle: async ({ caller, use }) => created(await use.scanner.start(caller.id), { context: 'view' }),
    }),
    route({
      method: 'GET',
      path: one,
      summary: 'Get a scan',
      access: cardViewer,
      token: tokenCaller,
      resource: scans,
      args: { id: t.integer(), context },
      handle: ({ args, use }) => use.scanner.get(args.id),
    }),
    route({
      method: 'GET',
      path: issues,
      summary: 'List the issues of a scan',
      access: viewer,
      token: tokenCaller,
      resource: found,
      several: 'list',
      args: {
        scan_id: t.integer(),
        context,
        entry: t.optional(t.list(t.choice(entrySlugs), { description: 'Only issues of these checks.' })),
      },
      handle: async ({ args, use, caller }) => {
        const { issues: all } = await use.scanner.get(args.scan_id);
        const entries = unlessEmpty(args.entry);
        const wanted = all.filter(({ entry }) => entries === undefined || entries.includes(entry));
        return show(args.scan_id, wanted, use, caller);
      },
    }),
    route({
      method: 'GET',
      path: oneIssue,
      summary: 'Get an issue of a scan',
      access: viewer,
      token: tokenCaller,
      resource: found,
      args: { scan_id: t.integer(), issue_id: t.string(), context },
      handle: async ({ args, use, caller }) => {
        const issue = await use.scanner.issue(args.scan_id, args.issue_id);
        return (await show(args.scan_id, [issue], use, caller))[0]!;
      },
    }),
    route({
      method: 'POST',
      path: `${oneIssue}/fix`,
      summary: 'Fix an issue by an update',
      access: gate.managerOr(fixDenial),
      token: tokenCaller,
      hidden: true,
      answers: { 204: null },
      args: { scan_id: t.integer(), issue_id: t.string() },
      handle: async ({ args, use, caller }) => {
        const issue = await use.scanner.issue(args.scan_id, args.issue_id);
        await use.fixes.fixIssue(issue, caller);
        return null;
      },
    }),
  ];
}

const fewCodes: Check = (codes: readonly string[]) =>
  codes.length <= 100 ? undefined : { code: 'rest_too_many_items', message: 'Send at most 100 codes.' };
