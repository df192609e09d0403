// Threads of any depth: what answers a comment, and where it may be moved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentTables } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { aTalk, comments, outcome } from '#test/talk.ts';

const depth = 11_000;

eachEngine('comments on comments on comments', async (engine) => {
  const { site, aPost, said } = await aTalk(engine);
  const { id: post } = await aPost();
  const editor = site.as('editor');
  const wrong = [400, 'rest_invalid_param'];
  const put = async (id: number, parent: number) => outcome(await editor.put(`${comments}/${id}`, { parent }));

  /** Each answers the one before it; by number from the first. */
  const line = async (): Promise<number[]> => {
    const { db, write }: Store<ContentTables> = site.app.services.store as unknown as Store<ContentTables>;
    const first = await said('editor', { post, content: 'First' });
    const { id: _, ...row } = await db
      .selectFrom('comments')
      .selectAll()
      .where('id', '=', first)
      .executeTakeFirstOrThrow();
    const [second = 0, ...others] = Array.from({ length: depth }, (_, at) => 1_000_000 + at);
    const rows = [{ ...row, id: second, parent: first }, ...others.map((id) => ({ ...row, id, parent: id - 1 }))];
    await write(async (tx) => {
      for (let at = 0; at < depth; at += 1_000)
        await tx
          .insertInto('comments')
          .values(rows.slice(at, at + 1_000))
          .execute();
    });
    return [first, ...rows.map(({ id }) => id)];
  };

  test('end in a new one at any depth, and never in themselves', async () => {
    const all = await line();
    const [top, second, last] = [all[0]!, all[1]!, all.at(-1)!];
    const { status, body } = await editor.post(comments, { post, parent: last, content: 'Last' });
    assert.deepEqual([status, body.parent], [201, last]);
    assert.deepEqual(await put(top, all[5_000]!), wrong);
    assert.deepEqual(await put(second, second), wrong);
    // One that is answered is not moved to where nobody can tell whether it is above itself.
    assert.deepEqual(await put(top, last), wrong);
    assert.deepEqual(await put(body.id, second), [200, undefined]);
    assert.deepEqual(await put(last, top), [200, undefined]);
    assert.deepEqual(await put(all[9_000]!, all[10]!), [200, undefined]);
    assert.deepEqual(await put(all[10]!, all[9_500]!), wrong);
  });
});
