// What the hub is told of this site: what it has, and whether it is well. Nothing personal, nothing secret, and no path of this
// machine.
import { inTime } from '#lib/concurrency.ts';
import { second } from '#lib/spans.ts';
import { type ContentTables, totalTopics } from '#site/content/tables.ts';
import { statusOf } from '#site/health/check.ts';
import { freeBytes } from '#site/health/files.ts';
import type { Health } from '#site/health/health.ts';
import { markOf } from '#site/health/marks.ts';
import type { Counting as Counts } from '#site/hooks/counts.ts';
import type { Users } from '#site/identity/users/users.ts';
import { theme } from '#site/platform/site-facts.ts';
import { totalsOf } from '#site/platform/totals.ts';
import type { Reads } from '#store/handles.ts';
import { pausing } from '#store/slices.ts';
import type { AnyStore } from '#store/store.ts';

/** An extension, as the site lists it. */
export interface Listed {
  readonly slug: string;
  readonly name: string;
  readonly version: string;
  readonly active: boolean;
  /** Comes with the program. */
  readonly bundled: boolean;
}

/** What does not change by the hour. */
export interface Lasting {
  readonly client_version: string;
  readonly domain: string;
  readonly health: Condition;
}

export interface Inventory {
  /** By which the hub knows what leaves it. */
  readonly self: Pick<Lasting, 'client_version' | 'domain'>;
  lasting(): Promise<Lasting>;
  /** With what changes all the time. */
  whole(lasting: Lasting): Promise<object>;
}

type Needs = Looked &
  Counting & {
    /** Of the program. */
    readonly version: string;
    /** The public base address. */
    readonly url: string;
    /** Where people look after the site. */
    readonly admin: string;
    extensions(): Promise<readonly Listed[]>;
  };

export function createInventory(needs: Needs): Inventory {
  const { version, url, admin, extensions } = needs;
  const self = { client_version: version, domain: url };
  return {
    self,
    lasting: async () => ({
      ...self,
      home_url: url,
      admin_url: admin,
      blog_count: 1,
      app_version: version,
      projects: {},
      packages: { plugins: pluginsOf(await extensions()), themes: themesOf(version) },
      repo_updates: [],
      sso_status: false,
      health: await conditionOf(needs),
    }),
    whole: async (lasting) => ({
      ...lasting,
      health: { ...lasting.health, disk_free_bytes: await roomOf(needs) },
      ...(await figuresOf(needs)),
    }),
  };
}

const made = { author: 'Gatehouse', author_url: '' };
/** Packages do not say who made them. */
const unsaid = { author: '', author_url: '' };

/** By the paths that clients know them by, in one order: what is the same is told in the same words. */
const pluginsOf = (extensions: readonly Listed[]) =>
  Object.fromEntries(
    extensions
      .toSorted((one, other) => (one.slug < other.slug ? -1 : 1))
      .map(({ slug, name, version, active, bundled }) => [
        `${slug}/${slug}`,
        { name, version, plugin_url: '', ...(bundled ? made : unsaid), network: false, active },
      ]),
  );

const themesOf = (version: string) => ({
  [theme]: { name: theme, version, ...made, screenshot: '', parent: false, active: true },
});

// How much there is on the site, counted cheaply.

interface Counting {
  readonly store: Pick<AnyStore, 'db'>;
  readonly users: Pick<Users, 'count'>;
  readonly counts: Pick<Counts, 'all'>;
}

/** What extensions count; where none does, there is nothing. */
const none = { media_folders: 0, galleries: 0, lockouts_24h: 0, bans: 0, open_issues: 0 };

const pictures = {
  total_images: 0,
  optimized: 0,
  remaining: 0,
  skipped: 0,
  failed: 0,
  files: 0,
  size_before: 0,
  size_after: 0,
  bytes: 0,
  percent: 0,
  human: '0 B',
  resize_count: 0,
  resize_bytes: 0,
  conversion_count: 0,
  conversion_bytes: 0,
  variant_bytes: 0,
  last_run: null,
};

