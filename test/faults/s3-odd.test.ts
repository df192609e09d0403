// An object store that answers, but not as it should: what that does to the files of a site.
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import type { Files, Range } from '#site/files/files.ts';
import { createS3Files } from '#site/files/s3/s3.ts';
import { patience } from '#site/files/s3/wire.ts';
import { aRemote } from '#test/remote.ts';
import { says, text, withFile, works } from './s3-scene.ts';

type Say = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

async function odd(say: Say) {
  const asked: string[] = [];
  const remote = await aRemote((request, response) => {
    const nth = asked.push(`${request.method} ${request.url}`) - 1;
    request.resume().once('end', () => say(request, response, nth));
  });
  after(() => remote.close());
  const media = { kind: 's3', bucket: 'media', prefix: '', endpoint: remote.url, region: 'us-east-1' } as const;
  const limits = { ...patience, first: 1000, stall: 1000, pause: async () => {} };
  return { asked, files: createS3Files(media, { id: 'id', secret: 'secret' }, { patience: limits }) };
}

const about = { etag: '"a"', 'last-modified': 'Fri, 20 Nov 2026 12:00:00 GMT' };
const digits = '0123456789';

async function contentOf(files: Files, range?: Range): Promise<string> {
  const opened = await files.open('a', range);
  return (await buffer(opened!.stream)).toString();
}

/** Sends `count` bytes of what is asked for at most, and says so. */
const sparing =
  (count: number): Say =>
  ({ headers }, response) => {
    const [, first = '0', end = '9'] = /^bytes=(\d+)-(\d+)$/.exec(String(headers.range)) ?? [];
    const last = Math.min(Number(end), Number(first) + count - 1, 9);
    const range = { 'content-range': `bytes ${first}-${last}/10` };
    response.writeHead(206, { ...about, ...range }).end(digits.slice(Number(first), last + 1));
  };

const part =
  (range: string, bytes: string, headers: Record<string, string> = {}): Say =>
  (_, response) =>
    void response.writeHead(206, { ...about, 'content-range': range, ...headers }).end(bytes);

describe('A part of a file', () => {
  test('that comes in less than was asked for is read on until it is whole', async () => {
    const { files, asked } = await odd(sparing(4));
    assert.equal(await contentOf(files, { first: 0, last: 9 }), digits);
    assert.equal(await contentOf(files, { first: 3, last: 7 }), '34567');
    assert.equal(await contentOf(files, { first: 8, last: 100 }), '89');
    assert.equal(asked.length, 3 + 2 + 1);
  });

  for (const [name, say] of [
    ['longer than was asked for', part('bytes 0-9/10', digits)],
    ['longer than it says', part('bytes 0-3/10', '01234567', { 'content-length': '8' })],
    ['shorter than it says', part('bytes 0-3/10', '01', { 'content-length': '2' })],
    ['of another place', part('bytes 1-4/10', '1234')],
    ['of no size', part('bytes 0-3/*', '0123')],
    ['beyond the end', part('bytes 0-3/2', '0123')],
    ['the wrong way round', part('bytes 3-0/10', '0123')],
  ] as const) {
    test(`that is ${name} is refused`, async () => {
      const { files } = await odd(say);
      await assert.rejects(contentOf(files, { first: 0, last: 3 }), says(/something other than the requested file/));
    });
  }

  test('that goes on and on is broken off', async () => {
    const say = part('bytes 0-3/10', digits.repeat(10), { 'transfer-encoding': 'chunked' });
    const { files } = await odd(say);
    await assert.rejects(contentOf(files, { first: 0, last: 3 }), says(/sends more bytes than requested/));
  });
});

describe('A file whose answer breaks off', () => {
  const breaking =
    (tag: string, then: Say): Say =>
    (request, response, nth) => {
      if (nth > 0) return then(request, response, nth);
      response.writeHead(200, { ...about, etag: tag, 'content-length': 10 });
      response.write('01234', () => response.destroy());
    };

  test('is read on where its tag is a weak one, which is not asked with', async () => {
    const then: Say = (request, response) => {
      if (request.headers['if-match'] !== undefined) return void response.writeHead(412).end();
      response.writeHead(206, { ...about, etag: 'W/"a"', 'content-range': 'bytes 5-9/10' }).end('56789');
    };
    assert.equal(await contentOf((await odd(breaking('W/"a"', then))).files), digits);
  });

  for (const [name, then] of [
    ['tag', part('bytes 5-9/10', 'vwxyz', { etag: '"b"' })],
    ['size', part('bytes 5-9/11', 'vwxyz')],
  ] as const) {
    test(`and goes on with another ${name} was replaced, even where the store takes no notice`, async () => {
      await assert.rejects(contentOf((await odd(breaking('"a"', then))).files), says(/was replaced while it was read/));
    });
  }
});

