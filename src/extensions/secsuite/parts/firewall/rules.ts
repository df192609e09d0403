// The noun: the rules of the firewall, as people and feeds wrote them. No word of HTTP here.
import type { Expression, SqlBool, Transaction } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { fold } from '#lib/fold.ts';
import type { Clock } from '#site/platform/clock.ts';
import { possible } from '#site/platform/listing.ts';
import { instant } from '#store/columns.ts';
import { contains } from '#store/contains.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Behalf } from '../../behalf.ts';
import { faultsOf } from './engine/faults.ts';
import { ofPeople, type Row, readRule, type StoredRule } from './stored.ts';
import type { RuleTables } from './tables.ts';

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
}

interface Needs {
  readonly store: Store<RuleTables>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  /** Has this process run a rule that was written. */
  follow(id: number): Promise<void>;
}

export function createRules({ store, clock, log, follow }: Needs): Rules {
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
    get: async (id) => readable(await kept(() => rowOf(store.db, id))),
    list: (wanted) => kept(() => listed(store, wanted)),
    add: async (said, again) => {
      const { name, paused } = said;
      const now = instant(clock());
      const row = {
        provider: ofPeople,
        provider_ref: '',
        vulnerability: '',
        name,
        folded: fold(name),
        config: configText(said.config),
        created_at: now,
        paused_at: paused ? now : null,
      };
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

type Db = Pick<Store<RuleTables>['db'], 'selectFrom'>;

const rowOf = async (db: Db, id: number): Promise<Row> => {
  const query = db.selectFrom('secsuite_firewall_rules').selectAll().where('id', '=', possible(id));
  return (await query.executeTakeFirst()) ?? missing();
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

/** Rules that the engine would not run are not kept. */
function configText(config: object): string {
  const faults = faultsOf(config, 'person').map(({ path, message }) => `${path}: ${message}`);
  if (faults.length === 0) return JSON.stringify(config);
  const message = faults.join(' ');
  throw new Problem(400, 'rest_invalid_param', 'The rule cannot be used: config', {
    params: { config: message },
    details: { config: { code: 'rest_invalid_param', message, data: null } },
  });
}

/** A database that is away is told as everywhere. */
async function told<R>(log: Pick<Log, 'error'>, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem || error instanceof Unavailable || error instanceof OutOfSpace) throw error;
    log.error({ err: error }, 'The rules of the firewall could not be read or written.');
    const message = 'The rules could not be read or written. Why not was written down.';
    throw new Problem(500, 'secsuite.firewall.db-error', message);
  }
}

function readable(row: Row): StoredRule {
  const message = 'What is kept of this rule cannot be read. Please write it anew, or delete it.';
  return readRule(row) ?? fail(new Problem(500, 'secsuite.firewall.invalid-rule', message));
}

const missing = (): never => fail(new Problem(404, 'rest_not_found', 'There is no rule with this number.'));

function fail(problem: Problem): never {
  throw problem;
}
