import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readSnapshot } from '#store/snapshot.ts';
import { archiveOf, archivesIn, backedUpAt } from '#test/archives.ts';
import { keptLog, testEngine } from '#test/databases.ts';
import { everyKind } from '#test/every-kind.ts';
import { openLocalFiles } from '../../files/local/local.ts';
import { backUp } from './backup.ts';

describe('A backup', () => {
  const engine = testEngine('sqlite');
  const archives = archivesIn(engine);

  test('holds many files, small and large, and names what lies among them and is none', async () => {
    const place = await engine.place();
    await engine.store([everyKind], place);
    const media = join(place.data, 'media');
    const files = await openLocalFiles(media, new Date());
    for (let n = 0; n < 60; n++) await files.put(`2026/${n}`, Buffer.alloc(n % 7 === 0 ? 150_000 : n));
    mkdirSync(join(place.data, 'elsewhere'));
    symlinkSync(join(place.data, 'elsewhere'), join(media, '2025'));
    for (let n = 10; n < 22; n++) symlinkSync('nowhere', join(media, `z${n}`));

    const { bytes, notes } = await archiveOf(place, [everyKind], files);
    const paths: string[] = [];
    const { end } = await archives.inspect(bytes, { file: ({ path }) => void paths.push(path) });
    assert.equal(end.files, 60);
    assert.equal(new Set(paths).size, 60);
    assert.equal(notes.length, 11);
    assert.match(
      notes[0]!,
      /^2025 is a link, or has a name that is not valid for files of a site, so it is not in the/,
    );
    assert.equal(notes[10], 'This is true for 3 more files.');
  });

  test('that fails leaves no file open, wherever it fails', async () => {
    const place = await engine.place();
    await engine.store([everyKind], place);
    const media = join(place.data, 'media');
    const files = await openLocalFiles(media, new Date());
    const before = (await archiveOf(place, [everyKind], files)).bytes.length;
    // The second block is full within what is said of `b…`, when the first turns out not to have been written.
    await files.put('a', Buffer.alloc(2 ** 21 - before - 300));
    await files.put(`${'b'.repeat(200)}/${'b'.repeat(200)}/${'b'.repeat(200)}`, Buffer.alloc(150_000));
    await files.put('c', Buffer.alloc(150_000));
    const full = backUp({
      snapshot: (work) => readSnapshot({ ...place, tables: [everyKind], log: keptLog() }, work),
      files,
      version: '1.2.3',
      now: backedUpAt,
      sink: () => Promise.reject(new Error('The disk is full.')),
      note: () => {},
    });
    await assert.rejects(full, /The disk is full/);
    assert.deepEqual(openBelow(media), []);
  });
});

/** Files that this process holds open. */
function openBelow(folder: string): string[] {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ''; // that by which the folder itself is read
    }
  });
  return targets.filter((target) => target.startsWith(folder));
}
