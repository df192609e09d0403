// Events for dashboards, counted while entries are kept. Counts stay when entries are deleted: by the hour for 3 days, by the
// day for 2 years.
import type { Transaction } from 'kysely';
import { day } from '#lib/spans.ts';
import { addToDays, type DailyCount, forgetDays } from '#site/platform/daily-counts.ts';
import type { KeyedHash } from '#site/platform/seal.ts';
import { inSlices } from '#store/slices.ts';
import { inFewSizes } from '#store/statements.ts';
import type { Store } from '#store/store.ts';
import { headOf, type NewEntry, partsOf } from './entry.ts';
import type { LogTables } from './tables.ts';

/** How often each event happened on each day; the subject is the event. */
const byDay = 'secsuite-events';
/** The same by the hour; the subject is `09 lockout-host`. */
const byHour = 'secsuite-event-hours';
/**
 * How many IP addresses logged something on a day, by the day on which they did so before; the subject is that day, or empty. Those
 * that were not there since the first day of a period are the different addresses of the period.
 */
const byGap = 'secsuite-address-gaps';

const keptHours = 3 * day;
const keptDays = 2 * 366 * day;
/** One day more than the longest period: an address that was away for longer counts as new in every period. */
const keptAddresses = 401 * day;

const bannedFor = ['brute_force', 'brute_force_admin_user', 'recaptcha', 'four_oh_four'];

/** Events by the module and the head of the code of an entry. */
const eventsByCode: Readonly<Record<string, string>> = {
  'brute_force invalid-login': 'local-brute-force',
  'brute_force auto-ban-admin-username': 'local-brute-force',
  'ipcheck failed-login-by-blocked-ip': 'network-brute-force',
  'ipcheck successful-login-by-blocked-ip': 'network-brute-force',
  'lockout host-lockout': 'lockout-host',
  'lockout user-lockout': 'lockout-user',
  'lockout username-lockout': 'lockout-username',
  'recaptcha empty': 'recaptcha-empty',
  'recaptcha failed-validation': 'recaptcha-invalid',
  'four_oh_four found_404': 'four-oh-four',
  'version_management update-core': 'vm-update-core',
  'fingerprinting session_destroyed': 'fingerprint-session-destroyed',
  'fingerprinting session_switched_unknown': 'fingerprint-session-switched-unknown',
  'fingerprinting denied_fingerprint_blocked': 'fingerprint-login-blocked',
};

/** By the module, the head of the code and the first part that follows it. */
const eventsByData: Readonly<Record<string, string>> = {
  'fingerprinting created pending': 'fingerprint-login-unknown',
  'fingerprinting status approved': 'fingerprint-status-approved',
  'fingerprinting status auto-approved': 'fingerprint-status-auto-approved',
  'fingerprinting status denied': 'fingerprint-status-denied',
  'version_management update plugin': 'vm-update-plugin',
  'version_management update theme': 'vm-update-theme',
  'version_management auto-update plugin': 'vm-update-plugin',
  'version_management auto-update theme': 'vm-update-theme',
};

function eventOf({ module, code, type, data }: NewEntry): string | undefined {
  const head = headOf(code);
  if (module === 'firewall') return type === 'action' && head === 'BLOCK' ? 'firewall-block' : undefined;
  if (module === 'lockout' && head === 'host-triggered-blacklist') {
    const reason = (JSON.parse(data) as { module?: unknown }).module;
    return bannedFor.find((one) => one === reason) && `blacklist-${String(reason)}`;
  }
  return eventsByCode[`${module} ${head}`] ?? eventsByData[`${module} ${head} ${partsOf(code).data[0]}`];
}

type Tx = Transaction<LogTables>;

/** Counts what these entries are, in the write that keeps them. */
export async function countEvents(tx: Tx, entries: readonly NewEntry[], hash: KeyedHash): Promise<void> {
  const counts = entries.flatMap((entry): DailyCount[] => {
    const event = eventOf(entry);
    if (event === undefined) return [];
    const [on, hour] = [entry.created_at.slice(0, 10), entry.created_at.slice(11, 13)];
    return [
      { name: byDay, day: on, subject: event, count: 1 },
      { name: byHour, day: on, subject: `${hour} ${event}`, count: 1 },
    ];
  });
  await addToDays(tx, [...counts, ...(await newAddresses(tx, entries, hash))]);
}

