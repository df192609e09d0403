// The noun: the rules of the firewall, as people and feeds wrote them. No word of HTTP here.
import type { Expression, SqlBool, Transaction } from 'kysely';
import { invalidParam } from '#kernel/errors.ts';
import { Problem, raise } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { fold } from '#lib/fold.ts';
import type { Clock } from '#site/platform/clock.ts';
import { possible } from '#site/platform/listing.ts';
import { type Instant, instant } from '#store/columns.ts';
import { contains } from '#store/contains.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Behalf } from '../../base.ts';
import { suiteErrors } from '../../errors.ts';
import { faultsOf } from './engine/faults.ts';
import { firewallErrors } from './refusals.ts';
import { ofPeople, type Row, type RuleTables, readRule, type StoredRule } from './tables.ts';

export interface Wanted {
  readonly limit: number;
  readonly offset: number;
  /** Part of a name. */
  readonly search?: string | undefined;
  readonly providers?: readonly string[] | undefined;
  readonly vulnerabilities?: readonly string[] | undefined;
  readonly paused?: boolean | undefined;
}

/** What people say of a rule. */
export interface Said {
  readonly name: string;
  readonly config: object;
  /** Whether it rests. */
  readonly paused: boolean;
}

type Again = Behalf['again'];

export interface Rules {
  get(id: number): Promise<StoredRule>;
  /** The newest first. Those that cannot be read are counted and left out. */
  list(wanted: Wanted): Promise<{ items: StoredRule[]; total: number }>;
  add(said: Said, again?: Again): Promise<StoredRule>;
  /** What is not said stays. */
  change(id: number, said: Partial<Said>, again?: Again): Promise<StoredRule>;
  remove(id: number, again?: Again): Promise<void>;
  /** Throws if it cannot be run. */
  check(config: object): void;
}

interface RuleDeps {
  readonly store: Store<RuleTables>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  /** Has this process run a rule that was written. */
  follow(id: number): Promise<void>;
}

export function createRules({ store, clock, log, follow }: RuleDeps): Rules {
  const kept = <R>(work: () => Promise<R>): Promise<R> => told(log, work);
  const written = async (
    work: (tx: Transaction<RuleTables>) => Promise<StoredRule>,
    again: Again,
  ): Promise<StoredRule> => {
    const rule = await kept(() =>
      store.write(async (tx) => {
        await again?.(tx as never);
        return work(tx);
      }),
    );
    await follow(rule.id);
    return rule;
  };
  return {
    check: refuseFaults,
    get: async (id) => readable(await kept(() => rowOf(store.db, id))),
    list: (wanted) => kept(() => listed(store, wanted)),
    add: async (said, again) => {
      const row = rowFor(said, instant(clock()));
      return written(
        async (tx) =>
          readable(await tx.insertInto('secsuite_firewall_rules').values(row).returningAll().executeTakeFirstOrThrow()),
        again,
      );
    },
    change: async (id, { name, config, paused }, again) => {
      const text = config && configText(config);
      return written(async (tx) => {
        const { paused_at: since } = await rowOf(tx, id);
        const changes = {
          ...(name !== undefined && { name, folded: fold(name) }),
          ...(text !== undefined && { config: text }),
          ...(paused === false && { paused_at: null }),
          ...(paused === true && since === null && { paused_at: instant(clock()) }),
        };
        if (Object.keys(changes).length > 0)
          await tx.updateTable('secsuite_firewall_rules').set(changes).where('id', '=', id).execute();
        return readable(await rowOf(tx, id));
      }, again);
    },
    remove: async (id, again) => {
      await kept(() =>
        store.write(async (tx) => {
          await again?.(tx as never);
          await rowOf(tx, id);
          await tx.deleteFrom('secsuite_firewall_rules').where('id', '=', id).execute();
        }),
      );
      await follow(id);
    },
  };
}

const rowFor = ({ name, config, paused }: Said, now: Instant) => ({
  provider: ofPeople,
  provider_ref: '',
  vulnerability: '',
  name,
  folded: fold(name),
  config: configText(config),
  created_at: now,
  paused_at: paused ? now : null,
});

type Db = Pick<Store<RuleTables>['db'], 'selectFrom'>;

const rowOf = async (db: Db, id: number): Promise<Row> => {
  const query = db.selectFrom('secsuite_firewall_rules').selectAll().where('id', '=', possible(id));
  return (await query.executeTakeFirst()) ?? raise(suiteErrors.notFound(`Rule ${id}`));
};

async function listed({ db }: Store<RuleTables>, wanted: Wanted): Promise<{ items: StoredRule[]; total: number }> {
  const { search = '', providers, vulnerabilities, paused } = wanted;
  const rules = db.selectFrom('secsuite_firewall_rules').where(({ and, eb }) => {
    const conditions: Expression<SqlBool>[] = [];
    if (search !== '') conditions.push(contains('folded', fold(search)));
    if (providers !== undefined) conditions.push(eb('provider', 'in', providers));
    if (vulnerabilities !== undefined) conditions.push(eb('vulnerability', 'in', vulnerabilities));
    if (paused !== undefined) conditions.push(eb('paused_at', paused ? 'is not' : 'is', null));
    return and(conditions);
  });
  const [rows, { total }] = await Promise.all([
    rules.selectAll().orderBy('id', 'desc').limit(wanted.limit).offset(wanted.offset).execute(),
    rules.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { items: rows.flatMap((row) => readRule(row) ?? []), total: Number(total) };
}

function configText(config: object): string {
  refuseFaults(config);
  return JSON.stringify(config);
}

/** Rules that the engine would not run are refused. */
function refuseFaults(config: object): void {
  const faults = faultsOf(config, 'person').map(({ path, message }) => `${path}: ${message}`);
  if (faults.length === 0) return;
  const message = faults.join(' ');
  throw invalidParam('config', { code: 'rest_invalid_param', message }).saying('The rule is not valid: config');
}

/** A database that is away is told as everywhere. */
async function told<R>(log: Pick<Log, 'error'>, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem || error instanceof Unavailable || error instanceof OutOfSpace) throw error;
    log.error({ err: error }, 'The rules of the firewall could not be read or written.');
    throw firewallErrors.dbError();
  }
}

function readable(row: Row): StoredRule {
  return readRule(row) ?? raise(firewallErrors.invalidRule());
}
