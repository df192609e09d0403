// What the chain adds to writing the log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dailyCountTables } from '#site/platform/daily-counts.ts';
import { processorTime } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { entries, hash } from '../../../../bench/log-entries.ts';
import type { Chain } from './chain.ts';
import { createKeep } from './keeping.ts';
import { type LogTables, logMigrations, quietLogTables } from './tables.ts';

const most = 1.15;
const rounds = 15;
const group = 512;

const noChain: Chain = {
  claim: async () => ({ next: () => ({ seq: null, seal: null }) as never, written: () => {} }),
};

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

eachEngine('The chain of the security log', (engine) => {
  test('costs at most 15 % of writing entries', async (t) => {
    const open = async () => {
      const tables = [dailyCountTables, { owner: 'secsuite', migrations: logMigrations, quiet: quietLogTables }];
      return (await engine.store(tables)) as unknown as Store<LogTables>;
    };
    const [chained, plain] = [createKeep(await open(), hash), createKeep(await open(), hash, noChain)];
    const all = [...entries(group * (rounds + 2))];
    const timed = async (keep: typeof plain, some: typeof all): Promise<{ time: number; cpu: number }> => {
      const [begun, cpu] = [performance.now(), processorTime()];
      await keep(some);
      return { time: performance.now() - begun, cpu: processorTime() - cpu };
    };
    const ratioOf = async (): Promise<number> => {
      const [time, cpu]: [number[], number[]] = [[], []];
      for (let at = 0; at < all.length; at += group) {
        const some = all.slice(at, at + group);
        // Each goes first as often as the other.
        const isFirst = (at / group) % 2 === 0;
        const one = await timed(isFirst ? chained : plain, some);
        const other = await timed(isFirst ? plain : chained, some);
        const [mine, theirs] = isFirst ? [one, other] : [other, one];
        if (at < 2 * group) continue;
        time.push(mine.time / theirs.time);
        cpu.push(mine.cpu / theirs.cpu);
      }
      t.diagnostic(`${engine.name}: time × ${middle(time).toFixed(3)}, processor time × ${middle(cpu).toFixed(3)}`);
      return middle(time);
    };
    // Others who share the machine make some rounds longer.
    let best = await ratioOf();
    for (let again = 0; again < 3 && best > most; again += 1) best = Math.min(best, await ratioOf());
    assert.ok(best <= most, `× ${best}`);
  });
});
