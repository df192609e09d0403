// A picture that there is in several types: who gets which, and what caches are told.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { type FileHouse, sendFile } from './files.ts';

const modified = new Date('2026-11-20T12:00:00Z');
const gone = new Set<string>();
const form = (type: string, text: string) => ({
  size: text.length,
  modified,
  type,
  open: async ({ first, last } = { first: 0, last: text.length - 1 }) =>
    gone.has(type) ? undefined : Readable.from([Buffer.from(text.slice(first, last + 1))]),
});

const house: FileHouse = {
  base: 'uploads',
  find: async (path) =>
    path === 'plain.jpg'
      ? form('image/jpeg', 'plain')
      : { ...form('image/jpeg', 'jpeg'), variants: [form('image/avif', 'avif'), form('image/webp', 'webp')] },
};

describe('A picture with variants', () => {
  const server = createServer((message, response) => {
    void sendFile(house, { message, response, path: message.url!.slice(1), id: 'one' });
  });
  let url = '';
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  const get = async (accept: string, more: Record<string, string> = {}, path = '/a.jpg') => {
    const answer = await fetch(`${url}${path}`, { headers: { accept, ...more } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  const choices: readonly (readonly [accept: string, type: string])[] = [
    ['image/avif,image/webp,*/*;q=0.8', 'image/avif'],
    ['image/webp,image/*', 'image/webp'],
    ['image/avif;q=0,image/webp', 'image/webp'],
    ['IMAGE/AVIF', 'image/avif'],
    ['*/*', 'image/jpeg'],
    ['image/*', 'image/jpeg'],
    ['', 'image/jpeg'],
  ];
  test('goes out in the type that the client accepts', () =>
    checkRows(choices, async ([accept, type]) => {
      const { status, headers, text } = await get(accept);
      assert.deepEqual([status, headers.get('content-type'), text], [200, type, type.slice('image/'.length)]);
      assert.equal(headers.get('vary'), 'Accept');
    }));

  test('has another tag in each type, and says in every answer what it varies by', async () => {
    const [avif, jpeg] = [await get('image/avif'), await get('*/*')];
    const tag = avif.headers.get('etag')!;
    assert.notEqual(tag, jpeg.headers.get('etag'));
    const answers = [
      await get('image/avif', { 'if-none-match': tag }),
      await get('image/avif', { 'if-match': jpeg.headers.get('etag')! }),
      await get('image/avif', { range: 'bytes=0-1' }),
      await get('image/avif', { range: 'bytes=9-' }),
    ];
    assert.deepEqual(
      answers.map(({ status, headers, text }) => [status, headers.get('vary'), text]),
      [
        [304, 'Accept', ''],
        [412, 'Accept', ''],
        [206, 'Accept', 'av'],
        [416, 'Accept', ''],
      ],
    );
    assert.equal((await get('*/*', { 'if-none-match': tag })).status, 200);
  });

  test('goes out as it was uploaded when the variant is gone', async () => {
    gone.add('image/avif');
    const { status, text } = await get('image/avif');
    gone.clear();
    assert.deepEqual([status, text], [200, 'jpeg']);
  });

  test('that has none varies by nothing', async () => {
    const { headers, text } = await get('image/avif', {}, '/plain.jpg');
    assert.deepEqual([headers.get('vary'), text], [null, 'plain']);
  });
});
