import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { Unavailable } from '#lib/failures.ts';
import { minute } from '#lib/spans.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { noon } from '#test/site.ts';
import { tableOwners } from '../../../../tables.ts';
import { thisProcess } from '../../../platform/process-name.ts';
import { inTurn, readOnly, type TurnStore } from './turn.ts';

async function aDesk(engine: TestEngine) {
  const store = await engine.store(tableOwners());
  let now = noon;
  const needs = { store, clock: () => now };
  const turns = async () => (await store.db.selectFrom('moving_turns').selectAll().execute()).length;
  const pass = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  return { store, turns, pass, take: inTurn.bind(undefined, needs) };
}

const mover = (holder: string) => ({ holder, what: 'The export file old.xml' });
const nothing = async () => 'nothing';

eachEngine('The turn to move in', (engine) => {
  test('is one mover’s at a time, who is named to others', async () => {
    const { take, turns } = await aDesk(engine);
    await take(mover(thisProcess()), async () => {
      await assert.rejects(take(mover('process 7 on another'), nothing), {
        code: 'import_under_way',
        message: `The export file old.xml is being moved in, by process ${process.pid} on ${hostname()} since 2026-11-20T12:00 UTC. Please wait until that is done.`,
      });
    });
    assert.equal(await turns(), 0);
    await assert.rejects(
      take(mover('a'), async () => {
        throw new Error('broken off');
      }),
      { message: 'broken off' },
    );
    assert.equal(await take(mover('b'), nothing), 'nothing');
  });

  test('is lost by silence, and with it the right to write', async () => {
    const { take, pass, store } = await aDesk(engine);
    const say = (turn: TurnStore, what: string) =>
      turn.write((tx) => tx.updateTable('moving_turns').set({ what }).execute());
    await take(mover('a'), async (first) => {
      pass(minute - 1);
      await say(first, 'Once');
      pass(minute - 1);
      await assert.rejects(take(mover('b'), nothing), { code: 'import_under_way' });
      pass(2);
      await take(mover('b'), async () => {
        await assert.rejects(
          say(first, 'Twice'),
          (error) => error instanceof Unavailable && error.code === 'import_under_way',
        );
        const [turn] = await store.db.selectFrom('moving_turns').selectAll().execute();
        assert.deepEqual([turn?.holder, turn?.what], ['b', 'The export file old.xml']);
      });
    });
  });

  test('is taken over at once from a process of this machine that died, and by the job that had it', async () => {
    const { take } = await aDesk(engine);
    const died = spawnSync(process.execPath, ['--version']).pid;
    await take(mover(`process ${died} on ${hostname()}`), async () => {
      await take(mover('job x'), async (first) => {
        await take(mover('job x'), nothing);
        await assert.rejects(first.write(nothing), Unavailable);
      });
    });
    await take(mover(`process ${died} on another`), () => assert.rejects(take(mover('a'), nothing)));
  });

  test('is asked for by nobody who only looks', async () => {
    const { store } = await aDesk(engine);
    await assert.rejects(readOnly(store).write(nothing), /A dry run writes nothing/);
  });
});
