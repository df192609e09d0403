import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { archiveOf, archivesIn } from '#test/archives.ts';
import { keptLog, type Place, testEngine, withoutPostgres } from '#test/databases.ts';
import { everyKind } from '#test/every-kind.ts';
import { prepareRestore } from './restore.ts';

describe('What only one engine can keep', { skip: withoutPostgres }, () => {
  const [sqlite, postgres] = [testEngine('sqlite'), testEngine('postgres')];
  const archives = archivesIn(sqlite);

  test('is named before anything is touched', async () => {
    const place = await sqlite.place();
    const store = await sqlite.store([everyKind], place);
    await store.write((tx) => tx.insertInto('kinds').values({ text: 'a\0b' }).execute());
    const { bytes } = await archiveOf(place, [everyKind]);
    const restore = async (to: Place) =>
      prepareRestore({
        archive: await archives.open(bytes),
        store: { ...to, tables: [everyKind], log: keptLog() },
        files: () => Promise.reject(new Error('The archive has no files.')),
        secretRemedy: '',
        isInUse: async () => false,
      });
    await assert.rejects(restore(await postgres.place()), {
      message: /^A row of kinds in the archive has in text a zero byte, which PostgreSQL cannot store/,
    });
    const back = await sqlite.place();
    await (await restore(back)).carryOut();
    assert.equal(
      (await (await sqlite.store([everyKind], back)).db.selectFrom('kinds').select('text').executeTakeFirstOrThrow())
        .text,
      'a\0b',
    );
  });
});
