// The rules that run now, made ready in every process: those that rest or cannot be run are left out, which is told once.
import { setImmediate as breath } from 'node:timers/promises';
import { inTurn } from '#lib/concurrency.ts';
import { createSnapshot, renewDerived, type Snapshot } from '#site/platform/cache/snapshot.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Logs } from '../../logs/logs.ts';
import { createRuleSet, type Engine, type RuleSet } from './engine/engine.ts';
import { faultsOf } from './engine/faults.ts';
import type { Rule } from './engine/rule.ts';
import { nameOf, ofPeople, type Row, type RuleTables, readRule } from './tables.ts';

export interface Running extends Pick<Snapshot<Engine>, 'now' | 'isReady' | 'ready' | 'refresh'> {
  /** Runs one rule as it is kept now, or not at all: for whoever wrote it. */
  follow(id: number): Promise<void>;
}

interface Needs {
  readonly store: Store<RuleTables>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error' | 'warn'>;
  readonly logs: Pick<Logs, 'write'>;
  /** What this thread has worked so far, in milliseconds. */
  readonly worked: () => number;
  failed(error: unknown): void;
  readonly stopping: AbortSignal;
}

/** In milliseconds. The first reading takes long while the site starts, and says little of the next. */
const mostPatience = 500;

export function createRunning({ store, clock, log, logs, worked, failed, stopping }: Needs): Running {
  const unfit = (row: Row, why: string): void => {
    log.warn({ rule: row.id, why }, 'A rule of the firewall cannot be run.');
    logs.write({ module: 'firewall', code: `rule-left-out::${nameOf(row)}`, type: 'warning', data: { why } });
  };
  const report = (rule: string, error: unknown): void => {
    log.error({ err: error, rule }, 'A firewall rule failed and matched nothing.');
    logs.write({ module: 'firewall', code: `rule-failed::${rule}`, type: 'error', data: error });
  };
  const set = createRuleSet({ now: () => clock().getTime(), worked, report });
  const kept = keeping(set, unfit);
  // What was read before must not come after what was read later.
  const ordered = inTurn(1);
  let took = 0;
  const readAll = async (): Promise<Engine> => {
    const began = performance.now();
    const there = new Set<number>();
    for await (const row of running(store)) {
      there.add(row.id);
      kept.keep(row);
    }
    for (const id of kept.ids()) if (!there.has(id)) kept.drop(id);
    took = performance.now() - began;
    return set;
  };
  const readOne = async (id: number): Promise<void> => {
    const row = await rulesThatRun(store).where('id', '=', id).executeTakeFirst();
    if (row === undefined) kept.drop(id);
    else kept.keep(row);
  };
  const snapshot = createSnapshot<Engine>({
    store,
    tables: ['secsuite_firewall_rules'],
    failed,
    stopping,
    load: () => ordered(readAll),
    // After many new rules, all are read again now and then, not after each. A new rule still works within a second.
    patience: () => Math.min(50 + 10 * took, mostPatience),
  });
  return Object.assign(snapshot, {
    follow: (id: number) => ordered(() => readOne(id)).then(renewDerived),
  });
}

const rulesThatRun = ({ db }: Store<RuleTables>) =>
  db.selectFrom('secsuite_firewall_rules').selectAll().where('paused_at', 'is', null);

/** So many are read at once, and so long is worked with them, in milliseconds, until others have their turn. */
const atOnce = 200;
const slice = 4;

async function* running(store: Store<RuleTables>): AsyncGenerator<Row> {
  for (let last = 0, began = performance.now(); ; ) {
    const rows = await rulesThatRun(store).where('id', '>', last).orderBy('id').limit(atOnce).execute();
    for (const row of rows) {
      yield row;
      if (performance.now() - began < slice) continue;
      await breath();
      began = performance.now();
    }
    if (rows.length < atOnce) return;
    last = rows.at(-1)!.id;
  }
}

type Unfit = (row: Row, why: string) => void;

/** Rules as they are kept: one that is as it was stays as it was made, and of one that cannot be run this is told once. */
function keeping(set: RuleSet, unfit: Unfit) {
  const rows = new Map<number, string>();
  const drop = (id: number): void => {
    rows.delete(id);
    set.drop(id);
  };
  return {
    ids: () => [...rows.keys()],
    keep(row: Row): void {
      const text = [row.provider, row.vulnerability, row.config].join('\0');
      if (rows.get(row.id) === text) return;
      drop(row.id);
      rows.set(row.id, text);
      const rule = ruleOf(row, unfit);
      if (rule !== undefined) set.keep(row.id, rule);
    },
    drop,
  };
}

function ruleOf(row: Row, unfit: Unfit): Rule | undefined {
  const { config, provider } = readRule(row) ?? {};
  const [fault] = config === undefined ? [unread] : faultsOf(config, provider === ofPeople ? 'person' : 'feed');
  if (config !== undefined && fault === undefined) return { ...config, id: nameOf(row) };
  unfit(row, `${fault?.path}: ${fault?.message}`);
  return undefined;
}

const unread = { path: 'config', message: 'The stored rule cannot be read.' };
