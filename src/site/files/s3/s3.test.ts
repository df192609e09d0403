import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { filesSuite } from '#test/files-suite.ts';
import { contentOf, stream } from '#test/media.ts';
import { checkRows } from '#test/rows.ts';
import { anObjectStore, type DoubleOptions, type S3Double } from '#test/s3.ts';
import { addressOf } from './address.ts';
import { createS3Files } from './s3.ts';
import { elements, errorCode, field } from './wire.ts';

const open: S3Double[] = [];
after(() => Promise.all(open.map((store) => store.close())));

async function aStore(options?: DoubleOptions): Promise<S3Double> {
  const store = await anObjectStore(options);
  open.push(store);
  return store;
}

describe('Files in an object store', () =>
  filesSuite(async () => {
    const { media, keys } = await aStore();
    return createS3Files({ ...media, prefix: 'site/media' }, keys);
  }));

describe('An object store', () => {
  let store: S3Double;
  before(async () => {
    store = await aStore();
  });

  test('keeps files under the prefix that was given, with their type', async () => {
    const files = createS3Files({ ...store.media, prefix: 'a/b' }, store.keys);
    await files.put('c.png', Buffer.from('x'), { type: 'image/png' });
    await files.put('d', Buffer.from('x'), { type: 'no\r\nheader' });
    assert.deepEqual(
      [store.files.get('a/b/c.png')?.type, store.files.get('a/b/d')?.type],
      ['image/png', 'application/octet-stream'],
    );
  });

  test('may hold what is not ours: none of it is listed', async () => {
    const { media, keys, files: kept } = await aStore();
    const files = createS3Files({ ...media, prefix: 'site' }, keys);
    await files.put('ours', Buffer.from('x'));
    const foreign = ['site/', 'site/folder/', 'site/../x', 'site//x', 'other/x', 'sitemap', 'site/.unfinished/x'];
    for (const key of foreign) kept.set(key, kept.get('site/ours')!);
    const listed = await Array.fromAsync(files.list(), ({ path }) => path);
    assert.deepEqual(listed, ['ours']);
  });

  test('is asked page after page', async () => {
    const { media, keys, asked } = await aStore();
    const files = createS3Files(media, keys);
    for (let n = 0; n < 16; n += 1) await files.put(`n ${n}`, Buffer.from(''));
    assert.equal((await Array.fromAsync(files.list())).length, 16);
    assert.equal(asked.filter((what) => what.includes('list-type=2')).length, 3);
  });

  test('gets a large file in equal pieces, two at a time, and holds no pieces afterwards', async () => {
    const { media, keys, asked, uploads, files: kept } = await aStore();
    const files = createS3Files(media, keys);
    await files.put('large', stream(25_000_000));
    assert.equal(asked.filter((what) => what.includes('partNumber=')).length, 3);
    assert.equal(kept.get('large')?.bytes.length, 25_000_000);
    const failing = async function* () {
      yield* stream(20_000_000);
      throw new Error('gone');
    };
    await assert.rejects(files.put('other', failing()), /gone/);
    assert.equal(uploads.size, 0);
    assert.equal(kept.has('other'), false);
  });

  test('gets a file that fits one piece without more ado', async () => {
    const { media, keys, asked } = await aStore();
    await createS3Files(media, keys).put('one', stream(8 * 1024 ** 2));
    assert.deepEqual(asked, ['PUT one']);
  });

  test('shows the same to two processes', async () => {
    const [one, two] = [createS3Files(store.media, store.keys), createS3Files(store.media, store.keys)];
    await one.put('seen', Buffer.from('by both'));
    assert.equal(await contentOf(two, 'seen'), 'by both');
  });
});

describe('A copy that the store says nothing about', () => {
  const silentAbout = (store: S3Double, key: string, says = '') =>
    store.trouble({ says }, 1, (what) => what === `PUT ${key}`);
  const same = Buffer.from('the only copy');
  const refused = { name: 'Unavailable', message: /does not confirm that it copied a file\.$/ };

  test('loses nothing, whatever was there before', () =>
    checkRows(
      [
        ['nothing', undefined],
        ['a file of the same length', 'another copy!'],
        ['another file', 'x'],
      ] as const,
      async ([, there]) => {
        const store = await aStore();
        const files = createS3Files(store.media, store.keys);
        if (there !== undefined) await files.put('b', Buffer.from(there));
        await files.put('a', same);
        silentAbout(store, 'b', '<html>Welcome</html>');
        await assert.rejects(files.move('a', 'b'), refused);
        assert.deepEqual([await contentOf(files, 'a'), await contentOf(files, 'b')], [same.toString(), there]);
        await files.move('a', 'b');
        assert.deepEqual([await contentOf(files, 'a'), await contentOf(files, 'b')], [undefined, same.toString()]);
      },
    ));

  test('is believed where the same is in both places', async () => {
    const store = await aStore();
    const files = createS3Files(store.media, store.keys);
    for (const path of ['a', 'b']) await files.put(path, same);
    silentAbout(store, 'b');
    await files.move('a', 'b');
    assert.deepEqual([...store.files.keys()], ['b']);
  });

  test('is not taken for a file in its place', async () => {
    const store = await aStore();
    const aside = createS3Files(store.media, store.keys).aside('many');
    await aside.put('a', same);
    silentAbout(store, 'a');
    await assert.rejects(aside.place(), refused);
    assert.deepEqual([...store.files.keys()], ['.unfinished/many/a']);
  });
});

