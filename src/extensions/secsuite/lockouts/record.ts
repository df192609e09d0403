// Lockouts as clients see them, with what the log knows of each: the entry that tells of it, and those of what led to it.
import { day, hour, minute, second } from '#lib/spans.ts';
import { momentAt, type Zone } from '#lib/wall-time.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Clock } from '#site/platform/clock.ts';
import { rdate, relations } from '../base.ts';
import type { Entry } from '../logs/entry.ts';
import type { Wanted } from '../logs/list.ts';
import type { Logs } from '../logs/logs.ts';
import type { Lockout, Reasons } from './lockout.ts';
import { authorisedCode, lockoutCode, loginCode } from './told.ts';

export interface Shown {
  readonly lockout: Lockout;
  readonly label: string;
  readonly description: string;
  readonly isBannable: boolean;
  /** Whether addresses can be banned just now. */
  readonly hasBans: boolean;
  readonly now: number;
  readonly zone: Zone;
  /** For who edits. */
  readonly detail: Detail | undefined;
}

interface Needs {
  readonly clock: Clock;
  readonly logs: Pick<Logs, 'list'>;
  readonly reasons: Pick<Reasons, 'card'>;
  isBanning(): boolean;
  isBanned(address: string): boolean;
  zone(): Promise<Zone>;
  /** What users are called now, those that are still there. */
  names(users: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

export type Showing = (lockouts: readonly Lockout[], isEdited: boolean) => Promise<Shown[]>;

export function createShowing({ clock, logs, reasons, isBanning, isBanned, zone, names }: Needs): Showing {
  return async (lockouts, isEdited) => {
    const [here, known] = await Promise.all([zone(), names(lockouts.flatMap(({ user_id }) => user_id ?? []))]);
    const [now, hasBans] = [clock(), isBanning()];
    const shown = async (lockout: Lockout): Promise<Shown> => ({
      lockout,
      hasBans,
      now: now.getTime(),
      zone: here,
      label: labelOf(lockout, known),
      description: reasons.card(lockout.type)?.reason ?? 'Unknown reason',
      isBannable: hasBans && lockout.host !== null && !isBanned(lockout.host),
      detail: isEdited ? await detailOf(lockout, logs, now) : undefined,
    });
    return Promise.all(lockouts.map(shown));
  };
}

function labelOf({ host, user_id, username }: Lockout, names: ReadonlyMap<number, string>): string {
  if (host !== null) return host;
  if (username !== null) return username;
  return user_id === null ? 'A user' : (names.get(user_id) ?? `User ${user_id} (deleted)`);
}

const everywhere = { context: ['view', 'edit', 'embed'] } as const;

export function lockoutResource<Use>({ resource, t }: Pick<Toolkit<Use>, 'resource' | 't'>) {
  const text = () => t.fixed(t.string(everywhere));
  const moment = () => t.fixed(t.string({ format: 'date-time', ...everywhere }));
  const maybe = () => t.fixed(t.nullable(t.string(), everywhere));
  return resource({
    name: 'secsuite-lockout',
    relations,
    fields: {
      id: t.fixed(t.integer(everywhere)),
      type: text(),
      start: moment(),
      start_gmt: moment(),
      expire: moment(),
      expire_gmt: moment(),
      host: maybe(),
      user: maybe(),
      username: maybe(),
      active: t.fixed(t.boolean(everywhere)),
      context: maybe(),
      start_relative: text(),
      start_gmt_relative: text(),
      expire_relative: text(),
      expire_gmt_relative: text(),
      label: text(),
      bannable: t.fixed(t.boolean(everywhere)),
      description: text(),
      // Shown to whoever asks for it, which is not only said by an argument that is declared.
      detail: t.fixed(t.free()),
    },
    compute: {
      ...timesOf('start'),
      ...timesOf('expire'),
      id: ({ lockout }: Shown) => lockout.id,
      type: ({ lockout }) => lockout.type,
      host: ({ lockout }) => lockout.host,
      user: ({ lockout }) => (lockout.user_id === null ? null : String(lockout.user_id)),
      username: ({ lockout }) => lockout.username,
      active: ({ lockout }) => lockout.active === 1,
      context: ({ lockout }) => lockout.context,
      label: ({ label }) => label,
      bannable: ({ isBannable }) => isBannable,
      description: ({ description }) => description,
      detail: ({ detail }) => detail,
    },
    links: linksOf,
  });
}

type Times<N extends 'start' | 'expire'> = Record<
  N | `${N}_gmt` | `${N}_relative` | `${N}_gmt_relative`,
  (shown: Shown) => string
>;

function timesOf<N extends 'start' | 'expire'>(name: N): Times<N> {
  const relative = ({ lockout, now }: Shown) => distance(Date.parse(lockout[name]), now);
  return {
    [name]: ({ lockout, zone }: Shown) => localDate(lockout[name], zone),
    [`${name}_gmt`]: ({ lockout }: Shown) => rdate(lockout[name]),
    [`${name}_relative`]: relative,
    [`${name}_gmt_relative`]: relative,
  } as Times<N>;
}

/** By the clock of the site, with how far that is from UTC. */
function localDate(instant: string, zone: Zone): string {
  const { wall, utc } = momentAt(zone, new Date(instant));
  const minutes = (Date.parse(`${wall}Z`) - Date.parse(`${utc}Z`)) / (60 * second);
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  return `${wall}${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

const linksOf = ({ lockout: { id }, hasBans }: Shown) => ({
  self: [{ href: `/secsuite/v1/lockouts/${id}` }],
  'secsuite:release': [{ title: 'Unblock', href: `/secsuite/v1/lockouts/${id}/release-lockout` }],
  'secsuite:ban': hasBans ? [{ title: 'Ban permanently', href: `/secsuite/v1/lockouts/${id}/ban-lockout` }] : [],
});

interface Detail {
  /** Empty, where none is kept. */
  readonly log: object;
  /** The newest first. */
  readonly history: readonly object[];
}

const most = 100;

type Reading = Pick<Logs, 'list'>;

async function detailOf(lockout: Lockout, logs: Reading, now: Date): Promise<Detail> {
  const [log, history] = await Promise.all([entryOf(lockout, logs, now), historyOf(lockout, logs, now)]);
  return { log: log ?? {}, history };
}

const newest = { limit: most, offset: 0, order: 'desc', orderBy: 'created_at' } as const;

async function entries(logs: Reading, wanted: Partial<Wanted>): Promise<readonly Entry[]> {
  return (await logs.list({ ...newest, ...wanted })).items;
}

/** It was written when the lockout began; another one of the same address may have begun in the same minute. */
async function entryOf(lockout: Lockout, logs: Reading, now: Date): Promise<object | undefined> {
  const start = Date.parse(lockout.start);
  const codes = [lockoutCode(lockout), authorisedCode(lockout)];
  const near = { after: new Date(start - 2 * second), before: new Date(start + minute) };
  const found = (await entries(logs, { modules: ['lockout'], codes, ...near })).find(
    ({ data }) => dataIn(data).lockout_id === lockout.id,
  );
  if (found === undefined) return undefined;
  const { remote_ip, url, data } = found;
  return { ...timeOf(found, now), remote_ip, url, data: JSON.parse(data) };
}

async function historyOf(lockout: Lockout, logs: Reading, now: Date): Promise<object[]> {
  const { type, host, user_id, username, start } = lockout;
  // Entries are dated by the second: those of the same one led to it as well.
  const before = new Date(Math.floor(Date.parse(start) / second) * second + second);
  if (type === 'recaptcha' && host !== null) {
    const failed = { modules: ['recaptcha'], codes: ['failed-validation'], ips: [host], before };
    return (await entries(logs, failed)).map((entry) => captchaOf(entry, now));
  }
  if (type !== 'brute_force') return [];
  const names = new Set([username ?? '', typedIn(lockout.context)]);
  const codes = [...names].map((name) => loginCode(user_id ?? undefined, name));
  const whose = host === null ? { codes } : { ips: [host] };
  return (await entries(logs, { modules: ['brute_force'], ...whose, before })).map((entry) =>
    attemptOf(entry, host !== null, now),
  );
}

/** Entries hold a name as it was typed, the last time at least; lockouts without regard to capitals. */
const typedIn = (context: string): string => String(dataIn(context).login_username ?? '');

function attemptOf(entry: Entry, isOfHost: boolean, now: Date): object {
  const { url, remote_ip } = entry;
  const { details, user, username, user_id } = dataIn(entry.data);
  const label = isOfHost ? username : remote_ip;
  return { ...timeOf(entry, now), url, remote_ip, data: { details, user, username, user_id }, label };
}

function captchaOf(entry: Entry, now: Date): object {
  const { error } = dataIn(entry.data);
  const told =
    typeof error === 'object' && error !== null ? (error as { code?: unknown; message?: unknown }) : undefined;
  return {
    ...timeOf(entry, now),
    url: entry.url,
    label: entry.remote_ip,
    error: told === undefined ? null : { code: told.code, message: told.message },
  };
}

const timeOf = ({ id, created_at }: Entry, now: Date) => ({
  id,
  time: rdate(created_at),
  time_relative: distance(Date.parse(created_at), now.getTime()),
});

function dataIn(text: string): Record<string, unknown> {
  const data: unknown = JSON.parse(text);
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
}

const units = [
  ['second', second, minute],
  ['minute', minute, hour],
  ['hour', hour, day],
  ['day', day, 7 * day],
  ['week', 7 * day, 30 * day],
  ['month', 30 * day, 365 * day],
  ['year', 365 * day, Number.POSITIVE_INFINITY],
] as const;

/** `5 minutes`: at least one of whatever it is. */
function distance(one: number, other: number): string {
  const apart = Math.abs(one - other);
  const [name, span] = units.find(([, , until]) => apart < until)!;
  const many = Math.max(1, Math.round(apart / span));
  return `${many} ${name}${many === 1 ? '' : 's'}`;
}
