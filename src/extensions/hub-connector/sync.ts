// The site tells the hub how it is: when a user asks for it, twice a day, and when its extensions have changed.
import { hash } from 'node:crypto';
import { Problem } from '#kernel/problem.ts';
import { hour, minute, second } from '#lib/spans.ts';
import type { Doing } from '#site/identity/doing.ts';
import type { Queue } from '#site/jobs/job.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Events } from '#site/platform/events.ts';
import { instant } from '#store/columns.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import { hubConnectorErrors, whyOf } from './errors.ts';
import type { Hub, Said } from './hub.ts';
import { type Inventory, type Lasting, moment } from './inventory.ts';
import type { Account, Accounts } from './settings.ts';
import { forget, type Known, keep, knownOf, none } from './state.ts';
import type { Planned, Turn, Turns } from './turns.ts';

export interface Synced {
  /** When the hub last took what it was told; nothing, when it never has. */
  readonly synced_at: string | null;
  readonly skipped: boolean;
  readonly reason: null | 'unchanged' | 'backoff';
  readonly membership: string;
  readonly hub_site_id: number;
}

interface Asked {
  /** In any case. Without it, unless the hub knows already, or was asked in vain a moment ago. */
  readonly force: boolean;
  readonly signal?: AbortSignal;
}

/** Tells the hub. */
export type Sync = (asked: Asked, doing: Doing | undefined) => Promise<Synced>;

interface Needs {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly events: Pick<Events, 'emit'>;
  readonly accounts: Accounts;
  readonly inventory: Inventory;
  readonly hub: Hub;
  readonly turns: Turns;
  readonly retries: Pick<Queue<null>, 'addIn'>;
  readonly log: Pick<Log, 'warn'>;
}

const fresh = 6 * hour;
const longestPause = hour;

/** After so many that failed in a row, in milliseconds. */
const pauseAfter = (fails: number): number => Math.min(5 ** Math.min(fails, 9) * second, longestPause);

export function createSync(needs: Needs): Sync {
  return (asked, doing) => needs.turns.shared(doing, () => planned(asked, needs), asked.signal);
}

/** The same for two who ask is what tells the same hub the same; one that is told in any case does for both of them. */
async function planned(asked: Asked, needs: Needs): Promise<Planned<Synced>> {
  const account = await needs.accounts.get();
  const lasting = await needs.inventory.lasting();
  const print = hash('sha256', JSON.stringify(lasting), 'base64url');
  const inAnyCase = `sync forced ${account.target} ${print}`;
  return {
    name: asked.force ? inAnyCase : `sync ${account.target} ${print}`,
    joins: [inAnyCase],
    async work(turn) {
      const { target } = await needs.accounts.get();
      return target === account.target ? synced({ turn, account, lasting, print }, asked, needs) : undefined;
    },
  };
}

interface Begun {
  readonly turn: Turn;
  readonly account: Account;
  readonly lasting: Lasting;
  /** Of what does not change by the hour. */
  readonly print: string;
}

async function synced(begun: Begun, { force, signal }: Asked, needs: Needs): Promise<Synced> {
  const { store, clock, inventory, hub } = needs;
  const { account, lasting, print } = begun;
  const known = await knownOf(store.db, account.target);
  const reason = force ? null : whyNot(known, print, clock().getTime());
  if (reason !== null) return shown(known, reason);
  const attempt: Attempt = { ...begun, known, at: clock() };
  const whole = await inventory.whole(lasting);
  const said = await hub.tell(account, whole, known.hub_site_id, signal).catch(async (error) => {
    if (isHubs(error)) await failed(attempt, error, needs);
    throw error;
  });
  return said.kind === 'taken' ? taken(attempt, said, needs) : refused(attempt, said, needs);
}

function whyNot({ hash, synced_at, fails, tried_at }: Known, print: string, now: number): Synced['reason'] {
  const isWithin = (at: string | null, span: number): boolean => {
    const age = at === null ? span : now - Date.parse(at);
    return age >= 0 && age < span;
  };
  if (hash === print && isWithin(synced_at, fresh)) return 'unchanged';
  return fails > 0 && isWithin(tried_at, pauseAfter(fails)) ? 'backoff' : null;
}

interface Attempt extends Begun {
  readonly known: Known;
  readonly at: Date;
}

