// An object store that breaks off, is slow, or is sent very much: what that does to the files of a site.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

import { type Scene, says, scene, text, tidy, withFile } from './s3-scene.ts';

describe('An answer that breaks off', () => {
  const body = Buffer.concat([Buffer.alloc(700_000, 'a'), Buffer.alloc(700_000, 'b')]);
  const large = async () => {
    const made = await scene();
    await made.files.put('large', body);
    return made;
  };

  for (const trouble of ['truncates', 'stalls'] as const) {
    test(`is read on from there: ${trouble}`, async () => {
      const { store, files } = await large();
      store.trouble(trouble, 3, (what) => what === 'GET large');
      const whole = await files.open('large');
      assert.ok((await buffer(whole!.stream)).equals(body));
      store.trouble(trouble, 2, (what) => what === 'GET large');
      const part = await files.open('large', { first: 600_000, last: 800_000 });
      assert.ok((await buffer(part!.stream)).equals(body.subarray(600_000, 800_001)));
    });
  }

  test('without a single byte, again and again, is an error to the reader', async () => {
    const { store, files } = await large();
    const whole = await files.open('large', { first: 5, last: 5 });
    assert.equal((await buffer(whole!.stream)).length, 1);
    store.trouble('truncates', 100, (what) => what === 'GET large');
    const one = await files.open('large', { first: 5, last: 5 });
    await assert.rejects(buffer(one!.stream), says(/closed the connection/));
  });

  test('and whose file was replaced meanwhile is an error, never half of each', async () => {
    const made: Scene = await scene({
      rest: async () => void made.store.files.set('large', { ...made.store.files.get('large')!, tag: '"another"' }),
    });
    await made.files.put('large', body);
    made.store.trouble('truncates', 1);
    const { stream: reading } = (await made.files.open('large'))!;
    await assert.rejects(buffer(reading), says(/^A file in the bucket "media" at .* was replaced while it was read/));
  });

  test('in a listing is asked for again', async () => {
    const { store, files, rests } = await large();
    store.trouble('truncates', 2, (what) => what.includes('list-type'));
    assert.equal((await Array.fromAsync(files.list())).length, 1);
    assert.equal(rests.length, 2);
    store.trouble('truncates', 100, (what) => what.includes('list-type'));
    await assert.rejects(Array.fromAsync(files.list()), says(/closed the connection/));
  });
});

test('An answer that is something else is not taken for a list without files', async () => {
  const list = (inside: string) => `<ListBucketResult><EncodingType>url</EncodingType>${inside}</ListBucketResult>`;
  const entry = (key: string, size: string, modified: string) =>
    list(`<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${modified}</LastModified></Contents>`);
  const answers = [
    '',
    '<html>Please sign in to this network</html>',
    list('<IsTruncated>true</IsTruncated>'),
    entry('%E0%A4%A', '1', '2026-11-20T12:00:00.000Z'),
    entry('a', '', '2026-11-20T12:00:00.000Z'),
    entry('a', '-', '2026-11-20T12:00:00.000Z'),
    entry('a', '1', 'yesterday'),
  ];
  const { store, files } = await scene();
  for (const answer of answers) {
    store.trouble({ says: answer }, 1);
    await assert.rejects(
      Array.fromAsync(files.list()),
      says(/answers with something other than a list of files/),
      answer,
    );
  }
  const again = list('<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>');
  store.trouble({ says: again }, 2);
  await assert.rejects(Array.fromAsync(files.list()), says(/lists the same files again/));
});

describe('A store that is slow', () => {
  test('is waited for so long and no longer, and asked again', async () => {
    const made = await withFile();
    made.store.trouble('silent', 4);
    await assert.rejects(made.files.put('b', text('x')), says(/does not answer within the time limit/));
    await tidy(made);
    made.store.trouble('silent', 1);
    assert.equal((await made.files.find('a'))?.size, 4);
  });
});

test('memory stays flat while 400 MB go to the store and come back', async () => {
  const { store } = await scene();
  const program = join(import.meta.dirname, 's3-large.ts');
  const given = JSON.stringify({ media: store.media, keys: store.keys, megabytes: 400 });
  const { stdout } = await promisify(execFile)(process.execPath, [program, given]);
  const { read, grownBy } = JSON.parse(stdout) as { read: number; grownBy: number };
  assert.equal(read, 400 * 1024 ** 2);
  assert.ok(grownBy < 150 * 1024 ** 2, `it took ${Math.round(grownBy / 1024 ** 2)} MB`);
});
