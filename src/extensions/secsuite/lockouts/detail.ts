// What the log knows of a lockout: the entry that tells of it, and those of what led to it.
import { minute, second } from '#lib/spans.ts';
import { rdate } from '../dates.ts';
import type { Entry } from '../logs/entry.ts';
import type { Wanted } from '../logs/list.ts';
import type { Logs } from '../logs/logs.ts';
import type { Lockout } from './lockout.ts';
import { distance } from './relative.ts';
import { authorisedCode, lockoutCode, loginCode } from './told.ts';

export interface Detail {
  /** Empty, where none is kept. */
  readonly log: object;
  /** The newest first. */
  readonly history: readonly object[];
}

const most = 100;

type Reading = Pick<Logs, 'list'>;

export async function detailOf(lockout: Lockout, logs: Reading, now: Date): Promise<Detail> {
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
