// What a site tells of itself: what of it is understood, and what of that is kept. Sites of later versions may tell more.
import { kernelErrors } from '#kernel/errors.ts';
import type { Static } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';

export const conditions = ['good', 'recommended', 'critical'] as const;
export type Condition = (typeof conditions)[number];

/** What a site counts. */
export const counted = [
  'posts',
  'pages',
  'comments_pending',
  'users',
  'attachments',
  'attachment_bytes',
  'media_folders',
  'galleries',
  'lockouts_24h',
  'bans',
  'open_issues',
] as const;
export type Counted = (typeof counted)[number];

/** Many more than any site has: the rest is left out. */
const mostExtensions = 200;

export type Told = Static<ReturnType<typeof toldOf>>;

/** The body of a sync. */
export function toldOf(t: Toolkit<unknown>['t']) {
  const word = () => t.optional(t.string({ maxLength: 200 }));
  const count = () => t.optional(t.integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
  const part = t.object({ name: word(), version: word(), active: t.optional(t.boolean()) });
  const checks = t.object({ passed: count(), recommended: count(), critical: count() });
  return t.object({
    domain: t.string({ minLength: 1, maxLength: 300, description: 'URL of the site.' }),
    client_version: word(),
    app_version: word(),
    health: t.optional(
      t.object({
        status: t.optional(t.choice(conditions)),
        checks: t.optional(checks),
        runtime_version: word(),
        database: word(),
        disk_free_bytes: t.optional(t.nullable(t.integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
        last_backup: t.optional(t.nullable(t.string({ format: 'date-time', maxLength: 40 }))),
      }),
    ),
    stats: t.optional(t.object(Object.fromEntries(counted.map((name) => [name, count()])) as Counts<typeof count>)),
    packages: t.optional(t.object({ plugins: t.optional(t.map(part)) })),
  });
}

type Counts<C extends () => unknown> = Record<Counted, ReturnType<C>>;

/** What is kept of it. */
export interface Inventory {
  readonly client_version: string;
  readonly checks: Readonly<Record<Exclude<Condition, 'good'> | 'passed', number>>;
  readonly runtime_version: string;
  readonly database: string;
  readonly disk_free_bytes: number | null;
  readonly last_backup: string | null;
  readonly stats: Readonly<Partial<Record<Counted, number>>>;
  readonly extensions: readonly { readonly name: string; readonly version: string; readonly active: boolean }[];
}

export function inventoryOf({ client_version = '', health = {}, stats = {}, packages = {} }: Told): Inventory {
  const { checks = {}, runtime_version = '', database = '', disk_free_bytes = null, last_backup = null } = health;
  const { passed = 0, recommended = 0, critical = 0 } = checks;
  const plugins = Object.entries(packages.plugins ?? {}).slice(0, mostExtensions);
  return {
    client_version,
    checks: { passed, recommended, critical },
    runtime_version,
    database,
    disk_free_bytes,
    last_backup: last_backup === null ? null : momentIn(last_backup),
    stats: Object.fromEntries(counted.flatMap((name) => (stats[name] === undefined ? [] : [[name, stats[name]]]))),
    extensions: plugins.map(([path, { name = path, version = '', active = false }]) => ({
      name: name.slice(0, 200),
      version,
      active,
    })),
  };
}

/** Some moments are written as they should be, and are none: a second that was put in, or a year of five digits. */
function momentIn(text: string): string {
  const time = Date.parse(text);
  const moment = Number.isNaN(time) ? '' : new Date(time).toISOString();
  if (/^\d{4}-/.test(moment)) return moment;
  throw kernelErrors.invalidParam('last_backup must be an existing date and time.').with({
    params: { health: 'last_backup must be an existing date and time.' },
  });
}
