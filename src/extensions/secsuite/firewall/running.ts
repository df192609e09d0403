// The rules that run now, made ready in every process: those that rest or cannot be run are left out, which is told once.
import type { Clock } from '#site/clock.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Logs } from '../logs/logs.ts';
import { createSnapshot, type Snapshot } from '../snapshot.ts';
import { compileRules, type Engine } from './engine/engine.ts';
import { faultsOf } from './engine/faults.ts';
import type { Rule } from './engine/rule.ts';
import { nameOf, ofPeople, type Row, readRule } from './stored.ts';
import type { RuleTables } from './tables.ts';

export type Running = Pick<Snapshot<Engine>, 'now' | 'isReady' | 'ready' | 'refresh'>;

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

export function createRunning({ store, clock, log, logs, worked, failed, stopping }: Needs): Running {
  let before: Engine | undefined;
  const unfit = tellingOnce((row, why) => {
    log.warn({ rule: row.id, why }, 'A rule of the firewall cannot be run.');
    logs.write({ module: 'firewall', code: `rule-left-out::${nameOf(row)}`, type: 'warning', data: { why } });
  });
  const report = (rule: string, error: unknown): void => {
    log.error({ err: error, rule }, 'A rule of the firewall failed; it matched nothing.');
    logs.write({ module: 'firewall', code: `rule-failed::${rule}`, type: 'error', data: error });
  };
  const load = async (): Promise<Engine> => {
    const rows = await store.db
      .selectFrom('secsuite_firewall_rules')
      .selectAll()
      .where('paused_at', 'is', null)
      .orderBy('id')
      .execute();
    const rules = rows.flatMap((row) => ruleOf(row, unfit) ?? []);
    before = compileRules(rules, { now: () => clock().getTime(), worked, report, before });
    return before;
  };
  return createSnapshot({ store, tables: ['secsuite_firewall_rules'], load, failed, stopping });
}

type Unfit = (row: Row, why: string) => void;

function ruleOf(row: Row, unfit: Unfit): Rule | undefined {
  const { config, provider } = readRule(row) ?? {};
  const [fault] = config === undefined ? [unread] : faultsOf(config, provider === ofPeople ? 'person' : 'feed');
  if (config !== undefined && fault === undefined) return { ...config, id: nameOf(row) };
  unfit(row, `${fault?.path}: ${fault?.message}`);
  return undefined;
}

const unread = { path: 'config', message: 'What is kept cannot be read.' };

/** Of each rule as it is kept now. */
function tellingOnce(tell: Unfit): Unfit {
  const told = new Map<number, string>();
  return (row, why) => {
    if (told.get(row.id) === row.config) return;
    told.set(row.id, row.config);
    tell(row, why);
  };
}