/** Half of the hash is enough to tell addresses apart. */
const hashOfAddress = (hash: KeyedHash, ip: string): string => hash(`address\n${ip}`).slice(0, 22);

interface Seen {
  readonly address: string;
  readonly day: string;
}

/** Adds a row for each address and day. Answers the counts that change by rows that are new. */
async function newAddresses(tx: Tx, entries: readonly NewEntry[], hash: KeyedHash): Promise<DailyCount[]> {
  const ips = new Set(entries.flatMap(({ remote_ip: ip }) => (ip === '' ? [] : ip)));
  const hashes = new Map([...ips].map((ip) => [ip, hashOfAddress(hash, ip)]));
  const keys = new Set(
    entries.flatMap(({ remote_ip, created_at }) =>
      remote_ip === '' ? [] : [`${hashes.get(remote_ip)} ${created_at.slice(0, 10)}`],
    ),
  );
  const seen = [...keys].sort().map((key): Seen => ({ address: key.slice(0, -11), day: key.slice(-10) }));
  const added: Seen[] = [];
  for (const some of inFewSizes(seen)) {
    const rows = tx
      .insertInto('secsuite_log_addresses')
      .values(some)
      .onConflict((on) => on.doNothing());
    added.push(...(await rows.returning(['address', 'day']).execute()));
  }
  const neighbours: Neighbours[] = [];
  for (const some of inFewSizes(added)) neighbours.push(...(await neighboursOf(tx, some)));
  return gapsOf(neighbours);
}

/** A row, with the days on which its address was seen before and after. */
interface Neighbours extends Seen {
  readonly before: string | null;
  readonly after: string | null;
}

const neighboursOf = (tx: Tx, rows: readonly Seen[]): Promise<Neighbours[]> =>
  tx
    .selectFrom('secsuite_log_addresses as one')
    .select(({ selectFrom }) => {
      const others = selectFrom('secsuite_log_addresses as other').whereRef('other.address', '=', 'one.address');
      const before = others.whereRef('other.day', '<', 'one.day').select(({ fn }) => fn.max('other.day').as('day'));
      const after = others.whereRef('other.day', '>', 'one.day').select(({ fn }) => fn.min('other.day').as('day'));
      return ['one.address', 'one.day', before.as('before'), after.as('after')];
    })
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('one.address', 'one.day'),
        'in',
        rows.map(({ address, day: on }) => tuple(address, on)),
      ),
    )
    .execute();

/** What rows that are new change. */
function gapsOf(added: readonly Neighbours[]): DailyCount[] {
  const byKey = new Map(added.map((one) => [`${one.address} ${one.day}`, one]));
  const gap = (from: string | null, to: string, count: number): DailyCount => ({
    name: byGap,
    day: to,
    subject: from ?? '',
    count,
  });
  /** The day before, when these rows were not there yet. */
  const formerOf = ({ address, before }: Neighbours): string | null => {
    const other = byKey.get(`${address} ${before}`);
    return other === undefined ? before : formerOf(other);
  };
  return added.flatMap((one) => [
    gap(one.before, one.day, 1),
    // A row that was entered late: the day after it follows on this one now.
    ...(one.after === null || byKey.has(`${one.address} ${one.after}`)
      ? []
      : [gap(formerOf(one), one.after, -1), gap(one.day, one.after, 1)]),
  ]);
}

/** Both ends are included, to the hour or to the day. */
export interface Period {
  readonly bucket: 'hour' | 'day';
  readonly start: Date;
  readonly end: Date;
}

export interface EventCount {
  readonly event: string;
  /** When the hour or the day began. */
  readonly at: Date;
  readonly count: number;
}

