// Rules from a feed protect from vulnerabilities of software that is installed, until it is updated.
import type { Transaction } from 'kysely';
import { fold } from '#lib/fold.ts';
import type { Operator } from '#lib/operator.ts';
import { day, minute } from '#lib/spans.ts';
import type { Outgoing } from '#site/outgoing/outgoing.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import { readText } from '../../../disk/reading.ts';
import type { Logs } from '../../../logs/logs.ts';
import type { Patcher, SeenVulnerability } from '../../../software/patching.ts';
import { BadRuleFeed, type FeedEntry, largestFeed, type RuleFeed, readRuleFeed } from '../../../software/rule-feed.ts';
import { faultsOf } from '../engine/faults.ts';
import { most } from '../engine/rule.ts';
import { type Row, type RuleTables, readRule } from '../tables.ts';

/** An older feed is not used. */
const maxAge = 30 * day;
/** How far the clock of its author may be ahead. */
const maxClockSkew = day;
/** A name has at most so many characters. */
const longestName = 255;

interface PatchDeps {
  readonly store: Store<RuleTables>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly logs: Pick<Logs, 'write'>;
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly settings: Pick<Operator['security'], 'ruleFeed' | 'ruleFeedKey' | 'ruleFeedProvider'>;
  /** Has this process run a rule that was written. */
  follow(id: number): Promise<void>;
}

export function createPatcher(deps: PatchDeps): Patcher {
  const { store, settings, follow, logs } = deps;
  const provider = settings.ruleFeedProvider;
  return {
    async apply(seen, signal) {
      const feed = await readFeed(deps, signal);
      const { rows, changes } = await store.write((tx) => update(tx, deps, seen, feed));
      for (const { id, code, type } of changes) {
        logs.write({ module: 'firewall', code, type });
        await follow(id);
      }
      const entries = new Map(feed?.entries.map((one) => [one.id, one]));
      const isProtected = (one: SeenVulnerability): boolean =>
        rows.some(
          (row) => isOf(one, row.vulnerability) && isRunnable(row) && isFor(one, entries.get(row.provider_ref)),
        );
      return new Set(seen.filter(isProtected).map(({ id }) => id));
    },
    advisories: async () => [...new Set((await rowsOf(store.db, provider)).map(({ vulnerability }) => vulnerability))],
  };
}

const rowsOf = (db: Pick<Transaction<RuleTables>, 'selectFrom'>, provider: string): Promise<Row[]> =>
  db.selectFrom('secsuite_firewall_rules').selectAll().where('provider', '=', provider).orderBy('id').execute();

/** A paused rule protects from nothing, and neither does one that the engine refuses. */
function isRunnable(row: Row): boolean {
  const config = readRule(row)?.config;
  return row.paused_at === null && config !== undefined && faultsOf(config, 'feed').length === 0;
}

const isOf = ({ advisory, aliases }: SeenVulnerability, named: string): boolean =>
  advisory === named || aliases.includes(named);

const isFor = ({ products }: SeenVulnerability, entry: FeedEntry | undefined): boolean =>
  entry === undefined || entry.product_keys.length === 0 || entry.product_keys.some((key) => products.includes(key));

/** Undefined without a feed, and if it cannot be used: then no rule is made or changed. */
async function readFeed(deps: PatchDeps, signal: AbortSignal): Promise<RuleFeed | undefined> {
  const { settings, clock, store, logs, log } = deps;
  const { ruleFeed: source, ruleFeedKey: key, ruleFeedProvider: provider } = settings;
  if (source === undefined) return undefined;
  try {
    if (key === undefined)
      throw new BadRuleFeed('Its signature cannot be checked without a key. Set GATEHOUSE_RULE_FEED_KEY.');
    const feed = readRuleFeed(await textOf(deps, signal), key);
    const [issued, now] = [feed.issued.getTime(), clock().getTime()];
    const last = await store.db
      .selectFrom('secsuite_rule_feeds')
      .select('issued')
      .where('provider', '=', provider)
      .executeTakeFirst();
    if (now - issued > maxAge) throw new BadRuleFeed(`It is older than ${maxAge / day} days.`);
    if (issued - now > maxClockSkew) throw new BadRuleFeed('Its date is in the future.');
    if (last !== undefined && feed.issued.toISOString() < last.issued)
      throw new BadRuleFeed('It is older than the list that was used before.');
    return feed;
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, 'The feed of firewall rules was not used');
    const why = error instanceof Error ? error.message : String(error);
    logs.write({ module: 'firewall', code: `ingest-failed::${provider}`, type: 'error', data: { why } });
    return undefined;
  }
}

