import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { anObjectStore } from '#test/s3.ts';
import { readConfig } from '../../config.ts';
import type { Seen } from './check.ts';
import { files } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

const found = (media: string, keys = store.keys): Promise<Seen> =>
  files(
    readConfig({
      flags: { data: join(folder, 'data'), media },
      env: { AWS_ACCESS_KEY_ID: keys.id, AWS_SECRET_ACCESS_KEY: keys.secret },
    }),
  );

let store: Awaited<ReturnType<typeof anObjectStore>>;
before(async () => {
  store = await anObjectStore();
});
after(() => store.close());

test('a folder that can be written to is fine, and none is made', async () => {
  const path = join(folder, 'media');
  assert.deepEqual(await found(path), {
    state: 'ok',
    finding: `${path} will be created at the first start`,
  });
  assert.equal(existsSync(path), false);
  const there = mkdtempSync(join(folder, 'there-'));
  assert.deepEqual(await found(there), { state: 'ok', finding: `stored in ${there}` });
});

test('a file where the folder should be is wrong', async () => {
  const path = join(folder, 'file');
  writeFileSync(path, '');
  const { state, finding } = await found(path);
  assert.deepEqual([state, finding], ['wrong', `${path} is not a folder`]);
});

test('an object store that takes the key is fine, and nothing is written to it', async () => {
  const { state, finding } = await found(`s3://media/site?endpoint=${store.media.endpoint}`);
  assert.equal(state, 'ok');
  assert.match(finding, /^the bucket "media" at 127\.0\.0\.1:\d+ answers and accepts the access key$/);
  assert.equal(store.files.size, 0);
  assert.deepEqual(store.asked, ['GET ?list-type=2&max-keys=1&prefix=site%2F']);
});

test('one that does not, has no such bucket, or is away is wrong, and no key is told', async () => {
  const cases = [
    [
      await found(`s3://media?endpoint=${store.media.endpoint}`, { id: 'OTHER', secret: 'hidden' }),
      /refuses the access key/,
    ],
    [await found(`s3://absent?endpoint=${store.media.endpoint}`), /does not exist/],
    [await found('s3://media?endpoint=http://127.0.0.1:1'), /cannot be reached \(ECONNREFUSED\)/],
  ] as const;
  for (const [{ state, finding, remedy }, says] of cases) {
    assert.equal(state, 'wrong');
    assert.match(finding, says);
    assert.match(remedy ?? '', /GATEHOUSE_MEDIA/);
  }
  assert.doesNotMatch(JSON.stringify(cases), /hidden|wJalr/);
});
