import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPlace } from '#test/moved.ts';
import { category, exportOf, head, item, meta, oldSite } from '#test/wxr.ts';

const each = <T>(many: number, make: (at: number) => T): T[] => Array.from({ length: many }, (_, at) => make(at));

eachEngine('The command import wxr', (engine) => {
  const wholeBut = (text: string) => exportOf(item({ title: 'A' }), text, item({ title: 'C' }));

  test('takes of one record no more terms, meta and old slugs than an ordinary write does, and tells what it left', async () => {
    const { arrive, file, rows } = await aPlace(engine);
    const slugs = each(33_000, (at) => meta('_wp_old_slug', `s${at}`).replaceAll('\n', ''));
    const heavy = item({ title: 'B' }, ...slugs.slice(0, 7_000));
    const tagged = item({ title: 'D' }, ...each(1_200, (at) => category('post_tag', `t${at}`, `T${at}`)));
    const { code, told, err } = await arrive(file(exportOf(item({ title: 'A' }), heavy, tagged, item({ title: 'C' }))));
    assert.deepEqual(
      told?.errors.map(({ title, code, message }) => [title, code, message]),
      [
        ['B', 'too_many', 'It has 7000 old slugs; the first 100 are imported.'],
        ['D', 'too_many', 'It has 1200 terms; the first 1000 are imported.'],
      ],
      err,
    );
    assert.deepEqual([code, told?.items.post?.created], [1, 4]);
    assert.deepEqual([(await rows('old_slugs')).length, (await rows('post_terms')).length], [100, 1_000]);
    const most = await arrive(file(wholeBut(item({ title: 'E' }, ...slugs).replaceAll('2020-', '2021-'))));
    assert.deepEqual(
      most.told?.errors.map(({ title, code }) => [title, code]),
      [['E', 'too_large']],
    );
  });

  test('writes records in lots of no more letters than there is room for, whatever of them is long', async () => {
    const { arrive, file, rows } = await aPlace(engine);
    const long = 'x'.repeat(3 * 2 ** 20);
    const items = each(6, (at) =>
      item({ title: `Long ${at}`, 'wp:post_name': `n${at}${long}`, 'wp:post_password': long.slice(0, 2 ** 20) }),
    );
    const { told, err } = await arrive(file(exportOf(...items)));
    assert.equal(told?.items.post?.created, 6, err);
    const changes = (await rows('changes')) as unknown as { topic: string; counter: number }[];
    const writes = changes.reduce((sum, { topic, counter }) => sum + (topic === 'posts' ? counter : 0), 0);
    assert.equal(writes, 3);
  });

  test('settles what came whole of a file that breaks off, and says where it does', async () => {
    const { arrive, file, rows } = await aPlace(engine);
    const pages = each(30, (at) =>
      item({
        title: `P${at}`,
        'wp:post_id': 1000 - at,
        'wp:post_parent': at < 29 ? 1000 - at - 1 : 0,
        'wp:post_type': 'page',
        'content:encoded': `See ${oldSite}/x`,
        guid: `${oldSite}/?p=${1000 - at}`,
      }),
    );
    const { code, told, err } = await arrive(file(`${head}${pages.join('\n')}\n<item><title><![CD`));
    assert.deepEqual(
      [code, told?.items.page?.created, told?.errors.map((one) => one.code)],
      [1, 30, ['truncated']],
      err,
    );
    const posts = await rows('posts');
    const below = posts.filter(({ parent }) => Number(parent) > 0);
    assert.deepEqual([below.length, posts.some(({ content }) => String(content).includes(oldSite))], [29, false]);
    const arrived = (await rows('arrived')) as unknown as { unsettled: number; owed: string | null }[];
    assert.ok(arrived.every(({ unsettled, owed }) => unsettled === 0 || owed?.includes('/x')));
  });

  test('counts what repeats a record that failed as failed, and gives no number that leaves no room above it', async () => {
    const { arrive, file, rows, run, data } = await aPlace(engine);
    const large = item({ title: 'Large', 'content:encoded': 'x'.repeat(5 * 2 ** 20) });
    const failed = await arrive(file(exportOf(large, large, item({ title: 'Last', 'wp:post_id': 2 ** 31 - 1 }))));
    assert.deepEqual([failed.code, failed.told?.items.post], [1, { created: 1, skipped: 0, failed: 2 }]);
    assert.ok((await rows('posts')).every(({ id }) => Number(id) < 1_000));
    assert.match((await run('import', 'wxr', data)).err, /is not a file. Name an export file/);
  });
});
