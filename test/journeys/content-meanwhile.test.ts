// While one deletes, others go on: whatever comes first, nothing is left that points at what is gone, and counts are right.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { misfits } from '#test/fitting.ts';
import { neutral, upload } from '#test/paper.ts';
import { testClock } from '#test/queue.ts';
import { type Answer, aSite, type Client, type TestSite } from '#test/site.ts';

const secret = 'a secret that only this test knows of, long enough';
const rounds = 4;

onBothStores('While something is deleted', (engine) => {
  const clock = testClock();
  let sites: readonly TestSite[] = [];
  let headers: Record<string, string> = {};
  before(async () => {
    const where = await engine.place();
    const shared: TestEngine = { ...engine, place: async () => where };
    const options = { env: { GATEHOUSE_SECRET: secret }, clock };
    sites = [await aSite(shared, options), await aSite(shared, options)];
    headers = await sites[0]!.credentials('administrator');
  });

  let turn = 0;
  /** By the one process and the other in turn. */
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    sites[turn++ % 2]!.request(method, neutral + path, { headers, body });
  const made = async (path: string, said: object): Promise<number> => {
    const { status, body, text } = await ask('POST', path, said);
    assert.equal(status, 201, text);
    return body.id;
  };
  const sending: Pick<Client, 'post'> = {
    post: (path, body, more) => sites[turn++ % 2]!.post(path, body, { ...headers, ...more }),
  };

  /** Every answer is one that somebody foresaw, and all that is kept fits together. */
  const hold = async (asks: readonly Promise<Answer>[]): Promise<void> => {
    for (const { status, text } of await Promise.all(asks)) assert.ok(status < 500, text);
    // What somebody leaves who is deleted is settled by a job, which either process may have begun.
    for (const { app } of sites) await app.services.jobs.settled();
    assert.deepEqual(await misfits(sites[0]!.app.services.store), []);
  };

  test('a post: what is said of it, written of it, sorted by and sent for it', async () => {
    const tag = await made('/tags', { name: 'Kept' });
    for (let round = 0; round < rounds; round++) {
      const id = await made('/posts', { title: 'Going', status: 'publish', tags: [tag], comment_status: 'open' });
      const one = `/posts/${id}`;
      const parent = await made('/comments', { post: id, content: `First of ${round}` });
      await hold([
        ask('PUT', one, { content: 'Other', slug: `other-${round}`, meta: { footnotes: '[]' } }),
        ask('POST', '/comments', { post: id, content: `Second of ${round}`, parent }),
        ask('POST', `${one}/autosaves`, { content: 'Aside' }),
        ask('DELETE', `${one}?force=true`),
        ask('POST', '/comments', { post: id, content: `Third of ${round}` }),
        ask('POST', `/comments/${parent}`, { content: 'Changed', status: 'hold' }),
        upload(sending as Client, `${neutral}/media?post=${id}`, 'a.txt', 'Words'),
        ask('PUT', one, { tags: [], status: 'draft' }),
        ask('DELETE', one),
      ]);
    }
  });

  test('a page: what is put below it', async () => {
    for (let round = 0; round < rounds; round++) {
      const above = await made('/pages', { title: 'Above', status: 'publish' });
      const id = await made('/pages', { title: 'Going', status: 'publish', parent: above });
      const other = await made('/pages', { title: 'Other', status: 'publish' });
      await hold([
        ask('POST', '/pages', { title: 'Below', status: 'publish', parent: id }),
        ask('PUT', `/pages/${other}`, { parent: id }),
        ask('DELETE', `/pages/${id}?force=true`),
        ask('DELETE', `/pages/${above}?force=true`),
        ask('POST', '/pages', { title: 'Below', status: 'publish', parent: id }),
        ask('POST', '/pages', { title: 'Below', parent: above }),
      ]);
    }
  });

  test('a category: what is put below it, and what is sorted by it', async () => {
    for (let round = 0; round < rounds; round++) {
      const above = await made('/categories', { name: `Above ${round}` });
      const id = await made('/categories', { name: `Going ${round}`, parent: above });
      const sorted = { title: 'Sorted', status: 'publish', categories: [id] };
      const [post, other, third] = [
        await made('/posts', sorted),
        await made('/posts', sorted),
        await made('/posts', sorted),
      ];
      await hold([
        ask('POST', '/categories', { name: `Below ${round}`, parent: id }),
        ask('PUT', `/posts/${post}`, { categories: [id, above] }),
        ask('DELETE', `/categories/${id}?force=true`),
        ask('POST', '/posts', { title: 'Late', status: 'publish', categories: [id] }),
        ask('DELETE', `/categories/${above}?force=true`),
        ask('POST', '/categories', { name: `Below too ${round}`, parent: above }),
        ask('PUT', `/posts/${post}`, { status: 'draft' }),
        ask('DELETE', `/posts/${post}`),
        ask('DELETE', `/posts/${other}?force=true`),
        ask('PUT', `/posts/${third}`, { categories: [above] }),
      ]);
    }
  });

  test('a comment: what answers it', async () => {
    const post = await made('/posts', { title: 'Talk', status: 'publish', comment_status: 'open' });
    for (let round = 0; round < rounds; round++) {
      const above = await made('/comments', { post, content: `Above ${round}` });
      const id = await made('/comments', { post, content: `Going ${round}`, parent: above });
      const other = await made('/comments', { post, content: `Other ${round}` });
      await hold([
        ask('POST', '/comments', { post, content: `Answer ${round}`, parent: id }),
        ask('PUT', `/comments/${other}`, { parent: id }),
        ask('DELETE', `/comments/${id}?force=true`),
        ask('POST', '/comments', { post, content: `Another ${round}`, parent: id }),
        ask('DELETE', `/comments/${above}?force=true`),
        ask('DELETE', `/comments/${other}`),
      ]);
    }
  });

  test('a file: what shows it, and a post that takes it', async () => {
    for (let round = 0; round < rounds; round++) {
      const { body } = await upload(sending as Client, `${neutral}/media`, 'a.txt', 'Words');
      const post = await made('/posts', { title: 'Shown', status: 'publish' });
      await hold([
        ask('PUT', `/posts/${post}`, { featured_media: body.id }),
        ask('DELETE', `/media/${body.id}?force=true`),
        ask('POST', `/media/${body.id}`, { post, title: 'Taken' }),
        ask('DELETE', `/posts/${post}?force=true`),
        ask('POST', `/media/${body.id}`, { alt_text: 'Seen' }),
      ]);
    }
  });

  test('somebody: what is theirs, and what they are given meanwhile', async () => {
    const heir = (await sites[0]!.user({ login: 'heir', roles: ['author'] })).id;
    for (let round = 0; round < rounds; round++) {
      const { id } = await sites[0]!.user({ login: `going-${round}`, roles: ['author'] });
      const post = await made('/posts', { title: 'Theirs', status: 'publish', author: id });
      const other = await made('/posts', { title: 'Another', status: 'publish' });
      await hold([
        ask('PUT', `/posts/${other}`, { author: id }),
        ask('DELETE', `/users/${id}?force=true&reassign=${round % 2 === 0 ? heir : 0}`),
        ask('POST', '/posts', { title: 'Late', author: id }),
        ask('PUT', `/posts/${post}`, { content: 'Other' }),
        ask('PUT', `/posts/${other}`, { author: id }),
      ]);
    }
  });
});
