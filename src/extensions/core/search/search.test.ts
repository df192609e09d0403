import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

onBothStores('searching', (engine) => {
  test('nobody learns by searching what a password closes, and its editors find it', async () => {
    const site = await aSite(engine);
    const author = await site.user({ login: 'ada', roles: ['author'] });
    const closed = { title: 'Closed door', content: 'Treasure lies under the oak.', status: 'publish', password: 'pw' };
    const { body: post } = await site.asUser(author).post('/api/core/v2/posts', closed);
    await site.as('editor').post('/api/core/v2/posts', { title: 'Open door', content: 'Oak.', status: 'publish' });
    const found = async (client: Pick<typeof site, 'get'>, path: string) => {
      const { body, headers } = await client.get(`/api/core/v2/${path}`);
      assert.equal(headers.get('x-wp-total'), String(body.length), path);
      return body.length;
    };
    const paths = [
      'posts?search=treasure',
      'search?search=treasure',
      'posts?search=ea',
      'search?search=treasure%20oak',
    ];
    const exactly = 'posts?search=Closed%20door&search_semantics=exact';
    for (const path of [...paths, exactly, 'posts?search=treasure&orderby=relevance']) {
      for (const client of [site, site.as('subscriber'), site.as('author')])
        assert.equal(await found(client, path), 0, path);
      assert.equal(await found(site.as('editor'), path), 1, path);
    }
    assert.equal(await found(site.asUser(author), `posts?search=treasure&author=${author.id}`), 1);
    assert.equal(await found(site, 'posts?search=door'), 1);
    assert.equal(await found(site, 'posts'), 2);
    await site.as('editor').post(`/api/core/v2/posts/${post.id}`, { password: '' });
    for (const path of paths) assert.equal(await found(site, path), 1, path);
  });
});
