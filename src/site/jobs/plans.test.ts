// How the engines find what is due: by an index, in order, however much waits.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { CompiledQuery, type Kysely, type KyselyPlugin, type Transaction } from 'kysely';
import { instant } from '#store/columns.ts';
import type { AnyStore } from '#store/store.ts';
import { asked, onBothStores } from '#test/databases.ts';
import { noon } from '#test/site.ts';
import { firstDue } from './choosing.ts';
import { type Claimed, claimIn } from './claiming.ts';
import { endIn, tallyOf } from './recording.ts';
import { type JobTables, jobTables } from './tables.ts';

const many = 4_000;

async function fill(store: AnyStore): Promise<void> {
  const now = instant(noon);
  const common = { payload: 'null', confidential: 0, status: 'queued', run_at: now, by: 0, created_at: now };
  for (let from = 0; from < many; from += 500) {
    const rows = Array.from({ length: 500 }, (_, at) => {
      const n = from + at;
      return { ...common, id: `job ${n}`, kind: `test.${n % 2}`, alone: n % 4 < 2 ? null : `group ${n}` };
    });
    await store.write((tx) => tx.insertInto('jobs').values(rows).execute());
  }
}

/** Every statement of a claim and of its end, with the steps in which the engine does it. */
async function plansOf(store: AnyStore): Promise<string[]> {
  const statements: CompiledQuery[] = [];
  const keeping: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      statements.push(store.db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const db = (store.db as unknown as Kysely<JobTables>).withPlugin(keeping);
  const first = await firstDue({ ...store, db }, ['test.0', 'test.1', 'test.none']);
  const due = { free: noon, alone: noon };
  assert.deepEqual([...first.values()], [due, due, { free: undefined, alone: undefined }]);
  const claim = { engine: store.engine, now: noon, until: new Date(noon.getTime() + 60_000), first };
  const claimed = await store.write(async (tx, during) => {
    const watched = tx.withPlugin(keeping) as unknown as Transaction<JobTables>;
    const ours: Claimed[] = await claimIn(watched, during, [{ kinds: [...first.keys()], places: 4 }], claim);
    await endIn(
      watched,
      ours.map((one) => ({ claim: one, tally: tallyOf(one), status: 'done' })),
      noon,
    );
    return ours;
  });
  assert.equal(claimed.length, 4);
  const plans: string[] = [];
  for (const { sql, parameters } of statements) {
    const question = `${store.engine === 'sqlite' ? 'explain query plan' : 'explain'} ${sql}`;
    const query = CompiledQuery.raw(question, [...parameters]);
    const { rows } = await store.write((tx) => tx.executeQuery<Record<string, string>>(query));
    plans.push([sql, ...rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? '')].join('\n'));
  }
  return plans;
}

onBothStores('what is due is found by an index', (engine) => {
  let plans: string[] = [];
  before(async () => {
    const place = await engine.place();
    const store = await engine.store([jobTables], place);
    await fill(store);
    if (place.database !== undefined) await asked(place.database, 'vacuum analyze');
    plans = await plansOf(store);
  });

  test('no statement of a claim reads all that waits, or sorts it', () => {
    assert.ok(plans.length >= 6);
    for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan|^SCAN jobs|USE TEMP B-TREE|Sort {2}\(/m, plan);
  });

  test('what is claimed and what ended is found by its number, or among what runs', () => {
    const updates = plans.filter((plan) => plan.startsWith('update'));
    assert.equal(updates.length, 2);
    for (const plan of updates) assert.match(plan, /INTEGER PRIMARY KEY|jobs_pkey|jobs_running/, plan);
  });
});
