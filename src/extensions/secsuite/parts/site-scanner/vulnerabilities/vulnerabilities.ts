// Vulnerabilities of the installed software: when each was first and last seen, and what became of it.
import type { Transaction } from 'kysely';
import { raise } from '#kernel/problem.ts';
import { compareVersions } from '#lib/version-number.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Behalf } from '../../../base.ts';
import { suiteErrors } from '../../../errors.ts';
import type { Software } from '../../../software/inventory.ts';
import type { Patching } from '../../../software/patching.ts';
import type { ScanTables, VulnerabilityRow } from '../tables.ts';
import { type Details, detailsOf } from './details.ts';
import type { Match } from './feed.ts';

export const resolutions = ['patched', 'muted', 'deactivated', 'deleted', 'updated', 'auto-updated'] as const;
export type Resolution = '' | (typeof resolutions)[number];

/** Muted, or a firewall rule protects from it: it does not count as a problem. */
export const isQuiet = (resolution: Resolution): boolean => resolution === 'muted' || resolution === 'patched';

export interface Vulnerability extends Omit<VulnerabilityRow, 'details' | 'resolution'> {
  readonly details: Details;
  readonly resolution: Resolution;
}

const read = ({ details, resolution, ...row }: VulnerabilityRow): Vulnerability => ({
  ...row,
  details: JSON.parse(details) as Details,
  resolution: resolution as Resolution,
});

