// What people with bad intentions, bad lines or bad disks send as files: refused by its name or cleaned, and nothing is left of what
// was refused, not on the disk and not in the store.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { avif, coded, grid, sized, turned } from '#test/avif.ts';
import { eachEngine } from '#test/databases.ts';
import { bomb, moving, noisy, picture } from '#test/pictures.ts';
import { type Answer, aSite, type TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { fetched, kept, known, left, media, nothing, send } from '#test/uploads.ts';
import { type Manner, type Piece, speak, written } from '#test/wire.ts';

type Bytes = Buffer | string | Promise<Buffer>;

const part = (field: string, name: string, bytes: Uint8Array | string): Buffer =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n`),
    Buffer.from(bytes as string),
    Buffer.from('\r\n'),
  ]);

const formed = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from('--b--\r\n')]);

const inForm = (site: TestSite, body: Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
  site.as('author').post(media, body, { 'content-type': 'multipart/form-data; boundary=b', ...headers });

const half = async (bytes: Promise<Buffer>): Promise<Buffer> => (await bytes).subarray(0, (await bytes).length / 2);
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const page = '<!doctype html><html><script>alert(1)</script></html>';
const php = '<?php system($_GET["x"]);';
/** What looks like the beginning of a box file is the length, and only then the brand. */
const disguised = (brand: string) => `<!--ftyp${brand}-->${svg}`;
/** With a length and brands as such files have them. */
const boxed = Buffer.concat([Buffer.from('00000010', 'hex'), Buffer.from(`ftypavif<!---->${svg}`)]);
const raw = 'rest_upload_sideload_error';
const form = 'rest_upload_unknown_error';

/** Refused as the body itself and as a part of a form. */
const bad: readonly (readonly [what: string, name: string, bytes: Bytes, status?: number, code?: string])[] = [
  ['a picture of noise', 'a.jpg', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(5_000, 'x')])],
  ['a picture without an end', 'a.png', half(picture(400, 300, 'png'))],
  ['half of a photo', 'a.jpg', half(noisy(600, 400))],
  ['half of a small photo', 'a.jpg', half(noisy(120, 100))],
  ['half of a picture of another kind', 'a.webp', half(picture(600, 400, 'webp'))],
  ['a page that calls itself a photo', 'a.jpg', page],
  ['a page', 'a.html', page],
  ['a page by another ending', 'a.xhtml', page],
  ['a script', 'a.js', 'alert(1)'],
  ['a program of the server', 'a.php', php],
  ['the same in capitals', 'A.PHTML', php],
  ['the same as a photo', 'a.jpg', php],
  ['settings of a server', '.htaccess', 'AddType application/x-httpd-php .jpg'],
  ['a photo by the name of a program', 'a.php', picture(10, 10)],
  ['a program of Windows', 'a.exe', 'MZ\x90\0'],
  ['the same as text', 'a.txt', 'MZ\x90\0'],
  ['a program of Linux', 'a.zip', '\x7fELF\x02\x01\x01'],
  ['a drawing', 'a.svg', svg],
  ['a drawing as a picture', 'a.png', svg],
  ['a drawing behind a declaration', 'a.svg', `<?xml version="1.0"?><!DOCTYPE svg>${svg}`],
  ['a drawing that begins as a picture', 'a.avif', disguised('avif')],
  ['the same by the name of a photo', 'a.jpg', disguised('avif')],
  ['a drawing that begins as a photo of a telephone', 'a.heic', disguised('heic')],
  ['a drawing that begins as a film', 'a.mp4', disguised('mp42')],
  ['a page that begins as a film', 'a.m4a', `<!--moov-->${page}`],
  ['a drawing in a box', 'a.avif', boxed],
  ['a drawing in a box of a photo', 'a.jpg', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(svg)])],
  ['a drawing that is packed', 'a.svgz', Buffer.from('1f8b0800', 'hex')],
  ['a script that begins as a picture', 'a.gif', 'GIF89a=1;alert(1)//'],
  ['a page that begins as a bitmap', 'a.bmp', `BM${page}`],
  ['a bomb of pixels', 'a.png', bomb(60_000, 60_000), 413, 'image_too_large'],
  ['a bomb of pixels by another name', 'a.jpg', bomb(10_001, 10_000), 413, 'image_too_large'],
  [
    'a picture that is little in its file and much in memory',
    'a.png',
    bomb(10_000, 10_000, { deep: true }),
    413,
    'image_too_large',
  ],
  ['a picture that is turned without end', 'a.avif', unending('turned')],
  ['a picture of one part a thousand times', 'a.avif', unending('repeated')],
  ['a picture that is drawn a thousand times', 'a.avif', unending('redrawn'), 413, 'image_too_large'],
  ['a bomb of pictures', 'a.gif', moving(501, 4), 413, 'image_too_large'],
  ['a picture of too many bytes', 'a.png', heavy(), 413, 'image_too_large'],
  ['nothing', 'a.jpg', '', 400, 'rest_upload_no_data'],
];

/** Hours of work in a few bytes: one that is stopped by nothing once it is begun. */
async function unending(how: 'turned' | 'repeated' | 'redrawn'): Promise<Buffer> {
  const { data, properties } = await coded(2_000, 1_500);
  const image = { id: 1, type: 'av01', data, properties };
  if (how === 'turned') return avif({ items: [{ ...image, properties: [...properties, ...Array(200).fill(turned)] }] });
  if (how === 'redrawn') return avif({ items: [{ ...image, data: Buffer.concat(Array(1_000).fill(data)) }] });
  const whole = { id: 2, type: 'grid', data: grid(8, 128, 100, 100), properties: [sized(100, 100)] };
  const to = Array<number>(1_024).fill(1);
  return avif({ primary: 2, items: [image, whole], references: [{ type: 'dimg', from: 2, to }] });
}

async function heavy(): Promise<Buffer> {
  return Buffer.concat([await picture(10, 10, 'png'), Buffer.alloc(50 * 2 ** 20)]);
}

/** What becomes of names: the file is taken, and called so. */
const names: readonly (readonly [what: string, name: string, kept: string])[] = [
  ['with folders', 'a/b/c.txt', 'c.txt'],
  ['with folders of Windows', 'C:\\Users\\x\\c.txt', 'c.txt'],
  ['that leads upwards', '../../../etc/passwd.txt', 'passwd.txt'],
  ['that leads upwards at its end', 'a/...txt', 'file.txt'],
  ['with a zero', 'a\0.php\0.txt', 'a-php.txt'],
  ['that is read from right to left', 'invoice\u202etxt.exe.txt', 'invoicetxt-exe.txt'],
  ['that nobody sees', '\u200b\u200d\ufeff.txt', 'file.txt'],
  ['of 300 letters', `${'x'.repeat(300)}.txt`, `${'x'.repeat(180)}.txt`],
  ['of 300 wide letters', `${'写'.repeat(300)}.txt`, `${'写'.repeat(60)}.txt`],
  ['with two endings', 'a.php.txt', 'a-php.txt'],
  ['with many endings', 'a.tar.gz.php.txt', 'a-tar-gz-php.txt'],
  ['with an ending in capitals', 'A.TXT', 'A.txt'],
  ['with signs of shells and addresses', '$(rm -rf)&a=`b`?c#d%2e|e;.txt', 'rm-rfabcd2ee.txt'],
  ['with tags', '<img src=x onerror=alert(1)>.txt', 'img-srcx-onerroralert1.txt'],
  ['with line ends', 'a\r\nSet-Cookie: x.txt', 'a-Set-Cookie-x.txt'],
  ['that is hidden', '.env.txt', 'env.txt'],
  ['of dots', '....txt', 'file.txt'],
];

/** Two things at once: taken for what they are, and never run. */
const polyglots: readonly (readonly [what: string, name: string, bytes: Promise<Buffer>, mime: string])[] = [
  ['a photo with a program behind it', 'a.jpg', behind(picture(400, 300), php), 'image/jpeg'],
  ['a photo with an archive behind it', 'a.jpg', behind(picture(400, 300), 'PK\x03\x04'), 'image/jpeg'],
  ['a picture with a page behind it', 'a.html.png', behind(picture(400, 300, 'png'), page), 'image/png'],
  ['a moving picture with a script behind it', 'a.gif', behind(moving(2), 'alert(1)'), 'image/gif'],
];

async function behind(bytes: Promise<Buffer>, more: string): Promise<Buffer> {
  return Buffer.concat([await bytes, Buffer.from(more, 'latin1')]);
}

eachEngine('Bad files', async (engine) => {
  const site = await aSite(engine, { limits: { bodyTimeout: 300 } });
  const author = site.as('author');

  for (const [what, name, bytes, status = 400, code] of bad) {
    test(`${what}: refused, and nothing is left`, async () => {
      const body = Buffer.from((await bytes) as string);
      const alone = await send(site, 'author', name, body);
      const part_ = await inForm(site, formed(part('file', name, body)));
      assert.deepEqual([alone.status, alone.body.code], [status, code ?? raw]);
      assert.deepEqual([part_.status, part_.body.code], [status, code ?? form]);
      assert.deepEqual(await left(site), nothing);
    });
  }

  const photo = await noisy(400, 300);

  test('another file than the one that was announced: refused, and nothing is left', async () => {
    const sum = { 'content-md5': '0'.repeat(32) };
    const named = { 'content-disposition': 'attachment; filename="a.jpg"' };
    const alone = await author.post(media, photo, { ...named, ...sum });
    const inside = await inForm(site, formed(part('file', 'a.jpg', photo)), sum);
    for (const { status, body } of [alone, inside])
      assert.deepEqual([status, body.code], [412, 'rest_upload_hash_mismatch']);
    assert.deepEqual(await left(site), nothing);
  });

  test('a good file with a bad word beside it: refused, and nothing is left', async () => {
    const refusals = [
      ['post=999999', 403, 'rest_cannot_edit'],
      ['author=999999', 403, 'rest_cannot_edit_others'],
      ['date=never', 400, 'rest_invalid_param'],
      ['post=x', 400, 'rest_invalid_param'],
    ] as const;
    for (const [query, status, code] of refusals) {
      const answer = await send(site, 'author', 'a.jpg', photo, `?${query}`);
      assert.deepEqual([answer.status, answer.body.code], [status, code], query);
    }
    assert.deepEqual(await left(site), nothing);
  });

  test('a file from whoever may not send one: refused, and nothing is left', async () => {
    assert.equal((await send(site, 'contributor', 'a.jpg', photo)).body.code, 'rest_cannot_create');
    const nobody = await site.post(media, photo, { 'content-disposition': 'attachment; filename="a.jpg"' });
    assert.deepEqual([nobody.status, nobody.body.code], [401, 'rest_cannot_create']);
    assert.deepEqual(await left(site), nothing);
  });

  test('a file larger than the limit: refused before it comes, and nothing is left', async () => {
    const heard = await speak(site.port, [await head(`Content-Length: ${65 * 2 ** 20}`)]);
    assert.deepEqual([heard.statuses, heard.body.code], [[413], 'rest_upload_file_too_big']);
    assert.deepEqual(await left(site), nothing);
  });

  const head = async (...lines: string[]): Promise<Piece> => {
    const { authorization } = await site.credentials('author');
    const own = lines.some((line) => line.startsWith('Content-Type'))
      ? []
      : ['Content-Disposition: attachment; filename="a.jpg"'];
    return written(`POST ${media} HTTP/1.1`, ['Host: x', `Authorization: ${authorization}`, ...own, ...lines]);
  };

  const boundary = 'Content-Type: multipart/form-data; boundary=b';
  const chunk = (bytes: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  const begun = photo.subarray(0, 1_000);
  const beginning = formed(part('file', 'a.jpg', photo)).subarray(0, 1_000);
  const long = `Content-Length: ${photo.length + 100}`;

  /** Statuses are those that can still be heard. */
  const torn: readonly (readonly [what: string, lines: string[], body: Buffer, manner: Manner, statuses: number[]])[] =
    [
      ['that breaks off', [`Content-Length: ${photo.length}`], begun, { cut: true }, []],
      ['that breaks off in a form', [boundary, long], beginning, { cut: true }, []],
      ['that is shorter than announced', [long], photo, { hangUp: true }, [400]],
      ['that is shorter than announced, in a form', [boundary, long], beginning, { hangUp: true }, [400]],
      ['that stops coming', [long], photo, {}, [408]],
      ['that stops coming in a form', [boundary, long], beginning, {}, [408]],
      ['in pieces that break off', ['Transfer-Encoding: chunked'], chunk(begun), { cut: true }, []],
      ['in pieces without a last one', ['Transfer-Encoding: chunked'], chunk(photo), { hangUp: true }, [400]],
      ['in pieces of no length', ['Transfer-Encoding: chunked'], Buffer.from('zz\r\nx\r\n'), {}, [400]],
      ['in a form without its end', [boundary, 'Content-Length: 1000', 'Connection: close'], beginning, {}, [400]],
    ];
  for (const [what, lines, body, manner, statuses] of torn) {
    test(`a file ${what}: given up, and nothing is left`, async () => {
      const pieces: Piece[] = [await head(...lines), body, ...(manner.cut ? [{ wait: 60 }] : [])];
      const heard = await speak(site.port, pieces, { patience: 2_000, ...manner });
      assert.deepEqual(heard.statuses, statuses);
      await soon(async () => JSON.stringify(await left(site)), JSON.stringify(nothing));
    });
  }

  describe('and odd ones that are taken', () => {
    const clear = async () => {
      const all: { id: number }[] = (await site.get(`${media}?per_page=100&_fields=id`)).body;
      for (const { id } of all) await author.delete(`${media}/${id}?force=true`);
      assert.deepEqual(await left(site), nothing);
    };

    for (const [what, name, expected] of names) {
      test(`a name ${what} is cleaned`, async () => {
        const { status, body } = await send(site, 'author', name, 'hello');
        assert.deepEqual([status, body.filename], [201, expected]);
        assert.deepEqual((await known(site)).names, [`2026/11/${expected}`]);
        assert.equal((await fetched(site, body.source_url)).bytes.toString(), 'hello');
        await clear();
      });
    }

    for (const [what, name, bytes, mime] of polyglots) {
      test(`${what} is only what it begins as, and its copies are that alone`, async () => {
        const { status, body } = await send(site, 'author', name, await bytes);
        assert.deepEqual([status, body.mime_type], [201, mime]);
        const { headers } = await fetched(site, body.source_url);
        assert.deepEqual([headers.get('content-type'), headers.get('x-content-type-options')], [mime, 'nosniff']);
        const copy = await fetched(site, body.media_details.sizes.medium.source_url);
        for (const words of [php, page, 'PK\x03\x04', 'alert(1)']) assert.ok(!copy.bytes.includes(words));
        await clear();
      });
    }

    test('of two files at once, the one that is meant is taken, and nothing is left of the other', async () => {
      const two = [part('other', 'other.txt', 'other'), part('file', 'meant.txt', 'meant')];
      for (const parts of [two, two.toReversed()]) {
        const { status, body } = await inForm(site, formed(...parts));
        assert.deepEqual([status, body.filename, kept(site)], [201, 'meant.txt', ['meant.txt']]);
        assert.deepEqual((await left(site)).aside, []);
        await clear();
      }
      const bothBad = await inForm(site, formed(part('file', 'a.php', php), part('file', 'b.php', php)));
      assert.equal(bothBad.body.code, form);
      assert.deepEqual(await left(site), nothing);
    });
  });
});
