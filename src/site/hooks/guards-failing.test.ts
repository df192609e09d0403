// Guards that fail, that have nothing to judge, and that were made for an earlier version.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { guarded, refusal } from '#test/guards.ts';
import { renewDerived } from '../platform/cache/snapshot.ts';
import type { FormerGuard } from './guards.ts';

const posts = '/api/core/v2/posts';

eachEngine('A guard', (engine) => {
  const questions = ['onConnect', 'mayServeCached', 'needsBody', 'onBody', 'onCaller'] as const;
  for (const whenFailing of ['open', 'closed'] as const)
    test(`that fails ${whenFailing === 'open' ? 'lets requests through' : 'closes the site'} and is logged, when it fails ${whenFailing}`, async () => {
      let asked = '';
      const broken = (): never => {
        throw new Error(`broken ${asked}`);
      };
      const failing = Object.fromEntries(questions.map((one) => [one, () => (one === asked ? broken() : undefined)]));
      const site = await guarded(engine, {
        ...failing,
        needsBody: () => asked === 'needsBody' && broken(),
        whenFailing,
      });
      for (asked of questions) {
        // What only decides how the request goes on refuses nothing.
        const isShut = whenFailing === 'closed' && asked !== 'mayServeCached' && asked !== 'needsBody';
        const [list, page] = [await site.get(`${posts}?search=${asked}`), await site.post('/no/such/page', { a: 1 })];
        assert.deepEqual([list.status, page.status], isShut ? [503, 503] : [200, 404], asked);
        if (isShut) assert.deepEqual([list.body.code, list.headers.get('retry-after')], ['rest_guard_failed', '1']);
        assert.equal((await site.get('/healthz')).status, 200, asked);
        const told = site.log.lines.splice(0).map(({ details }) => (details as { err?: Error }).err?.message);
        assert.ok(told.includes(`broken ${asked}`), asked);
      }
    });

  for (const whenFailing of ['open', 'closed'] as const)
    test(`that fails to judge a write ${whenFailing === 'open' ? 'lets it through' : 'refuses it'} when it fails ${whenFailing}`, async () => {
      let isBroken = false;
      const site = await guarded(engine, {
        whenFailing,
        onWrite: () => () => {
          if (isBroken) throw new Error('broken');
          return undefined;
        },
      });
      const write = async () => (await site.as('editor').post(posts, { title: 'One' })).status;
      assert.equal(await write(), 201);
      isBroken = true;
      assert.equal(await write(), whenFailing === 'open' ? 201 : 503);
      site.log.lines.length = 0;
    });

  test('that has nothing to judge is not asked until it has', async () => {
    let isNeeded = false;
    const asked: string[] = [];
    const site = await guarded(engine, { isNeeded: () => isNeeded, onConnect: ({ url }) => void asked.push(url) });
    await site.get(posts);
    assert.deepEqual(asked, []);
    isNeeded = true;
    renewDerived();
    await site.get(posts);
    assert.deepEqual(asked, [posts]);
  });

  test('of a package made for an earlier version is asked by its former names, and fails open', async () => {
    const [asked, user]: [string[], string[]] = [[], []];
    let isBroken = false;
    const former: FormerGuard = {
      arriving({ url }) {
        if (isBroken) throw new Error('broken');
        asked.push('arriving');
        return url.includes('away') ? refusal('closed') : undefined;
      },
      keeps: () => false,
      reads: () => true,
      read: (_, { form }) => void asked.push(`read ${form?.a}`),
      known: (_, known) => void user.push(known.user?.login ?? ''),
    };
    const site = await guarded(engine, former);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await site.as('editor').request('POST', '/api/no/such/route', { headers: form, body: 'a=1' });
    assert.deepEqual([asked, user], [['arriving', 'read 1'], ['editor']]);
    assert.equal((await site.get('/away')).status, 403);
    isBroken = true;
    assert.equal((await site.get(posts)).status, 200);
    site.log.lines.length = 0;
  });

  test('of such a package may be an object of a class, with private members', async () => {
    class Former implements FormerGuard {
      readonly #ready = Promise.resolve();
      #asked = 0;
      get ready(): Promise<void> {
        return this.#ready;
      }
      isReady(): boolean {
        return this.#ready !== undefined;
      }
      arriving() {
        this.#asked += 1;
        return this.#asked > 1 ? refusal('closed') : undefined;
      }
    }
    const site = await guarded(engine, new Former());
    assert.equal((await site.get('/api/no/such/route')).status, 404);
    assert.equal((await site.get('/api/no/such/route')).status, 403);
  });
});
