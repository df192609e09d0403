import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { hour } from '#lib/spans.ts';
import { testEngine } from '#test/databases.ts';
import { testRows } from '#test/rows.ts';
import { aSite, noon, type TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { describeAsync } from '#test/suites.ts';
import { taking } from '#test/taking.ts';
import { speak, written } from '#test/wire.ts';

const files = '/api/taking/v1/files';
const line = `POST ${files} HTTP/1.1`;
const named = { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename="a.jpg"' };
const bytes = Buffer.alloc(300_000, 'abc');
const sum = createHash('md5').update(bytes).digest('hex');
const boundary = { 'content-type': 'multipart/form-data; boundary=b' };

type Part = readonly [name: string, value: string | Buffer, file?: string];

const form = (...parts: Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([name, value, file]) => [
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n\r\n`,
      ),
      Buffer.from(value as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ]);

const aside = ({ config }: TestSite): string[] => {
  const folder = join(config.data, 'arriving');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describeAsync('A file that is uploaded', async () => {
  const site = await aSite(testEngine('sqlite'), {
    extensions: [taking],
    env: { GATEHOUSE_UPLOAD_LIMIT: '500000' },
    limits: { bodiesTogether: 9_000_000 },
  });
  const author = site.as('author');
  const credentials = async () => `Authorization: ${(await site.credentials('author')).authorization}`;
  afterEach(() => assert.deepEqual(aside(site), [], 'nothing is left'));

  test('comes as the body itself, with its arguments in the query', async () => {
    const { body } = await author.post(`${files}?word=x&number=5`, bytes, named);
    assert.deepEqual(body, { name: 'a.jpg', size: bytes.length, inForm: false, sum, word: 'x', number: 5 });
  });

  const inForms: readonly (readonly [where: string, body: Buffer])[] = [
    ['first', form(['file', bytes, 'b.jpg'], ['word', 'x'], ['number', '5'])],
    ['last', form(['word', 'x'], ['number', '5'], ['file', bytes, 'b.jpg'])],
    ['under another name', form(['picture', bytes, 'b.jpg'], ['word', 'x'], ['number', '5'])],
    ['behind another', form(['more', 'abc', 'c.txt'], ['word', 'x'], ['number', '5'], ['file', bytes, 'b.jpg'])],
    ['before another', form(['file', bytes, 'b.jpg'], ['word', 'x'], ['number', '5'], ['file', 'abc', 'c.txt'])],
  ];
  testRows('comes in a form, with the file anywhere in it', inForms, async ([, body]) => {
    const answer = await author.post(files, body, boundary);
    assert.deepEqual(answer.body, { name: 'b.jpg', size: bytes.length, inForm: true, sum, word: 'x', number: 5 });
  });

  test('is not kept where what it is for is not there', async () => {
    const answer = await author.post('/api/taking/v1/shelves/7/files', bytes, named);
    assert.deepEqual([answer.status, answer.body.code], [404, 'no_shelf']);
  });

  const refused: readonly (readonly [
    what: string,
    body: string | Buffer,
    headers: object,
    status: number,
    code: string,
  ])[] = [
    ['nothing', '', named, 400, 'rest_upload_no_data'],
    ['nothing in a form', form(['word', 'x']), boundary, 400, 'rest_upload_no_data'],
    ['an empty file in a form', form(['file', '', 'a.jpg']), boundary, 400, 'rest_upload_no_data'],
    ['no name', bytes, { 'content-type': 'image/jpeg' }, 400, 'rest_upload_no_content_disposition'],
    [
      'a form without parts',
      'title=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
      400,
      'rest_upload_no_content_disposition',
    ],
    ['no file name', bytes, { 'content-disposition': 'attachment; name="a"' }, 400, 'rest_upload_invalid_disposition'],
    ['another file', bytes, { ...named, 'content-md5': '0'.repeat(32) }, 412, 'rest_upload_hash_mismatch'],
    [
      'another file in a form',
      form(['file', bytes, 'a']),
      { ...boundary, 'content-md5': 'x' },
      412,
      'rest_upload_hash_mismatch',
    ],
    ['too much', Buffer.alloc(500_001), named, 413, 'rest_upload_file_too_big'],
    ['too much in a form', form(['file', Buffer.alloc(500_001), 'a.jpg']), boundary, 413, 'rest_upload_file_too_big'],
    ['a compressed body', bytes, { ...named, 'content-encoding': 'gzip' }, 415, 'rest_unsupported_encoding'],
    ['a form that breaks off', form(['file', bytes, 'a.jpg']).subarray(0, -9), boundary, 400, 'rest_body_incomplete'],
    ['a form without a boundary', bytes, { 'content-type': 'multipart/form-data' }, 400, 'rest_body_incomplete'],
  ];
  testRows('is refused', refused, async ([, body, headers, status, code]) => {
    const answer = await author.post(files, body, headers as Record<string, string>);
    assert.deepEqual([answer.status, answer.body.code], [status, code]);
    assert.equal(answer.headers.get('allow'), 'POST');
  });

  test('has the sum it was announced with, in capitals or not', async () => {
    assert.equal((await author.post(files, bytes, { ...named, 'content-md5': sum.toUpperCase() })).status, 200);
  });

  test('is gone, too, when an argument is wrong, leave is refused or the handler fails', async () => {
    const codes: string[] = [];
    for (const query of ['number=x', 'word=forbidden', 'fails=kindly', 'fails=badly'])
      codes.push((await author.post(`${files}?${query}`, bytes, named)).body.code);
    assert.deepEqual(codes, ['rest_invalid_param', 'rest_cannot_edit', 'refused', 'rest_internal_error']);
    site.log.lines.length = 0;
  });

  test('is not taken from somebody who may not send it: they are told before a byte of it is read', async () => {
    const head = written(line, [
      'Host: x',
      'Content-Length: 400000',
      'Content-Disposition: attachment; filename=a.jpg',
    ]);
    const heard = await speak(site.port, [head]);
    assert.deepEqual([heard.statuses, heard.body.code], [[401], 'rest_cannot_create']);
  });

  test('is asked for only once leave is given, where the client waits for that', async () => {
    const head = (who: string) =>
      written(line, [
        who,
        'Host: x',
        'Expect: 100-continue',
        'Content-Length: 3',
        'Content-Disposition: a; filename=a.txt',
        'Connection: close',
      ]);
    const stranger = await speak(site.port, [head('X-Nobody: 1')]);
    assert.deepEqual(stranger.statuses, [401]);
    const known = await speak(site.port, [head(await credentials()), { heard: /100 Continue/ }, 'abc']);
    assert.deepEqual(known.statuses, [100, 200]);
  });

  const pieces = async (...lines: string[]): Promise<string> =>
    written(line, ['Host: x', await credentials(), 'Content-Disposition: attachment; filename=a.jpg', ...lines]);

  test('that is stopped leaves nothing', async () => {
    const arriving = () => soon(async () => aside(site).length, 1);
    await speak(site.port, [await pieces('Content-Length: 400000'), bytes.subarray(0, 100_000), arriving], {
      cut: true,
    });
    await soon(async () => aside(site).length, 0);
    const part = form(['file', bytes, 'a.jpg']).subarray(0, 100_000);
    const head = written(line, [
      'Host: x',
      await credentials(),
      `Content-Type: ${boundary['content-type']}`,
      'Content-Length: 400000',
    ]);
    await speak(site.port, [head, part, arriving], { cut: true });
    await soon(async () => aside(site).length, 0);
  });

  test('that turns out too large is refused while it still comes, and the refusal can be read', async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const headers = { ...named, 'transfer-encoding': 'chunked' };
      const sent = request({ port: site.port, host: '127.0.0.1', method: 'POST', path: files, headers }, (got) => {
        got.resume().on('end', () => resolve(got.statusCode ?? 0));
      });
      sent.on('error', reject);
      credentials().then((value) => {
        sent.setHeader('authorization', value.slice('Authorization: '.length));
        for (let at = 0; at < 30; at++) sent.write(Buffer.alloc(100_000));
        sent.end();
      }, reject);
    });
    assert.equal(answer, 413);
  });

  test('may have fields beside it, of 8 MiB together, however small each one is', async () => {
    const value = 'x'.repeat(10_000);
    const beside = (many: number) =>
      form(...Array.from({ length: many }, (): Part => ['more', value]), ['file', 'abc', 'a.jpg']);
    assert.equal((await author.post(files, beside(830), boundary)).status, 200);
    const { status, body } = await author.post(files, beside(845), boundary);
    assert.deepEqual([status, body.code], [413, 'rest_body_too_large']);
  });

  test('gives back what its fields took of the memory of all bodies, taken or refused', async () => {
    const word = 'x'.repeat(5_000_000);
    for (let sent = 0; sent < 3; sent++)
      for (const [number, status] of [
        ['5', 200],
        ['x', 400],
      ] as const) {
        const answer = await author.post(
          files,
          form(['word', word], ['number', number], ['file', bytes, 'a.jpg']),
          boundary,
        );
        assert.equal(answer.status, status);
      }
  });

  test('is no part of a batch', async () => {
    const { body } = await author.post('/api/batch/v1', { requests: [{ path: '/taking/v1/files' }] });
    assert.equal(body.responses[0].body.code, 'rest_batch_not_allowed');
  });

  test('is read as fields by a route that takes none', async () => {
    const { body } = await author.post('/api/taking/v1/pages', form(['word', 'x'], ['file', bytes, 'a.jpg']), boundary);
    assert.deepEqual(body, { word: 'x' });
  });
});

test('What a process left that was killed goes when the next file comes, and what another still writes stays', async (t) => {
  await t.test('after two hours', async () => {
    const engine = testEngine('sqlite');
    const site = await aSite(engine, { extensions: [taking] });
    const folder = join(site.config.data, 'arriving');
    await mkdir(folder);
    for (const [name, age] of [
      ['left', 3 * hour],
      ['young', hour],
    ] as const) {
      writeFileSync(join(folder, name), 'abc');
      const at = new Date(noon.getTime() - age);
      utimesSync(join(folder, name), at, at);
    }
    assert.equal((await site.as('author').post(files, bytes, named)).status, 200);
    assert.deepEqual(aside(site), ['young']);
  });
});
