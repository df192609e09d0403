import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Unavailable } from '#lib/failures.ts';
import { keptLog } from '#test/databases.ts';
import type { NewEntry } from './entry.ts';
import { Queue } from './queue.ts';
import { createWriter } from './writer.ts';

const entry = (code: string, type: NewEntry['type'] = 'notice'): NewEntry =>
  ({ module: 'core', code, type, data: '', url: '' }) as NewEntry;

/** A bell that rings when the test says so, and a place where entries are kept, or not. */
function aWriter(bounds = { entries: 5, size: 1_000_000 }) {
  const bells: { after: number; ring: () => void }[] = [];
  const groups: string[][] = [];
  const log = keptLog();
  const state: { fault: Error | undefined } = { fault: undefined };
  const writer = createWriter({
    queue: new Queue(bounds),
    keep: async (entries) => {
      if (state.fault !== undefined) throw state.fault;
      groups.push(entries.map(({ code }) => code));
    },
    telling: (leftOut) => entry(`left out ${JSON.stringify(leftOut)}`, 'warning'),
    later: (after, ring) => {
      const bell = { after, ring };
      bells.push(bell);
      return { cancel: () => void bells.splice(bells.indexOf(bell), 1) };
    },
    log,
  });
  return { writer, bells, groups, log, state, ring: () => bells.shift()?.ring() };
}

describe('A writer of entries', () => {
  test('keeps all of a moment together, a tenth of a second later at most', async () => {
    const { writer, bells, groups, ring } = aWriter();
    for (const code of ['a', 'b', 'c']) writer.add(entry(code));
    assert.deepEqual([bells.map(({ after }) => after), groups], [[100], []]);
    ring();
    await writer.flush();
    writer.add(entry('d'));
    assert.equal(bells.length, 1);
    await writer.flush();
    assert.deepEqual(groups, [['a', 'b', 'c'], ['d']]);
  });

  test('says how many it left out, in an entry of its own', async () => {
    const { writer, groups } = aWriter();
    for (const code of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) writer.add(entry(code, code < 'c' ? 'debug' : 'notice'));
    await writer.flush();
    assert.deepEqual(groups.flat(), ['c', 'd', 'e', 'f', 'g', 'left out {"debug":2}']);
    writer.add(entry('h'));
    await writer.flush();
    assert.deepEqual(groups.flat().slice(6), ['h']);
  });

  test('waits while the database is away, and loses nothing that there is room for', async () => {
    const { writer, bells, groups, state, log, ring } = aWriter();
    state.fault = new Unavailable('It is away.');
    writer.add(entry('a'));
    writer.add(entry('b'));
    await writer.flush();
    assert.deepEqual([groups, log.lines.map(({ level }) => level)], [[], ['warn']]);
    state.fault = undefined;
    assert.deepEqual(
      bells.map(({ after }) => after),
      [100],
    );
    ring();
    await writer.flush();
    assert.deepEqual(groups, [['a', 'b']]);
  });

  test('goes on after entries that cannot be kept at all', async () => {
    const { writer, groups, state, log } = aWriter();
    state.fault = new Error('No.');
    writer.add(entry('a'));
    await writer.flush();
    state.fault = undefined;
    writer.add(entry('b'));
    await writer.flush();
    assert.deepEqual([groups, log.lines.map(({ level }) => level)], [[['b']], ['error']]);
  });

  test('keeps what waits when it ends, and nothing after that', async () => {
    const { writer, bells, groups } = aWriter();
    writer.add(entry('a'));
    await writer.end();
    writer.add(entry('b'));
    await writer.flush();
    assert.deepEqual([groups, bells], [[['a']], []]);
  });
});
