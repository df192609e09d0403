// Who does something wrong too often is locked out, and who is locked out too often is banned. A burst makes one lockout, whichever
// processes it meets.
import { day, minute } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import { addressOf, type Block, subnetOf } from '../addresses/block.ts';
import type { Bans } from '../bans/bans.ts';
import type { Settings } from '../settings/types.ts';
import {
  keyOf,
  type Lock,
  type Lockout,
  lockOf,
  never,
  type Reason,
  type Reasons,
  type Subject,
  subjectOf,
} from './lockout.ts';
import { count, countSince, forgetEvents, insert, isLocked, type Writing } from './rows.ts';
import type { LockoutTables } from './tables.ts';

/** Something that somebody did wrong. */
export interface Strike {
  readonly type: string;
  readonly address: string;
  /** The account that was tried. */
  readonly user?: { readonly id: number; readonly login: string } | undefined;
  /** What was typed instead of one. */
  readonly username?: string | undefined;
}

/** What came of it. */
export interface Struck {
  readonly strike: Strike;
  readonly reason: Reason;
  readonly at: Date;
  /** They are always let in: what is written down keeps nobody out. */
  readonly isAuthorised: boolean;
  readonly lockouts: readonly Lockout[];
  /** With which lockout within the time that is remembered the address was banned, or would have been. */
  readonly banned: number | undefined;
  /** Locked already, by somebody who was quicker. */
  readonly before: readonly Subject[];
}

/** Nothing, where nobody is locked out by it. */
export type Striking = (strike: Strike) => Promise<Struck | undefined>;

interface Needs {
  readonly store: Store<LockoutTables>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'of'>;
  readonly reasons: Reasons;
  readonly bans: Pick<Bans, 'addWithin'>;
  /** Whether addresses can be banned just now. */
  isBanning(): boolean;
  /** Whether some address of the block is always let in. */
  isAuthorised(block: Block): boolean;
}

export function createStriking(needs: Needs): Striking {
  const { store, clock, reasons, isAuthorised } = needs;
  return async (strike) => {
    const reason = reasons.find(strike.type);
    const subjects = reason === undefined ? [] : subjectsOf(reason, strike);
    if (reason === undefined || subjects.length === 0) return undefined;
    const address = addressOf(strike.address);
    const isLet = address !== undefined && isAuthorised(subnetOf(address));
    const struck = { strike, reason, at: clock(), isAuthorised: isLet };
    const outcome = await store.write((tx, during) => judged(tx, during, { ...struck, subjects }, needs));
    return outcome.lockouts.length + outcome.before.length > 0 || outcome.banned !== undefined
      ? { ...struck, ...outcome }
      : undefined;
  };
}

function subjectsOf({ host, user }: Reason, { address, user: known, username = '' }: Strike): Subject[] {
  const account: Subject = known ? { kind: 'user', user: known.id } : { kind: 'username', username };
  return [
    ...(host > 0 && addressOf(address) !== undefined ? [{ kind: 'host', host: address } as const] : []),
    ...(user > 0 && (known !== undefined || username !== '') ? [account] : []),
  ];
}

interface Judging extends Pick<Struck, 'strike' | 'reason' | 'at' | 'isAuthorised'> {
  readonly subjects: readonly Subject[];
}

type Outcome = Pick<Struck, 'lockouts' | 'banned' | 'before'>;

async function judged(tx: Writing, during: During, judging: Judging, needs: Needs): Promise<Outcome> {
  const { reason, at, subjects } = judging;
  const [now, since] = [instant(at), instant(new Date(at.getTime() - reason.period * minute))];
  // In one order, so that two of them never wait for each other.
  for (const key of subjects.map(keyOf).sort()) await during.lock(`secsuite.lockout ${reason.type} ${key}`);
  const [before, reached]: [Subject[], Subject[]] = [[], []];
  for (const subject of subjects) {
    const counted = { type: reason.type, subject: keyOf(subject) };
    if (await isLocked(tx, subject, now)) before.push(subject);
    else if ((await count(tx, { ...counted, at: now, since })) >= limitOf(reason, subject)) reached.push(subject);
  }
  for (const subject of reached) await forgetEvents(tx, reason.type, keyOf(subject));
  return { before, ...(await locked(tx, during, reached, judging, needs)) };
}

const limitOf = ({ host, user }: Reason, { kind }: Subject): number => (kind === 'host' ? host : user);

async function locked(
  tx: Writing,
  during: During,
  reached: readonly Subject[],
  judging: Judging,
  needs: Needs,
): Promise<Pick<Outcome, 'lockouts' | 'banned'>> {
  const { strike, reason, at, isAuthorised } = judging;
  const { lockout_period: minutes } = needs.settings.of('global');
  const host = reached.find(({ kind }) => kind === 'host');
  const nth = host && (await nthForBan(tx, strike.address, at, needs));
  const isBanned = nth !== undefined && !isAuthorised;
  const lockouts: Lockout[] = [];
  for (const subject of reached) {
    if (subject.kind === 'host' && isBanned) continue;
    const expire = isAuthorised ? never : new Date(at.getTime() + minutes * minute);
    const context = contextOf(reason, strike, subject);
    lockouts.push(
      await insert(tx, during, subject, { type: reason.type, start: instant(at), expire: instant(expire), context }),
    );
  }
  if (isBanned) {
    const actor = { type: 'lockout_module', id: reason.type } as const;
    const ban = { block: subnetOf(addressOf(strike.address)!), actor, comment: '' };
    await needs.bans.addWithin(tx as unknown as Parameters<Bans['addWithin']>[0], during, ban);
  }
  return { lockouts, banned: nth };
}

/** With which lockout of the address this would be, where it is to be banned with it. */
async function nthForBan(
  tx: Writing,
  host: string,
  at: Date,
  { settings, isBanning }: Needs,
): Promise<number | undefined> {
  const { blacklist, blacklist_period: days, blacklist_count: most } = settings.of('global');
  if (!blacklist || !isBanning()) return undefined;
  const nth = 1 + (await countSince(tx, host, instant(new Date(at.getTime() - days * day))));
  return nth >= most ? nth : undefined;
}

const contextOf = ({ type }: Reason, { address, user, username }: Strike, { kind }: Subject): string =>
  JSON.stringify({
    lockout_module: type,
    host: address,
    login_user_id: user?.id ?? null,
    login_username: user?.login ?? username ?? null,
    user_limit_triggered: kind !== 'host',
  });

/** What keeps them out now; nothing, where they are always let in. The address comes before the account. */
export function lockBy({ isAuthorised, banned, lockouts, before }: Struck): Lock | undefined {
  if (isAuthorised) return undefined;
  if (banned !== undefined) return { kind: 'ban' };
  const subjects = [...lockouts.map(subjectOf), ...before];
  const first = subjects.find(({ kind }) => kind === 'host') ?? subjects[0];
  return first && lockOf(first);
}
