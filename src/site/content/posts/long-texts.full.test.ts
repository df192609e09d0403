import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPaper, idsIn, neutral } from '#test/paper.ts';

const posts = `${neutral}/posts`;

eachEngine('a record with very many words', (engine) => {
  test('is found and counted as any other, also when its words become few', async () => {
    const site = await aPaper(engine);
    const many = Array.from({ length: 5000 }, (_, at) => `marrow${at}`).join(' ');
    const written = (content: string, status = 'publish') =>
      site.made(posts, { title: 'Kitchen garden', content, status });
    const { id: long } = await written(`${many} quincunx turnip`);
    const { id: short } = await written('quincunx');
    const { id: lengthy } = await written(`<p>Quíncunx</p> ${'leek '.repeat(50_000)}`);
    await written(`${many} quincunx`, 'draft');
    const finds = async (search: string, expected: readonly number[]) => {
      const answer = await site.get(`${posts}?orderby=id&order=asc&search=${encodeURIComponent(search)}`);
      assert.deepEqual(idsIn(answer), expected, search);
      assert.equal(answer.headers.get('x-wp-total'), String(expected.length), search);
    };
    await finds('quincunx', [long, short, lengthy]);
    await finds('row4999', [long]);
    await finds('quincunx turnip', [long]);
    await finds('quincunx -turnip', [short, lengthy]);
    await finds('garden leek', [lengthy]);
    await finds('"marrow12 marrow13"', [long]);
    await finds('marrowfat', []);
    await site.editor.put(`${posts}/${long}`, { content: 'turnip alone' });
    await finds('quincunx', [short, lengthy]);
    await finds('turnip', [long]);
    await site.editor.put(`${posts}/${short}`, { content: `${many} turnip` });
    await finds('turnip', [long, short]);
    await site.editor.delete(`${posts}/${short}?force=true`);
    await finds('turnip', [long]);
    await finds('row4999', []);
  });

  test('costs a write no more than its signs do', async () => {
    const site = await aPaper(engine);
    const words = Array.from({ length: 150_000 }, (_, at) => (at * 7919 + 1e6).toString(36)).join(' ');
    const { id } = await site.made(posts, { title: 'Words', content: `${words} quincunx`, status: 'publish' });
    assert.deepEqual(idsIn(await site.get(`${posts}?search=quincunx&_fields=id`)), [id]);
    const { body } = await site.get(`${posts}/${id}?excerpt_length=2000000000&_fields=excerpt`);
    assert.equal(body.excerpt.rendered.split(' ').length, 1001);
  });
});