export interface Events {
  /** Of these events, or of all of them. */
  count(period: Period, events?: readonly string[]): Promise<EventCount[]>;
  /** The same, each event with its sum. */
  totals(period: Period): Promise<Pick<EventCount, 'event' | 'count'>[]>;
  /** Different IP addresses on the days of the period. */
  addresses(period: Period): Promise<number>;
  /** Forgets what is too old to be asked for, and hashes IP addresses that earlier versions stored. */
  purge(now: Date, signal?: AbortSignal): Promise<void>;
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
const hoursOfDay = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

export const createEvents = ({ db, write }: Pick<Store<LogTables>, 'db' | 'write'>, hash: KeyedHash): Events => ({
  async count({ bucket, start, end }, events) {
    const isHourly = bucket === 'hour';
    const subjects = isHourly ? events?.flatMap((event) => hoursOfDay.map((hour) => `${hour} ${event}`)) : events;
    const all = db
      .selectFrom('daily_counts')
      .select(['day', 'subject', 'count'])
      .where('name', '=', isHourly ? byHour : byDay)
      .where('day', '>=', dayOf(start))
      .where('day', '<=', dayOf(end));
    const rows = await (subjects ? all.where('subject', 'in', subjects) : all).execute();
    return rows
      .map(({ day: on, subject, count }) => ({
        event: isHourly ? subject.slice(3) : subject,
        at: new Date(`${on}T${isHourly ? subject.slice(0, 2) : '00'}:00:00Z`),
        count: Number(count),
      }))
      .filter(({ at }) => at >= start && at <= end);
  },
  async totals(period) {
    if (period.bucket === 'hour') return this.count(period);
    const rows = await db
      .selectFrom('daily_counts')
      .select(({ fn }) => ['subject as event', fn.sum<number>('count').as('count')])
      .where('name', '=', byDay)
      .where('day', '>=', dayOf(period.start))
      .where('day', '<=', dayOf(period.end))
      .groupBy('subject')
      .execute();
    return rows.map(({ event, count }) => ({ event, count: Number(count) }));
  },
  async addresses({ start, end }) {
    const { many } = await db
      .selectFrom('daily_counts')
      .select(({ fn }) => fn.sum<number | null>('count').as('many'))
      .where('name', '=', byGap)
      .where('day', '>=', dayOf(start))
      .where('day', '<=', dayOf(end))
      .where('subject', '<', dayOf(start))
      .executeTakeFirstOrThrow();
    return Number(many ?? 0);
  },
  async purge(now, signal) {
    const ago = (span: number): string => dayOf(new Date(now.getTime() - span));
    await inSlices((most) => write((tx) => hashAddresses(tx, hash, most)), { signal });
    await inSlices((most) => write((tx) => forgetDays(tx, [byHour], ago(keptHours), most)), { signal });
    await inSlices((most) => write((tx) => forgetDays(tx, [byDay, byGap], ago(keptDays), most)), { signal });
    await inSlices((most) => write((tx) => forgetAddresses(tx, ago(keptAddresses), most)), { signal });
  },
});

/** Rows of earlier versions hold IP addresses, which have dots or colons. Answers how many rows there were. */
async function hashAddresses(tx: Tx, hash: KeyedHash, most: number): Promise<number> {
  const plain = await tx
    .selectFrom('secsuite_log_addresses')
    .select(['address', 'day'])
    .where(({ eb, or }) => or([eb('address', 'like', '%.%'), eb('address', 'like', '%:%')]))
    .orderBy('day')
    .limit(most)
    .execute();
  for (const { address, day: on } of plain) {
    await tx
      .insertInto('secsuite_log_addresses')
      .values({ address: hashOfAddress(hash, address), day: on })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx.deleteFrom('secsuite_log_addresses').where('address', '=', address).where('day', '=', on).execute();
  }
  return plain.length;
}

async function forgetAddresses(tx: Tx, before: string, most: number): Promise<number> {
  const old = tx.selectFrom('secsuite_log_addresses').select(['address', 'day']).where('day', '<', before).limit(most);
  const { numDeletedRows } = await tx
    .deleteFrom('secsuite_log_addresses')
    .where(({ eb, refTuple }) => eb(refTuple('address', 'day'), 'in', old.$asTuple('address', 'day')))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
