// Many write at once, through two processes of one site: everybody is told the truth, and what is kept fits together.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { classic, neutral, outcome, upload } from '#test/paper.ts';
import { picture } from '#test/pictures.ts';
import { type TestClock, testClock } from '#test/queue.ts';
import { type Answer, aSite, type Client, type TestSite } from '#test/site.ts';

const secret = 'a secret that only this test knows of, long enough';
const posts = `${neutral}/posts`;
const pages = `${neutral}/pages`;

type Two = readonly [TestSite, TestSite];

/** Two sites on one database, as two processes have it. */
async function twoOf(engine: TestEngine, clock: TestClock): Promise<Two> {
  const where = await engine.place();
  const shared: TestEngine = { ...engine, place: async () => where };
  const options = { env: { GATEHOUSE_SECRET: secret }, clock };
  return [await aSite(shared, options), await aSite(shared, options)];
}

/** How often each status was answered, and with which codes. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const told: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = [status, body?.code].filter((part) => part !== undefined).join(' ');
    told[key] = (told[key] ?? 0) + 1;
  }
  return told;
}

const slugsOf = (answers: readonly Answer[]): Set<string> => new Set(answers.map(({ body }) => body.slug));

onBothStores('At the same time', (engine) => {
  const clock = testClock();
  let sites: Two | undefined;
  let headers: Record<string, string> = {};
  before(async () => {
    sites = await twoOf(engine, clock);
    headers = await sites[0].credentials('editor');
  });

  /** As an editor, by the one process and the other in turn. */
  const each = <T>(count: number, ask: (client: Verbs, at: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => ask(by(at), at)));
  const by = (at: number): Verbs => {
    const site = sites![at % 2]!;
    return {
      get: (path) => site.get(path, headers),
      post: (path, body, more) => site.post(path, body, { ...headers, ...more }),
      put: (path, body) => site.put(path, body, headers),
      delete: (path) => site.delete(path, undefined, headers),
    };
  };
  const made = async (path: string, said: object): Promise<number> => {
    const { status, body, text } = await by(0).post(path, said);
    assert.equal(status, 201, text);
    return body.id;
  };
  const seen = async (path: string) => (await by(1).get(path)).body;

  test('twenty posts of one title get twenty slugs', async () => {
    const answers = await each(20, (client) => client.post(posts, { title: 'One title', status: 'publish' }));
    assert.deepEqual(tally(answers), { 201: 20 });
    assert.equal(slugsOf(answers).size, 20);
    const kept = await seen(`${posts}?search=One title&per_page=100&_fields=slug`);
    assert.equal(new Set(kept.map(({ slug }: { slug: string }) => slug)).size, 20);
  });

  test('so do twenty drafts that are published, come back from the trash, or are given one slug', async () => {
    const drafts = await each(20, (client) => client.post(posts, { title: 'A draft' }));
    const ids = drafts.map(({ body }) => body.id);
    const change = (said: object) => each(20, (client, at) => client.put(`${posts}/${ids[at]}`, said));
    assert.equal(slugsOf(await change({ status: 'publish' })).size, 20);
    await each(20, (client, at) => client.delete(`${posts}/${ids[at]}`));
    assert.equal(slugsOf(await change({ status: 'publish' })).size, 20);
    assert.equal(slugsOf(await change({ slug: 'chosen' })).size, 20);
  });

  test('so do pages beside each other, and files of one name', async () => {
    const parent = await made(pages, { title: 'Above', status: 'publish' });
    const below = await each(10, (client) => client.post(pages, { title: 'Below', status: 'publish', parent }));
    assert.equal(slugsOf(below).size, 10);
    const pixels = await picture(8, 8, 'png');
    const files = await each(8, (client) => upload(client as Client, `${neutral}/media`, 'one.png', pixels));
    assert.deepEqual(tally(files), { 201: 8 });
    assert.equal(slugsOf(files).size, 8);
    assert.equal(new Set(files.map(({ body }) => body.source_url)).size, 8);
  });

  test('a term that many make is made once, and all are told which it is', async () => {
    const answers = await each(12, (client) => client.post(`${neutral}/categories`, { name: 'Lamps' }));
    assert.deepEqual(tally(answers), { 201: 1, '400 term_exists': 11 });
    const ids = new Set(answers.map(({ body }) => body.id ?? body.data.term_id));
    assert.equal(ids.size, 1);
  });

  test('counts are right after many were added and many taken away', async () => {
    const tag = await made(`${neutral}/tags`, { name: 'Counted' });
    const answers = await each(12, (client) =>
      client.post(posts, { title: 'Counted', status: 'publish', tags: [tag] }),
    );
    const counted = async () => (await seen(`${neutral}/tags/${tag}`)).count;
    assert.equal(await counted(), 12);
    const gone = answers.slice(0, 6).map(({ body }) => `${posts}/${body.id}`);
    const force = (at: number) => (at % 4 < 2 ? '?force=true' : '');
    await each(12, (client, at) => client.delete(`${gone[at % 6]}${force(at % 6)}`));
    assert.equal(await counted(), 6);
    const { headers: told } = await by(0).get(`${posts}?tags=${tag}&per_page=1`);
    assert.equal(told.get('x-wp-total'), '6');
  });

  test('one of many puts a post into the trash, and one deletes it', async () => {
    const one = `${posts}/${await made(posts, { title: 'Once', status: 'publish' })}`;
    assert.deepEqual(tally(await each(8, (client) => client.delete(one))), { 200: 1, '410 rest_already_trashed': 7 });
    const gone = await each(8, (client) => client.delete(`${one}?force=true`));
    assert.deepEqual(tally(gone), { 200: 1, '404 rest_post_invalid_id': 7 });
  });

  test('what many save is each a state of the post, and the last is the one it has', async () => {
    const id = await made(posts, { title: 'Ours', content: 'None', status: 'publish' });
    const answers = await each(10, (client, at) => client.put(`${posts}/${id}`, { content: `By ${at}` }));
    assert.deepEqual(tally(answers), { 200: 10 });
    const history = await seen(`${posts}/${id}/revisions?context=edit`);
    const texts = history.map(({ content }: { content: { raw: string } }) => content.raw);
    assert.deepEqual(
      [...texts].sort(),
      Array.from({ length: 10 }, (_, at) => `By ${at}`),
    );
    assert.equal((await seen(`${posts}/${id}?context=edit`)).content.raw, texts[0]);
  });

  test('pages never come to stand in a ring', async () => {
    for (let again = 0; again < 3; again++) {
      const ring: number[] = [];
      for (let at = 0; at < 4; at++) ring.push(await made(pages, { title: 'Ring', status: 'publish' }));
      const answers = await each(4, (client, at) => client.put(`${pages}/${ring[at]}`, { parent: ring[(at + 1) % 4] }));
      assert.deepEqual(tally(answers), { 200: 3, '400 rest_post_invalid_id': 1 });
    }
    const one = await made(pages, { title: 'Alone' });
    assert.deepEqual(outcome(await by(0).put(`${pages}/${one}`, { parent: one })), [400, 'rest_post_invalid_id']);
  });

  test('nor do categories: one that would is put on top', async () => {
    const ring: number[] = [];
    for (let at = 0; at < 4; at++) ring.push(await made(`${neutral}/categories`, { name: `Ring ${at}` }));
    const path = (at: number) => `${neutral}/categories/${ring[at]}`;
    const answers = await each(4, (client, at) => client.put(path(at), { parent: ring[(at + 1) % 4] }));
    assert.deepEqual(tally(answers), { 200: 4 });
    const parents = await Promise.all(ring.map(async (_, at) => (await seen(path(at))).parent));
    assert.equal(parents.filter((parent) => parent === 0).length, 1);
    assert.equal((await by(0).put(path(0), { parent: ring[0] })).body.parent, 0);
  });

  test('nor do answers to each other', async () => {
    const post = await made(posts, { title: 'Talk', status: 'publish', comment_status: 'open' });
    const path = `${neutral}/comments`;
    const [one, two] = [await made(path, { post, content: 'One' }), await made(path, { post, content: 'Two' })];
    const answers = await each(2, (client, at) => client.put(`${path}/${[one, two][at]}`, { parent: [two, one][at] }));
    assert.deepEqual(tally(answers), { 200: 1, '400 rest_invalid_param': 1 });
    assert.deepEqual(outcome(await by(0).put(`${path}/${one}`, { parent: one })), [400, 'rest_invalid_param']);
  });

  test('who says the same many times is heard once, and who says much is asked to wait', async () => {
    const post = await made(posts, { title: 'Loud', status: 'publish', comment_status: 'open' });
    const known = await sites![0].credentials('subscriber');
    const say = (count: number, content: (at: number) => string) =>
      Promise.all(
        Array.from({ length: count }, (_, at) =>
          sites![at % 2]!.post(`${classic}/comments`, { post, content: content(at) }, known),
        ),
      );
    clock.pass(60_000);
    assert.deepEqual(tally(await say(8, () => 'Hello')), { 201: 1, '409 comment_duplicate': 7 });
    clock.pass(14_999);
    assert.deepEqual(tally(await say(2, (at) => `Early ${at}`)), { '400 comment_flood': 2 });
    clock.pass(1);
    assert.deepEqual(tally(await say(8, (at) => `Words ${at}`)), { 201: 1, '400 comment_flood': 7 });
    const all = await by(0).get(`${neutral}/comments?post=${post}&status=all`);
    assert.equal(all.headers.get('x-wp-total'), '2');
  });
});

type Verbs = Pick<Client, 'get' | 'put' | 'delete' | 'post'>;
