// An object store that is away, refuses, or stumbles: what that does to the files of a site.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { OutOfSpace } from '#lib/failures.ts';
import { createS3Files } from '#site/files/s3/s3.ts';
import { patience } from '#site/files/s3/wire.ts';
import { certificateFor } from '#test/certificate.ts';
import { contentOf, stream } from '#test/media.ts';
import type { S3Double, Trouble } from '#test/s3.ts';

import { type Scene, says, scene, text, tidy, withFile, works } from './s3-scene.ts';

describe('A store that cannot be reached', () => {
  for (const [name, work] of Object.entries(works)) {
    test(`is told as such after four tries: ${name}`, async () => {
      const made = await withFile();
      await made.store.away();
      await assert.rejects(
        work(made.files),
        says(/^The bucket "media" at 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\.$/),
      );
      assert.deepEqual(made.rests.slice(0, 3), [1, 2, 3]);
      await tidy(made);
    });
  }

  test('and is used again once it is back, by whoever still waits', async () => {
    const made: Scene = await withFile({
      rest: () => (made.rests.length === 2 ? made.store.back() : Promise.resolve()),
    });
    await made.store.away();
    assert.equal((await made.files.find('a'))?.size, 4);
  });

  test('because it has no address', async () => {
    const { store } = await scene();
    const media = { ...store.media, endpoint: 'https://nowhere.invalid' };
    const files = createS3Files(media, store.keys, { patience: { ...patience, pause: async () => {} } });
    await assert.rejects(files.ping(), says(/cannot be reached \((ENOTFOUND|EAI_AGAIN)\)/));
  });

  test('because its certificate is not one to trust is not asked again', async () => {
    const { store, rests } = await scene();
    const server = createServer(certificateFor('s3.test'), (_, response) => response.end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const media = { ...store.media, endpoint: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const pause = async (attempt: number) => void rests.push(attempt);
    const files = createS3Files(media, store.keys, { patience: { ...patience, pause } });
    await assert.rejects(files.ping(), says(/has a certificate that is not trusted/)).finally(() => server.close());
    assert.deepEqual(rests, []);
  });
});

describe('A store that refuses', () => {
  const cases: readonly (readonly [
    name: string,
    says: RegExp,
    given: (store: S3Double) => Parameters<typeof createS3Files>,
  ])[] = [
    ['a wrong secret', /refuses the access key/, ({ media, keys }) => [media, { ...keys, secret: 'wrong' }]],
    ['a key it does not know', /refuses the access key/, ({ media, keys }) => [media, { ...keys, id: 'OTHER' }]],
    ['a bucket that is not there', /does not exist/, ({ media, keys }) => [{ ...media, bucket: 'absent' }, keys]],
    ['a clock that is wrong', /^The clock/, ({ media, keys }) => [media, keys, { now: () => new Date('2026-01-01') }]],
    [
      'another region',
      /in another region, us-east-1: add "region=…"/,
      ({ media, keys }) => [{ ...media, region: 'eu-west-1' }, keys],
    ],
  ];
  for (const [name, sentence, given] of cases) {
    test(`${name} is asked once`, async () => {
      const made = await withFile();
      const files = createS3Files(...given(made.store));
      await assert.rejects(files.ping(), says(sentence));
      await assert.rejects(files.put('b', text('x')), says(sentence));
      await assert.rejects(contentOf(files, 'a'), says(sentence));
      assert.equal(made.store.asked.length, 3);
      await tidy(made);
    });
  }

  test('because it is full is told as such', async () => {
    const made = await withFile();
    made.store.trouble({ answers: 507, code: 'InsufficientStorage' }, 1);
    await assert.rejects(made.files.put('b', text('x')), OutOfSpace);
    made.store.trouble({ answers: 403, code: 'QuotaExceeded' }, 1, (what) => what.includes('partNumber=2'));
    await assert.rejects(made.files.put('b', stream(20_000_000)), OutOfSpace);
    await tidy(made);
  });

  test('what the key may not do', async () => {
    const made = await withFile();
    made.store.trouble({ answers: 403, code: 'AccessDenied' }, 2);
    await assert.rejects(
      made.files.put('b', text('x')),
      says(/^The access key does not have the right to do this in the bucket "media"/),
    );
    await assert.rejects(made.files.find('a'), says(/^The access key does not have the right/));
    await tidy(made);
  });
});

describe('A store that stumbles', () => {
  const stumbles: readonly Trouble[] = [
    { answers: 500, code: 'InternalError' },
    { answers: 503, code: 'SlowDown' },
    { answers: 429, code: 'TooManyRequests' },
    'hangs up',
  ];
  for (const [name, work] of Object.entries(works)) {
    test(`three times is asked a fourth time, and nobody notices: ${name}`, async () => {
      for (const trouble of stumbles) {
        const made = await withFile();
        made.store.trouble(trouble, 3);
        await work(made.files);
        assert.deepEqual(made.rests, [1, 2, 3]);
        assert.equal(made.store.uploads.size, 0);
      }
    });

    test(`for good is told as such, and nothing half-done stays: ${name}`, async () => {
      const made = await withFile();
      made.store.trouble({ answers: 503, code: 'ServiceUnavailable' }, 100);
      await assert.rejects(work(made.files), says(/answers with an error \(503/));
      await tidy(made);
    });
  }

  test('in the third piece of a file is asked again for that piece', async () => {
    const made = await scene();
    made.store.trouble('hangs up', 2, (what) => what.includes('partNumber=3'));
    await made.files.put('large', stream(30_000_000));
    assert.equal(made.store.files.get('large')?.bytes.length, 30_000_000);
  });

  test('in the third piece for good leaves what was there, and no pieces', async () => {
    const made = await withFile();
    made.store.trouble({ answers: 500, code: 'InternalError' }, 4, (what) => what.includes('partNumber=3'));
    await assert.rejects(made.files.put('a', stream(60_000_000)), says(/answers with an error \(500 InternalError\)/));
    await tidy(made);
  });

  test('after a good beginning is not believed', async () => {
    const made = await scene();
    made.store.trouble({ admits: 'InternalError' }, 4, (what) => what.startsWith('POST') && what.includes('uploadId='));
    await assert.rejects(made.files.put('large', stream(9_000_000)), says(/answers with an error/));
  });

  test('when it should say that a file in pieces is whole: the file is found to be there', async () => {
    const made = await scene();
    made.store.trouble('forgets to answer', 1, (what) => what.startsWith('POST') && what.includes('uploadId='));
    assert.equal((await made.files.put('large', stream(20_000_000))).size, 20_000_000);
    assert.equal(made.store.files.get('large')?.bytes.length, 20_000_000);
  });

  test('and lost the pieces meanwhile: the file is not taken for kept', async () => {
    const made = await withFile();
    const { store, files } = made;
    store.trouble(
      { answers: 404, code: 'NoSuchUpload' },
      1,
      (what) => what.startsWith('POST') && what.includes('uploadId='),
    );
    await assert.rejects(files.put('a', stream(20_000_000)), says(/lost a file that was sent in parts/));
    await tidy(made);
  });

  test('between the two steps of a move leaves the file in both places, and moving it again mends that', async () => {
    const made = await withFile();
    made.store.trouble({ answers: 500, code: 'InternalError' }, 4, (what) => what === 'DELETE a');
    await assert.rejects(made.files.move('a', 'b'), says(/answers with an error/));
    assert.deepEqual([...made.store.files.keys()], ['a', 'b']);
    await made.files.move('a', 'b');
    assert.deepEqual([...made.store.files.keys()], ['b']);
  });
});
