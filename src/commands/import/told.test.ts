import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createReport } from '#site/moving/report.ts';
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

  test('says what is wrong in a few words, however long they are, and fails then', async () => {
    const { noted, ask } = askOf();
    const report = createReport();
    report.fault({ title: 't'.repeat(1e6), code: 'failed', message: 'm'.repeat(1e6) });
    assert.equal(await telling(report, ask, Promise.resolve()), 1);
    assert.ok(noted.join('').length < 2_000);
  });
});
