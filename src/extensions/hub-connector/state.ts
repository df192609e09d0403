// What is known of the hub: what it said last, how it went since, and what the health check makes of that.
import type { Transaction } from 'kysely';
import { isLoopback } from '#lib/ip-address.ts';
import { hour } from '#lib/spans.ts';
import { note, ok, type Remote, type Seen, warning } from '#site/health/check.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import type { AnyStore } from '#store/store.ts';
import { othersKey, unasked, unaskedRemedy } from './errors.ts';
import type { Account, Accounts } from './settings.ts';
import { type HubTables, only } from './tables.ts';

export interface Known {
  readonly hash: string | null;
  readonly synced_at: Instant | null;
  readonly fails: number;
  readonly tried_at: Instant | null;
  readonly membership: string | null;
  readonly hub_site_id: number;
  readonly refusal: string | null;
}

/** The membership of a site whose key the hub does not take. */
export const none = '';
/** The membership of a site that left, and keeps nothing of the hub but its address. */
const left = 'left';

const nothing: Known = {
  hash: null,
  synced_at: null,
  fails: 0,
  tried_at: null,
  membership: null,
  hub_site_id: 0,
  refusal: null,
};

/** Of this hub and key; nothing of any other. */
export async function knownOf(db: Reads<HubTables>, target: string): Promise<Known> {
  const row = await db
    .selectFrom('hub_connector_state')
    .select(['hash', 'synced_at', 'fails', 'tried_at', 'membership', 'hub_site_id', 'refusal'])
    .where('id', '=', only)
    .where('target', '=', target)
    .executeTakeFirst();
  return row ?? nothing;
}

export async function keep(tx: Transaction<HubTables>, target: string, known: Partial<Known>): Promise<void> {
  const row = { ...nothing, ...known, target };
  await tx
    .insertInto('hub_connector_state')
    .values({ id: only, ...row })
    .onConflict((on) => on.column('id').doUpdateSet(row))
    .execute();
}

export const forget = async (tx: Transaction<HubTables>): Promise<void> =>
  void (await tx.deleteFrom('hub_connector_state').execute());

/** Forgets all but that this site left by itself, so that nobody takes the address that stays for one that waits for its key. */
export async function leave(tx: Transaction<HubTables>, keyless: string): Promise<void> {
  await forget(tx);
  await keep(tx, keyless, { membership: left });
}

/** `keyless`: the target of this address without a key. */
const hasLeft = async (db: Reads<HubTables>, keyless: string): Promise<boolean> =>
  (await knownOf(db, keyless)).membership === left;

interface Needs {
  readonly store: Pick<AnyStore, 'db'>;
  readonly clock: Clock;
  readonly accounts: Accounts;
}

/** Three times as long as it should take. */
const silent = 36 * hour;
/** More than happens while a hub is started anew. */
const often = 3;
const ended: readonly string[] = ['expired', 'paused'];

export const createLooking = ({ store, clock, accounts }: Needs) => ({
  async look(): Promise<Seen> {
    const account = await accounts.find();
    if (account === undefined) {
      const said = await accounts.said();
      const isOver = said.key === '' && (await hasLeft(store.db, accounts.targetOf(said)));
      return isOver ? note('this site has left the hub, and keeps only its URL') : unconnected(said);
    }
    const url = new URL(account.url);
    if (url.protocol === 'http:' && !isLoopback(url.hostname))
      return warning(
        'others on the network can read the reports to the hub',
        'Give the hub a URL that begins with https://.',
      );
    const known = await knownOf(store.db, account.target);
    return lasting(known, account) ?? seen(known, clock().getTime());
  },
  async remotes(): Promise<readonly Remote[]> {
    const account = await accounts.find();
    return account === undefined ? [] : [{ name: 'the hub', url: account.url }];
  },
});

function unconnected({ url, key }: Awaited<ReturnType<Accounts['said']>>): Seen {
  if (key !== '') return warning('the key is set, but not the URL', 'Run "gatehouse settings set hub url URL".');
  if (url !== '') return warning('the URL is set, but not the key', 'Run "gatehouse settings set hub key".');
  return note('this site has no hub');
}

/** What does not pass by itself, however often the hub is asked. */
function lasting({ fails, refusal }: Known, { url }: Account): Seen | undefined {
  if (fails === 0) return undefined;
  if (refusal === unasked) return warning('this site does not contact its URL', unaskedRemedy(url));
  if (refusal !== othersKey) return undefined;
  return warning(
    'the hub knows this key for another URL',
    'Give a copy of a site its own key. If the site has moved, remove it from the hub and add it again for a new key.',
  );
}

const remedy = 'Check that the hub runs and that it accepts the key of this site.';

function seen({ synced_at, membership, fails }: Known, now: number): Seen {
  if (membership === none)
    return warning('it does not accept the key of this site', 'Set a new key of the hub on this site.');
  if (synced_at === null)
    return fails > 0
      ? warning('it has never accepted a report', remedy)
      : note('it gets the first report in a few minutes');
  const hours = Math.floor((now - Date.parse(synced_at)) / hour);
  if (fails >= often) return warning(`it refused the last ${fails} reports`, remedy);
  if (hours * hour >= silent) return warning(`it got the last report ${hours} hours ago`, remedy);
  if (membership !== null && ended.includes(membership))
    return warning(`it no longer monitors this site: ${membership}`, 'Check this site on the page of the hub.');
  return ok(
    hours < 1 ? 'got a report less than 1 hour ago' : `got a report ${hours === 1 ? '1 hour' : `${hours} hours`} ago`,
  );
}
