// Files in an object store that is about to fail, and what must hold afterwards.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { Unavailable } from '#lib/failures.ts';
import type { Files } from '#site/files/files.ts';
import { createS3Files } from '#site/files/s3/s3.ts';
import { patience } from '#site/files/s3/wire.ts';
import { stream } from '#test/media.ts';
import { anObjectStore, type DoubleOptions, type S3Double } from '#test/s3.ts';

const opened: S3Double[] = [];
after(() => Promise.all(opened.map((store) => store.close())));

export interface Scene {
  readonly store: S3Double;
  readonly files: Files;
  /** How often it rested before another try. */
  readonly rests: number[];
}

export async function scene(
  options: DoubleOptions & { rest?: () => Promise<unknown>; now?: () => Date } = {},
): Promise<Scene> {
  const store = await anObjectStore(options);
  opened.push(store);
  const rests: number[] = [];
  const pause = async (attempt: number) => {
    rests.push(attempt);
    await options.rest?.();
  };
  const quick = { ...patience, first: 300, stall: 300, pause };
  return { store, rests, files: createS3Files(store.media, store.keys, { patience: quick }) };
}

/** That it is told as somebody else's fault, in one sentence, with no secret in it. */
export const says = (sentence: RegExp) => (error: Error) => {
  assert.ok(error instanceof Unavailable, String(error));
  assert.match(error.message, sentence);
  assert.match(error.message, /^[A-Z][^\n]*\.$/);
  for (const secret of ['wJalrXUtnFEMI', 'Signature=', 'X-Amz', '/K7MDENG'])
    assert.equal(error.message.includes(secret), false, error.message);
  return true;
};

export const text = (given: string): Buffer => Buffer.from(given);

/** Everything that can be asked of files. */
export const works: Readonly<Record<string, (files: Files) => Promise<unknown>>> = {
  ping: (files) => files.ping(),
  find: (files) => files.find('a'),
  open: (files) => files.open('a'),
  put: (files) => files.put('b', text('x')),
  'put in pieces': (files) => files.put('c', stream(9_000_000)),
  list: (files) => Array.fromAsync(files.list()),
  move: (files) => files.move('a', 'd'),
  erase: (files) => files.erase('a'),
};

export async function tidy({ store }: Scene): Promise<void> {
  assert.deepEqual([...store.files.keys()], ['a']);
  assert.equal(store.files.get('a')?.bytes.toString(), 'kept');
  assert.equal(store.uploads.size, 0);
}

export async function withFile(options?: Parameters<typeof scene>[0]): Promise<Scene> {
  const made = await scene(options);
  await made.files.put('a', text('kept'));
  made.store.asked.length = 0;
  return made;
}