test('A file without a date is not opened', async () => {
  const { files } = await odd((_, response) => void response.writeHead(200, { etag: '"a"' }).end(digits));
  await assert.rejects(
    files.open('a'),
    says(/gives no details of an existing file|something other than the requested file/),
  );
  const sized = await odd((_, response) => void response.writeHead(200, { 'content-length': 10 }).end(digits));
  await assert.rejects(sized.files.open('a'), says(/gives no details of an existing file/));
});

describe('A bucket that is not there', () => {
  for (const [name, work] of Object.entries(works)) {
    test(`is never one without the file: ${name}`, async () => {
      const { store } = await withFile();
      const files = createS3Files({ ...store.media, bucket: 'absent' }, store.keys);
      await assert.rejects(work(files), says(/^The bucket "absent" at .* does not exist\.$/));
    });
  }

  test('and one that may not be looked at may have no such file', async () => {
    const { files } = await odd((request, response) => response.writeHead(request.url === '/media/' ? 403 : 404).end());
    assert.deepEqual([await files.find('a'), await files.erase('a')], [undefined, false]);
  });
});

describe('A file that is sent in pieces', () => {
  const piece = '0'.repeat(32);
  /** `finish` is said when all pieces are there. */
  const taking =
    (tag: string | undefined, finish: string, there: Say): Say =>
    (request, response, nth) => {
      const { method, url = '' } = request;
      if (method === 'HEAD') return there(request, response, nth);
      if (url.includes('uploads')) return void response.end('<R><UploadId>1</UploadId></R>');
      if (method === 'POST') return void response.end(finish);
      response.writeHead(200, tag === undefined ? {} : { etag: tag }).end();
    };
  const absent: Say = (request, response) => void response.writeHead(request.url === '/media/' ? 200 : 404).end();
  const large = text('x'.repeat(9_000_000));

  test('is given up where the store does not say what became of one', async () => {
    const { files, asked } = await odd(taking(undefined, '', absent));
    await assert.rejects(files.put('a', large), says(/does not confirm a part/));
    assert.ok(asked.at(-1)?.startsWith('DELETE '));
  });

  for (const finish of ['', '<html>Please sign in to this network</html>']) {
    test(`is there only if it is found, where the end is answered with "${finish}"`, async () => {
      await assert.rejects(
        (await odd(taking(`"${piece}"`, finish, absent))).files.put('a', large),
        says(/lost a file that was sent in parts/),
      );
      // The digest of two pieces whose digests are zeros.
      const tag = '"70bc8f4b72a86921468bf8e8441dce51-2"';
      const there: Say = (_, response) => void response.writeHead(200, { ...about, etag: tag }).end();
      assert.equal((await (await odd(taking(`"${piece}"`, finish, there))).files.put('a', large)).size, large.length);
    });
  }
});

test('A listing out of the order of the names is told, and no backup is made of it', async () => {
  const contents = ['a/b', 'a.txt'].map(
    (key) => `<Contents><Key>${key}</Key><Size>1</Size><LastModified>2026-11-20T12:00:00Z</LastModified></Contents>`,
  );
  const page = `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
  const { files } = await odd((_, response) => void response.end(page));
  await assert.rejects(Array.fromAsync(files.list()), says(/does not list its files sorted by name/));
});

test('A listing that always goes on, with nothing in it, comes to an end', async () => {
  const page = (nth: number) =>
    `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${nth}</NextContinuationToken></ListBucketResult>`;
  const { files, asked } = await odd((_, response, nth) => void response.end(page(nth)));
  await assert.rejects(Array.fromAsync(files.list()), says(/lists the same files again/));
  assert.equal(asked.length, 101);
  const last = '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>';
  const sparse = await odd((_, response, nth) => void response.end(nth < 50 ? page(nth) : last));
  assert.deepEqual(await Array.fromAsync(sparse.files.list()), []);
});
