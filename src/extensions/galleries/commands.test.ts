import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { gatehouse } from '#test/gatehouse.ts';
import { picture } from '#test/pictures.ts';
import { aSite } from '#test/site.ts';
import { media, send } from '#test/uploads.ts';

const core = '/api/core/v2';

eachEngine('Commands about pictures and galleries', (engine) => {
  test('list pictures without an alternative text, and undo conversions', async () => {
    const site = await aSite(engine);
    const bytes = await picture(40, 30);
    const editor = site.as('editor');
    const [one, two, three] = await Promise.all(
      ['', 'Children at the fair', ' '].map(
        async (alt, at) => (await send(site, 'editor', `p${at}.jpg`, bytes, `?alt_text=${alt}&title=P${at}`)).body.id,
      ),
    );
    await send(site, 'editor', 'notes.txt', 'Words');
    const listed = await site.get(`${media}?missing_alt=1&orderby=id&order=asc`);
    assert.deepEqual(
      [listed.headers.get('x-wp-total'), listed.body.map(({ id }: { id: number }) => id)],
      ['2', [one, three].toSorted((id, other) => id - other)],
    );
    assert.equal((await site.get(`${media}?missing_alt=false`)).body.length, 4);

    const { data, database } = site.config;
    const run = (...args: string[]) =>
      gatehouse([...args, '--data', data, '--deployment', 'b', ...(database ? ['--database', database] : [])], {
        GATEHOUSE_SECRET: 'a secret that only this test knows of',
      });
    const table = await run('media', 'missing-alt');
    assert.match(
      table.out,
      new RegExp(`^ID +UPLOADED +TITLE +URL\n${Math.min(one, three)} +2026-11-20 +P\\d +http`),
      table.err,
    );
    assert.match(table.err, /2 pictures have no alternative text\./);
    const { length } = JSON.parse((await run('media', 'missing-alt', '--json')).out);
    assert.equal(length, 2);

    const content = `[gallery ids="${two}"]`;
    const { body: post } = await editor.post(`${core}/posts`, { title: 'Fair', status: 'publish', content });
    const converted = await editor.post('/api/gallery-convert/v1/process-gallery', { post_id: post.id });
    const [gallery] = converted.body.galleries;
    const reverted = await run('galleries', 'revert', String(post.id), '999999');
    assert.deepEqual(
      [reverted.code, reverted.out],
      [1, `Post ${post.id}: reverted 1 gallery, 1 of them in the trash.\n`],
      reverted.err,
    );
    assert.match(reverted.err, /Skipped 999999: .*post_not_found/);
    assert.equal((await editor.get(`${core}/posts/${post.id}?context=edit`)).body.content.raw, content);
    assert.equal((await editor.get(`${core}/galleries/${gallery}`)).body.status, 'trash');
    assert.equal((await run('galleries', 'revert', 'x')).code, 2);
    assert.equal((await run('galleries', 'revert', String(post.id))).code, 1);
  });
});