describe('Files put aside in an object store', () => {
  test('may have the longest path under the longest prefix', async () => {
    const { media, keys, files: kept } = await aStore();
    const files = createS3Files({ ...media, prefix: 'p'.repeat(60) }, keys);
    const aside = files.aside('n'.repeat(50));
    const path = Array.from({ length: 9 }, () => 'y'.repeat(99)).join('/');
    await aside.put(`${path}z`, Buffer.from('x'));
    assert.deepEqual(
      [...kept.keys()].map((key) => Buffer.byteLength(key)),
      [1024],
    );
    await aside.place();
    await aside.clear();
    assert.deepEqual([...kept.keys()], [`${'p'.repeat(60)}/${path}z`]);
  });

  test('and left there for a day are cleared away with the next', async () => {
    let time = Date.parse('2026-11-20T12:00:00Z');
    const now = () => new Date(time);
    const { media, keys, files: kept } = await aStore({ now });
    const files = createS3Files({ ...media, prefix: 'site' }, keys, { now });
    const longest = Array.from({ length: 9 }, () => 'y'.repeat(99)).join('/');
    for (const path of ['a', longest]) await files.aside('many').put(path, Buffer.from('x'));
    await files.put('ours', Buffer.from('x'));
    const others = ['.unfinished/many/a', 'site/.unfinished/../ours', 'site/.unfinished/many/../../ours'];
    for (const key of others) kept.set(key, kept.get('site/ours')!);
    const leftAfter = async (hours: number) => {
      time += hours * 60 * 60 * 1000;
      await files.aside('other').put('b', Buffer.from('x'));
      await files.aside('other').clear();
      return [...kept.keys()].filter((key) => !others.includes(key));
    };
    const left = ['site/.unfinished/many/a', `site/.unfinished/many/${longest}`, 'site/ours'];
    assert.deepEqual(await leftAfter(23), left);
    assert.deepEqual(await leftAfter(2), ['site/ours']);
    assert.equal(kept.size, 1 + others.length);
  });
});

describe('The address of a bucket', () => {
  const at = (endpoint: string, bucket = 'media') =>
    addressOf({ kind: 's3', bucket, prefix: 'p', endpoint, region: 'eu-west-1' }).file('a b/c+d').href;
  test('is a host of its own at Amazon, and a folder anywhere else', () => {
    assert.equal(at('https://s3.eu-west-1.amazonaws.com'), 'https://media.s3.eu-west-1.amazonaws.com/p/a%20b/c%2Bd');
    assert.equal(
      at('https://s3.eu-west-1.amazonaws.com', 'my.media'),
      'https://s3.eu-west-1.amazonaws.com/my.media/p/a%20b/c%2Bd',
    );
    assert.equal(at('http://127.0.0.1:9000'), 'http://127.0.0.1:9000/media/p/a%20b/c%2Bd');
    assert.equal(at('https://example.org/s3'), 'https://example.org/s3/media/p/a%20b/c%2Bd');
    assert.equal(at('https://amazonaws.com.example.org'), 'https://amazonaws.com.example.org/media/p/a%20b/c%2Bd');
  });
});

describe('What an object store says in XML', () => {
  test('is read without being obeyed', () => {
    const hostile =
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><R><Key>&e;&amp;&#65;&#x42;&lt;&#1114112;</Key></R>';
    assert.equal(field(hostile, 'Key'), '&e;&AB<&#1114112;');
    assert.equal(field('<R><Key><b>x</b></Key></R>', 'Key'), undefined);
    assert.equal(field('<R><Key>cut of', 'Key'), undefined);
    assert.deepEqual([...elements('<A>1</A><A>2</A><A>3', 'A')], ['1', '2']);
    assert.equal(errorCode('<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'), 'SlowDown');
    assert.equal(errorCode('<ListBucketResult></ListBucketResult>'), undefined);
  });
});