export interface VulnerabilityQuery {
  readonly limit: number;
  readonly offset: number;
  readonly resolutions?: readonly Resolution[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly patchable?: boolean | undefined;
  readonly firstSeen: Span;
  readonly lastSeen: Span;
}

interface Span {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

type Tx = Transaction<ScanTables>;
type Db = Pick<Tx, 'selectFrom'>;

interface VulnerabilityDeps {
  readonly store: Store<ScanTables>;
  readonly clock: Clock;
  readonly patching: Pick<Patching, 'advisories'>;
}

export type Vulnerabilities = ReturnType<typeof createVulnerabilities>;

export function createVulnerabilities({ store, clock, patching }: VulnerabilityDeps) {
  const { db } = store;
  const now = () => instant(clock());
  const resolved = (
    id: string,
    { again }: Behalf,
    next: (one: Vulnerability) => Resolution,
    by: number | null = null,
  ) =>
    store.write(async (tx) => {
      await again?.(tx as never);
      await resolve(tx, id, next(await findOne(tx, id)), by, now());
      return findOne(tx, id);
    });
  return {
    get: (id: string) => findOne(db, id),
    list: async (query: VulnerabilityQuery) =>
      listVulnerabilities(db, query, query.patchable === undefined ? [] : await patching.advisories()),
    muted: () => listMuted(db),
    quietIds: () => listQuiet(db),

    /** Answers those that were seen, in the order of the matches. */
    saw: (matches: readonly Match[], inventory: readonly Software[]): Promise<Vulnerability[]> =>
      store.write((tx) => recordSeen(tx, matches, inventory, now())),

    /** Rules of the firewall protect from some of these now. Answers all of them. */
    patched: (seen: readonly Vulnerability[], covered: ReadonlySet<string>, inventory: readonly Software[]) =>
      seen.every(({ id, resolution }) => covered.has(id) === (resolution === 'patched'))
        ? Promise.resolve(seen)
        : store.write((tx) => recordPatched(tx, seen, covered, inventory, now())),

    mute: (id: string, behalf: Behalf) => resolved(id, behalf, () => 'muted', behalf.caller.id),

    /** Does nothing if it is not muted. */
    unmute: (id: string, inventory: readonly Software[], behalf: Behalf) =>
      resolved(id, behalf, ({ resolution, type, slug }) => {
        if (resolution !== 'muted') return resolution;
        const software = inventory.find((other) => softwareKey(other) === `${type} ${slug}`);
        if (software === undefined) return 'deleted';
        return software.active ? '' : 'deactivated';
      }),

    /** An extension was updated, turned on or off, or removed. */
    async extensionChanged(
      slug: string,
      change: ExtensionChange,
      by: number | null,
      version: string | undefined,
    ): Promise<void> {
      const rule = reactions[change];
      if (rule === undefined) return;
      await store.write(async (tx) => {
        const rows = await tx
          .selectFrom('secsuite_vulnerabilities')
          .selectAll()
          .where('type', '=', 'plugin')
          .where('slug', '=', slug)
          .where('resolution', 'in', rule.from)
          .execute();
        for (const { id, details } of rows.map(read)) {
          const { fixed_in: fixed } = details;
          const isCrossed = fixed !== null && version !== undefined && compareVersions(version, fixed) >= 0;
          if (!change.endsWith('updated') || isCrossed) await resolve(tx, id, rule.to, by, now());
        }
      });
    },
  };
}

type ExtensionChange = 'installed' | 'updated' | 'auto-updated' | 'activated' | 'deactivated' | 'removed';

/** The same state again changes nothing. */
async function resolve(tx: Tx, id: string, resolution: Resolution, by: number | null, now: string): Promise<void> {
  const isOpen = resolution === '';
  await tx
    .updateTable('secsuite_vulnerabilities')
    .set({ resolution, resolved_at: isOpen ? null : now, resolved_by: isOpen ? null : by, last_seen: now })
    .where('id', '=', id)
    .where('resolution', '!=', resolution)
    .execute();
}

async function findOne(db: Db, id: string): Promise<Vulnerability> {
  const row = await db.selectFrom('secsuite_vulnerabilities').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? raise(suiteErrors.notFound(`Vulnerability ${id}`)) : read(row);
}

const listMuted = async (db: Db): Promise<Vulnerability[]> =>
  (
    await db
      .selectFrom('secsuite_vulnerabilities')
      .selectAll()
      .where('resolution', '=', 'muted')
      .orderBy('id')
      .execute()
  ).map(read);

async function listQuiet(db: Db): Promise<ReadonlySet<string>> {
  const quiet = resolutions.filter(isQuiet);
  const rows = db.selectFrom('secsuite_vulnerabilities').select('id').where('resolution', 'in', quiet);
  return new Set((await rows.execute()).map(({ id }) => id));
}

async function listVulnerabilities(
  db: Db,
  query: VulnerabilityQuery,
  patched: readonly string[],
): Promise<{ items: Vulnerability[]; total: number }> {
  const { resolutions: states, types, patchable, firstSeen, lastSeen } = query;
  if (patchable && patched.length === 0) return { items: [], total: 0 };
  const wanted = db
    .selectFrom('secsuite_vulnerabilities')
    .$if(states !== undefined, (q) => q.where('resolution', 'in', states!))
    .$if(types !== undefined, (q) => q.where('type', 'in', types!))
    .$if(patchable !== undefined && patched.length > 0, (q) =>
      q.where('advisory', patchable ? 'in' : 'not in', patched),
    )
    .$if(firstSeen.after !== undefined, (q) => q.where('first_seen', '>', firstSeen.after!))
    .$if(firstSeen.before !== undefined, (q) => q.where('first_seen', '<', firstSeen.before!))
    .$if(lastSeen.after !== undefined, (q) => q.where('last_seen', '>', lastSeen.after!))
    .$if(lastSeen.before !== undefined, (q) => q.where('last_seen', '<', lastSeen.before!));
  const page = wanted.selectAll().orderBy('last_seen', 'desc').orderBy('id').limit(query.limit).offset(query.offset);
  const [rows, { total }] = await Promise.all([
    page.execute(),
    wanted.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { items: rows.map(read), total: Number(total) };
}

async function recordSeen(
  tx: Tx,
  matches: readonly Match[],
  inventory: readonly Software[],
  now: string,
): Promise<Vulnerability[]> {
  const before = (await tx.selectFrom('secsuite_vulnerabilities').selectAll().execute()).map(read);
  const knownBy = new Map(before.map((one) => [keyOfRow(one), one]));
  const seen = new Map<string, string>();
  for (const match of matches) {
    const key = keyOf(match);
    if (seen.has(key)) continue;
    const { id, resolution } = await put(tx, match, knownBy.get(key), now);
    seen.set(key, id);
    const isKept = resolution === 'muted' || resolution === 'patched';
    if (!isKept) await resolve(tx, id, match.software.active ? '' : 'deactivated', null, now);
  }
  const here = new Set(inventory.map(softwareKey));
  for (const one of before) if (!seen.has(keyOfRow(one))) await recordUnseen(tx, one, here, now);
  return Promise.all([...seen.values()].map((id) => findOne(tx, id)));
}

async function recordUnseen(tx: Tx, one: Vulnerability, here: ReadonlySet<string>, now: string): Promise<void> {
  const isHere = here.has(`${one.type} ${one.slug}`);
  const states: readonly Resolution[] = ['', 'deactivated', 'patched', ...(isHere ? (['muted'] as const) : [])];
  if (states.includes(one.resolution)) await resolve(tx, one.id, isHere ? 'updated' : 'deleted', null, now);
}

async function recordPatched(
  tx: Tx,
  seen: readonly Vulnerability[],
  covered: ReadonlySet<string>,
  inventory: readonly Software[],
  now: string,
): Promise<Vulnerability[]> {
  for (const { id, type, slug, resolution } of seen) {
    const isActive = inventory.some((one) => one.active && isSoftware(one, type, slug));
    if (covered.has(id)) await resolve(tx, id, 'patched', null, now);
    else if (resolution === 'patched') await resolve(tx, id, isActive ? '' : 'deactivated', null, now);
  }
  return Promise.all(seen.map(({ id }) => findOne(tx, id)));
}

const reactions: Readonly<
  Record<string, { readonly from: readonly Resolution[]; readonly to: Resolution } | undefined>
> = {
  activated: { from: ['deactivated', 'deleted'], to: '' },
  deactivated: { from: [''], to: 'deactivated' },
  removed: { from: ['', 'patched', 'deactivated'], to: 'deleted' },
  updated: { from: ['', 'muted', 'deactivated', 'deleted'], to: 'updated' },
  'auto-updated': { from: ['', 'muted', 'deactivated', 'deleted'], to: 'auto-updated' },
};

/** The service itself has no slug. */
const slugOf = ({ kind, file }: Software): string => (file === 'gatehouse' && kind === 'core' ? '' : file);
const softwareKey = (software: Software): string => `${software.kind} ${slugOf(software)}`;
/** Whether it is the software of a vulnerability. */
export const isSoftware = (software: Software, type: string, slug: string): boolean =>
  softwareKey(software) === `${type} ${slug}`;
const keyOf = ({ software, advisory }: Match): string => `${advisory.id} ${softwareKey(software)}`;
const keyOfRow = ({ advisory, type, slug }: Pick<VulnerabilityRow, 'advisory' | 'type' | 'slug'>): string =>
  `${advisory} ${type} ${slug}`;

async function put(tx: Tx, match: Match, known: Vulnerability | undefined, now: string): Promise<Vulnerability> {
  const { software, advisory } = match;
  const details = JSON.stringify(detailsOf(match));
  if (known !== undefined) {
    await tx
      .updateTable('secsuite_vulnerabilities')
      .set({ details, label: software.name, last_seen: now })
      .where('id', '=', known.id)
      .execute();
    return known;
  }
  const slug = slugOf(software);
  const row: VulnerabilityRow = {
    id: await freeId(tx, advisory.id, `${software.kind}-${slug}`),
    advisory: advisory.id,
    type: software.kind,
    slug,
    label: software.name,
    details,
    first_seen: now,
    last_seen: now,
    resolution: '',
    resolved_at: null,
    resolved_by: null,
  };
  await tx.insertInto('secsuite_vulnerabilities').values(row).execute();
  return read(row);
}

/** The id of the advisory; if another software has that already, with the name of this one. */
async function freeId(tx: Tx, advisory: string, software: string): Promise<string> {
  const plain = (text: string): string => text.replaceAll(/[^\w-]+/g, '-');
  const taken = await tx
    .selectFrom('secsuite_vulnerabilities')
    .select('id')
    .where('id', '=', plain(advisory))
    .executeTakeFirst();
  return taken === undefined ? plain(advisory) : plain(`${advisory}-${software}`);
}