async function figuresOf({ store, users, counts }: Counting) {
  const posts = await totalsOf(store.db, totalTopics.posts);
  const comments = await totalsOf(store.db, totalTopics.comments);
  const stats = {
    posts: posts['post/publish'] ?? 0,
    pages: posts['page/publish'] ?? 0,
    comments_pending: comments['comment/hold'] ?? 0,
    users: await users.count(),
    attachments: posts['attachment/inherit'] ?? 0,
    attachment_bytes: await bytesOf(store.db),
    ...known(await counts.all()),
  };
  return { stats, imgopt: pictures };
}

const known = (counted: Readonly<Record<string, number>>): typeof none => ({
  ...none,
  ...Object.fromEntries(Object.entries(counted).filter(([name]) => Object.hasOwn(none, name))),
});

/** So many at a time: a large library is added up without keeping anybody waiting. */
const atOnce = 2_000;

async function bytesOf(db: Reads<ContentTables>): Promise<number> {
  let sum = 0;
  const pause = pausing();
  for (let after: number | null = 0; after !== null; await pause()) {
    const { bytes, last } = await pageAfter(db, after);
    sum += bytes ?? 0;
    after = last;
  }
  return sum;
}

function pageAfter(db: Reads<ContentTables>, after: number) {
  const page = db
    .selectFrom('media')
    .select(['post_id', 'size'])
    .where('post_id', '>', after)
    .orderBy('post_id')
    .limit(atOnce);
  return db
    .selectFrom(page.as('page'))
    .select((of) => [
      of.cast<number | null>(of.fn.sum('size'), 'bigint').as('bytes'),
      of.fn.max<number | null>('post_id').as('last'),
    ])
    .executeTakeFirstOrThrow();
}

interface Looked {
  readonly health: Pick<Health, 'checks' | 'look'>;
  readonly store: Pick<AnyStore, 'db' | 'release'>;
  /** The folder that holds the data of the site. */
  readonly data: string;
}

type Status = ReturnType<typeof statusOf>;

interface Condition {
  readonly status: Status;
  readonly checks: { readonly passed: number; readonly recommended: number; readonly critical: number };
  readonly runtime_version: string;
  readonly database: string;
  readonly last_backup: string | null;
}

/** What this extension says of itself; said of the hub to the hub, it would be news each time. */
export const ownCheck = 'hub-connector';

/** These look at the request by which somebody asks, and nobody asks here. */
const unasked = new Set(['authorization-header', 'proxy-header', ownCheck]);

const patience = 5 * second;

async function conditionOf({ health, store }: Looked): Promise<Condition> {
  const names = health.checks.filter(({ name, asks }) => !asks && !unasked.has(name)).map(({ name }) => name);
  const statuses = await Promise.all(names.map((name) => looked(health, name)));
  const many = (status: Status): number => statuses.filter((one) => one === status).length;
  const checks = { passed: many('good'), recommended: many('recommended'), critical: many('critical') };
  const backup = await markOf(store, 'backup');
  return {
    status: checks.critical > 0 ? 'critical' : checks.recommended > 0 ? 'recommended' : 'good',
    checks,
    runtime_version: process.version,
    database: await store.release(),
    last_backup: backup === undefined ? null : moment(backup),
  };
}

/** One that takes too long, or breaks, is not well, and keeps nobody from telling of the others. */
async function looked(health: Looked['health'], name: string): Promise<Status> {
  try {
    const look = health.look(name, { headers: {}, address: '' });
    const found = await inTime(look, patience, () => new Error('The check did not finish within the time limit.'));
    return found === undefined ? 'good' : statusOf(found.seen);
  } catch {
    return 'critical';
  }
}

/** On the disk of the data; 0, where nobody can tell. */
const roomOf = ({ data }: Pick<Looked, 'data'>): Promise<number> => freeBytes(data).catch(() => 0);

/** As moments are written here. */
export const moment = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`;
