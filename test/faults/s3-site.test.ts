// An object store that fails in the middle of what a site does with it: always an answer that says so, and nothing left behind.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { test } from 'node:test';
import { hour } from '#lib/spans.ts';
import { testEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { anObjectStore, type Trouble } from '#test/s3.ts';
import { aSite, noon } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { describeAsync } from '#test/suites.ts';
import { aside, fetched, known, media, send } from '#test/uploads.ts';

const troubles: readonly Trouble[] = [
  { says: '' },
  'hangs up',
  { answers: 500, code: 'InternalError' },
  { answers: 416, code: 'InvalidRange' },
  { answers: 404, code: 'NoSuchBucket' },
];

describeAsync('A site whose object store fails in the middle', async () => {
  const engine = testEngine('sqlite');
  const store = await anObjectStore();
  engine.atEnd(() => store.close());
  let now = noon.getTime();
  const site = await aSite(engine, {
    clock: () => new Date(now),
    env: {
      GATEHOUSE_MEDIA: `s3://${store.media.bucket}/site?endpoint=${store.media.endpoint}`,
      AWS_ACCESS_KEY_ID: store.keys.id,
      AWS_SECRET_ACCESS_KEY: store.keys.secret,
    },
  });
  const author = site.as('author');
  const large = Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(9_000_000)]);
  const small = await picture(400, 300);
  const kept = (await send(site, 'author', 'kept.zip', large)).body;
  const shown = (await send(site, 'author', 'shown.jpg', small)).body;

  const uploads = {
    'a picture': () => send(site, 'author', 'a.jpg', small),
    'a large file': () => send(site, 'author', 'b.zip', large),
    'a turned picture': () => author.post(`${media}/${shown.id}/edit`, { src: shown.source_url, rotation: 90 }),
  };
  for (const [name, upload] of Object.entries(uploads)) {
    test(`says so and keeps nothing: ${name}`, async () => {
      store.asked.length = 0;
      const { status, body } = await upload();
      const writes = store.asked.flatMap((what, at) => (/^(?:PUT|POST)/.test(what) ? [at] : []));
      assert.equal(status, 201);
      await author.delete(`${media}/${body.id}?force=true`);
      const before = { ...(await known(site)), paths: [...store.files.keys()] };
      for (const trouble of troubles.slice(-3))
        for (const from of [writes[0]!, writes.at(-1)!]) {
          let asked = 0;
          let isOver = false;
          store.trouble(trouble, 1_000, (what) => !isOver && !what.startsWith('DELETE') && asked++ >= from);
          const answer = await upload();
          isOver = true;
          // An empty answer to a file that was sent is as good as any.
          if (answer.status === 201) await author.delete(`${media}/${answer.body.id}?force=true`);
          else
            assert.deepEqual([answer.status, answer.body.code], [503, 'storage_unavailable'], JSON.stringify(trouble));
          assert.deepEqual([store.uploads.size, aside(site)], [0, []]);
        }
      assert.deepEqual((await known(site)).posts, before.posts);
      now += 7 * hour; // what could not be erased because the store was away is erased now
      await site.app.services.jobs.settled();
      assert.deepEqual({ ...(await known(site)), paths: [...store.files.keys()] }, before);
    });
  }

  test('says so of a file, or of a part of it, that it cannot send', async () => {
    for (const trouble of troubles)
      for (const headers of [{}, { range: 'bytes=100-8000000' }] as Record<string, string>[]) {
        store.trouble(trouble, 4, (what) => what.startsWith('GET') && what.includes('kept'));
        const { status, bytes } = await fetched(site, kept.source_url, headers);
        assert.deepEqual([status, JSON.parse(bytes.toString()).code], [503, 'storage_unavailable']);
        store.trouble(trouble, 0);
        await drained();
      }
  });

  test('hears nothing of a client that leaves while a file is being opened', async () => {
    const asked = Promise.withResolvers<void>();
    store.trouble('hangs up', 1, (what) => {
      const isIt = what.startsWith('GET') && what.includes('kept');
      if (isIt) asked.resolve();
      return isIt;
    });
    const leaving = get(`${site.origin}${new URL(kept.source_url).pathname}`);
    leaving.on('error', () => {});
    await asked.promise;
    leaving.destroy();
    const gets = () => store.asked.filter((what) => what.startsWith('GET') && what.includes('kept')).length;
    const before = gets();
    await soon(async () => gets() > before, true);
    await fetched(site, kept.source_url);
    const unforeseen = site.log.lines.filter(({ message }) => message.includes('foresaw'));
    assert.deepEqual(unforeseen, []);
  });

  /** Answers that were planned and not asked for are used up. */
  async function drained(): Promise<void> {
    while ((await fetched(site, kept.source_url)).status !== 200);
  }
});