async function taken(attempt: Attempt, said: Extract<Said, { kind: 'taken' }>, needs: Needs): Promise<Synced> {
  const { turn, account, known, print } = attempt;
  const at = instant(needs.clock());
  const { membership, hub_site_id } = said;
  const now: Known = { hash: print, synced_at: at, fails: 0, tried_at: at, membership, hub_site_id, refusal: null };
  await turn.write((tx) => keep(tx, account.target, now));
  needs.events.emit('hub.synced', { membership, isFirst: known.synced_at === null });
  return shown(now, null);
}

/** The hub knows the key no more, or the site. A key that stays is not tried over and over. */
async function refused(attempt: Attempt, { what }: Extract<Said, { kind: 'refused' }>, needs: Needs): Promise<never> {
  const { turn, account, known } = attempt;
  const tried = { fails: known.fails + 1, tried_at: instant(attempt.at) };
  const stays = what === 'key' ? known : undefined;
  if (account.isFixed)
    await turn.write((tx) => keep(tx, account.target, { ...stays, ...tried, membership: none, hash: null }));
  else
    await needs.accounts.drop(account, 0, async (tx, during) => {
      await turn.holds(tx, during);
      await (stays ? keep(tx, account.target, { ...stays, ...tried }) : forget(tx));
    });
  needs.log.warn({ host: hostOf(account) }, 'The hub no longer accepts the key of this site.');
  throw hubConnectorErrors.invalidApiKeyOrExpired();
}

/** Asked once more when the pause is over, by whichever process. */
async function failed({ turn, account, known, at }: Attempt, problem: Problem, { retries, log }: Needs): Promise<void> {
  const { code, message } = problem;
  const refusal = whyOf(problem);
  if (refusal !== known.refusal) log.warn({ host: hostOf(account), code }, `A report to the hub failed. ${message}`);
  const fails = known.fails + 1;
  const next = new Date(at.getTime() + pauseAfter(fails));
  await turn.write(async (tx, during) => {
    await keep(tx, account.target, { ...known, fails, tried_at: instant(at), refusal });
    await retries.addIn(tx, during, null, { key: `after ${fails}`, alone: together, at: next });
  });
}

/** Syncs that nobody asked for are made one after another. */
const together = 'hub-connector';

const hostOf = ({ url }: Account): string => new URL(url).host;

/** Others were in the way here at home. */
const isHubs = (error: unknown): error is Problem => error instanceof Problem && error.status !== 503;

const shown = ({ synced_at, membership, hub_site_id }: Known, reason: Synced['reason']): Synced => ({
  synced_at: synced_at === null ? null : moment(new Date(synced_at)),
  skipped: reason !== null,
  reason,
  membership: membership ?? '',
  hub_site_id,
});

declare module '#site/platform/events.ts' {
  interface SiteEvents {
    /** A hub took what this site tells of itself. `isFirst`: it had not before. */
    'hub.synced': { readonly membership: string; readonly isFirst: boolean };
  }
}

export interface Plans {
  /** Within half an hour: of many sites with one clock, not all at the same moment. */
  soon(): Promise<void>;
  /** As soon as somebody is free. */
  now(): Promise<void>;
  /** Now, where this hub was never asked with this key. */
  first(): Promise<void>;
  /** Does what was planned. */
  done(signal: AbortSignal): Promise<Record<string, unknown>>;
}

interface PlanNeeds {
  readonly store: Pick<AnyStore, 'db'>;
  readonly clock: Clock;
  /** From 0 up to this, by chance. */
  readonly chance: (below: number) => number;
  readonly accounts: Accounts;
  readonly queue: Pick<Queue<null>, 'add'>;
  readonly sync: Sync;
}

const jitter = 30 * minute;

export function createPlans({ store, clock, chance, accounts, queue, sync }: PlanNeeds): Plans {
  const now = async (): Promise<void> => {
    if ((await accounts.find()) !== undefined) await queue.add(null, { alone: together });
  };
  return {
    now,
    async soon() {
      if ((await accounts.find()) === undefined) return;
      const at = new Date(clock().getTime() + chance(jitter));
      await queue.add(null, { key: 'soon', alone: together, at });
    },
    async first() {
      const account = await accounts.find();
      if (account === undefined || (await knownOf(store.db, account.target)).tried_at !== null) return;
      await queue.add(null, { key: 'first', alone: together });
    },
    // Somebody may have left the hub since it was planned.
    done: async (signal) => ({ ...(await sync({ force: false, signal }, undefined).catch(unlessLeft)) }),
  };
}

const left: readonly string[] = ['not_logged_in', 'hub_not_configured'];

const unlessLeft = (error: unknown): undefined => {
  if (!(error instanceof Problem) || !left.includes(error.code)) throw error;
};
