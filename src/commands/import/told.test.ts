import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createReport } from '#site/transfer/import/report.ts';
import { telling } from './told.ts';

describe('What became of everything that came', () => {
  const askOf = () => {
    const [said, noted]: [string[], string[]] = [[], []];
    return {
      said,
      noted,
      ask: { options: {}, out: (line: string) => void said.push(line), note: (line: string) => void noted.push(line) },
    };
  };

  test('is told as far as it came, whatever ends it', async () => {
    const { said, ask } = askOf();
    const report = createReport();
    report.item('post', 'created');
    await assert.rejects(telling(report, ask, Promise.reject(new Error('The disk is full.'))), /disk is full/);
    assert.match(said.join('\n'), /post +1 +0 +0/);
  });

  test('is not told where nothing came', async () => {
    const { said, noted, ask } = askOf();
    await assert.rejects(telling(createReport(), ask, Promise.reject(new Error('No file.'))), /No file/);
    assert.deepEqual([said, noted], [[], []]);
  });

  test('names what was not found, with what to do about it, and does not fail for that', async () => {
    const { noted, ask } = askOf();
    const report = createReport();
    report.file('missing');
    report.note({
      line: 12,
      id: 5,
      title: 'River',
      code: 'missing',
      message: 'Its file was not found: https://a.test/r.png',
    });
    assert.equal(await telling(report, ask, Promise.resolve()), 0);
    assert.equal(noted[0], 'Note: line 12, number 5, River: Its file was not found: https://a.test/r.png');
    assert.match(noted[1]!, /--uploads.*--fetch/);
    for (let n = 0; n < 1_000; n += 1) report.note({ title: 'Another', code: 'missing', message: '' });
    const { notes, moreNotes } = report.told();
    assert.deepEqual([notes.length < 500, notes.length + moreNotes], [true, 1_001]);
  });

  test('says what is wrong in a few words, however long they are, and fails then', async () => {
    const { noted, ask } = askOf();
    const report = createReport();
    report.fault({ title: 't'.repeat(1e6), code: 'failed', message: 'm'.repeat(1e6) });
    assert.equal(await telling(report, ask, Promise.resolve()), 1);
    assert.ok(noted.join('').length < 2_000);
  });
});
