import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '#store/store.ts';
import { commentRows } from '#test/comment-rows.ts';
import { onBothStores } from '#test/databases.ts';
import { aPostRow } from '#test/post-rows.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import { siteTables } from '../../tables.ts';
import type { ContentTables } from '../tables.ts';
import type { Comment } from './comment.ts';
import { createThreads } from './threads.ts';

const address = 'http://site.test/river/';

onBothStores('What was said about a record', (engine) => {
  const talk = async (many: number, say: (at: number) => Partial<Comment>) => {
    const store: Store<ContentTables & TotalsTables> = await engine.store(siteTables, await engine.place(siteTables));
    const { id: post } = await aPostRow(store);
    const said = await commentRows(store, many, (at) => ({ post_id: post, ...say(at) }));
    const threads = createThreads(store.db);
    const pages: number[][] = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const shown = await threads.page(post, page);
      last = shown.pages;
      pages.push(shown.items.map(({ id }) => id));
      assert.equal(shown.total, said.filter(({ status }) => status === 'approved').length);
    }
    assert.deepEqual((await threads.page(post, pages.length + 1)).items, []);
    return { post, said, threads, pages, numbers: said.map(({ id }) => id) };
  };

  /** Each on one page, and its link leads there. */
  const isWhole = async ({ post, said, threads, pages }: Awaited<ReturnType<typeof talk>>): Promise<void> => {
    const shown = said.filter(({ status, type }) => status === 'approved' && type === 'comment');
    assert.deepEqual(
      pages.flat().toSorted((one, other) => one - other),
      shown.map(({ id }) => id),
    );
    const some = shown.filter((_, at) => at % Math.ceil(shown.length / 20) === 0);
    const links = await threads.links(some, new Map([[post, address]]));
    for (const { id } of some) {
      const page = pages.findIndex((ids) => ids.includes(id)) + 1;
      const expected = page === 1 ? address : `${address}comment-page-${page}/`;
      assert.equal(links.get(id), `${expected}#comment-${id}`);
    }
  };

  test('stands below what it answers, fifty that answer nothing on a page', async () => {
    const all = await talk(120, (at) => (at % 2 === 0 ? {} : { parent: at }));
    assert.deepEqual(
      all.pages.map((ids) => ids.length),
      [100, 20],
    );
    assert.deepEqual(all.pages[0]!.slice(0, 4), [1, 2, 3, 4]);
    await isWhole(all);
  });

  test('is shown however deep it stands', async () => {
    const all = await talk(40, (at) => ({ parent: at }));
    assert.deepEqual(all.pages, [all.numbers]);
    await isWhole(all);
  });

  test('goes on over the next page, where one has very many answers', async () => {
    const all = await talk(701, (at) => ({ parent: at === 0 ? 0 : 1 }));
    assert.deepEqual(
      all.pages.map((ids) => ids.length),
      [500, 201],
    );
    await isWhole(all);
  });

  test('is shown where what it answers is not, is of another kind or of another record, or answers it', async () => {
    const odd: Partial<Comment>[] = [
      { status: 'hold' },
      { parent: 1 },
      { type: 'pingback', status: 'hold' },
      { parent: 3 },
      { parent: 99 },
      { parent: 7 },
      { parent: 6 },
    ];
    const all = await talk(odd.length, (at) => odd[at]!);
    assert.deepEqual(all.pages, [[2, 4, 5, 6, 7]]);
    await isWhole(all);
  });

  test('follows each other by time, where there is too much of it to be arranged', async () => {
    const all = await talk(2_030, (at) => ({ parent: at % 10 === 9 ? 1 : 0 }));
    assert.equal(all.pages.length, 41);
    assert.deepEqual(all.pages.flat(), all.numbers);
    await isWhole(all);
  });

  test('has a link to the record, where nobody sees it', async () => {
    const { post, said, threads } = await talk(1, () => ({ status: 'hold' }));
    assert.deepEqual([...(await threads.links(said, new Map([[post, address]])))], [[1, `${address}#comment-1`]]);
    assert.deepEqual([...(await threads.links(said, new Map()))], []);
  });
});