async function textOf({ settings: { ruleFeed: source }, outgoing }: PatchDeps, signal: AbortSignal): Promise<string> {
  if (source?.kind === 'url') {
    const answer = await outgoing.fetch(source.url, {
      name: 'secsuite-rule-feed',
      types: ['application/json', 'text/plain', 'application/octet-stream'],
      most: largestFeed,
      within: minute,
      signal,
    });
    return answer.text();
  }
  const text = await readText(source?.path ?? '', largestFeed);
  if (text === undefined)
    throw new BadRuleFeed(`${source?.path} is not a readable file of at most ${largestFeed} bytes.`);
  return text;
}

interface Change {
  readonly id: number;
  readonly code: string;
  readonly type: 'action' | 'debug';
}

type Tx = Transaction<RuleTables>;

interface Wanted {
  readonly entry: FeedEntry;
  readonly one: SeenVulnerability;
}

/** Answers the rules of the feed that there are now. */
async function update(
  tx: Tx,
  { clock, settings: { ruleFeedProvider: provider } }: PatchDeps,
  seen: readonly SeenVulnerability[],
  feed: RuleFeed | undefined,
): Promise<{ rows: Row[]; changes: readonly Change[] }> {
  const wanted = (feed?.entries ?? []).flatMap((entry): Wanted[] => {
    const one = seen.find((other) => isOf(other, entry.vulnerability) && isFor(other, entry));
    return one === undefined ? [] : [{ entry, one }];
  });
  const isWanted = (row: Row): boolean =>
    feed === undefined
      ? seen.some((one) => isOf(one, row.vulnerability))
      : wanted.some(({ entry, one }) => entry.id === row.provider_ref && isOf(one, row.vulnerability));
  const before = await rowsOf(tx, provider);
  const [kept, gone] = [before.filter(isWanted), before.filter((row) => !isWanted(row))];
  for (const { id } of gone) await tx.deleteFrom('secsuite_firewall_rules').where('id', '=', id).execute();
  const changes = gone.map(
    ({ id, vulnerability }): Change => ({ id, code: `rule-cleaned::${vulnerability}`, type: 'debug' }),
  );
  for (const one of wanted) {
    const known = kept.find(({ provider_ref }) => provider_ref === one.entry.id);
    const id = await put(tx, provider, one, known, instant(clock()));
    if (id !== undefined) changes.push({ id, code: `auto-created-rule::${one.one.advisory}`, type: 'action' });
  }
  if (feed !== undefined) await noteIssue(tx, provider, feed.issued.toISOString());
  return { rows: await rowsOf(tx, provider), changes };
}

/** Its name, and whether it is paused, stay as they are. Answers its id if anything changed. */
async function put(
  tx: Tx,
  provider: string,
  { entry, one }: Wanted,
  known: Row | undefined,
  now: string,
): Promise<number | undefined> {
  const config = JSON.stringify({ type: 'BLOCK', rules: entry.vpatch });
  if (known?.config === config || Buffer.byteLength(config) > most.bytes) return undefined;
  if (known !== undefined) {
    await tx.updateTable('secsuite_firewall_rules').set({ config }).where('id', '=', known.id).execute();
    return known.id;
  }
  const name = one.title.slice(0, longestName).toWellFormed() || one.advisory;
  const row = {
    provider,
    provider_ref: entry.id,
    name,
    folded: fold(name),
    vulnerability: one.advisory.slice(0, 128),
    config,
    created_at: now,
    paused_at: null,
  };
  return (await tx.insertInto('secsuite_firewall_rules').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

async function noteIssue(tx: Tx, provider: string, issued: string): Promise<void> {
  await tx
    .insertInto('secsuite_rule_feeds')
    .values({ provider, issued })
    .onConflict((on) => on.column('provider').doUpdateSet({ issued }))
    .execute();
}
