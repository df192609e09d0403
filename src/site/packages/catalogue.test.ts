import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Catalogue as Place } from '#lib/operator.ts';
import type { AnyStore } from '#store/store.ts';
import { keptLog, testEngine } from '#test/databases.ts';
import { type AskedRemote, aRemote } from '#test/remote.ts';
import { checkRows } from '#test/rows.ts';
import { createOutgoing } from '../outgoing/guard.ts';
import { createCatalogue } from './catalogue.ts';
import { type CatalogueEntry, writeCatalogue } from './catalogue-document.ts';
import { makeKeys } from './signature.ts';
import { packageTables } from './tables.ts';

const keys = makeKeys();
const strangers = makeKeys();

const book: CatalogueEntry = {
  slug: 'guest-book',
  name: 'Guest book',
  version: '1.0.0',
  description: 'What visitors say.',
  type: 'free',
  path: 'guest-book/extension.ts',
  logo: '',
  url: 'https://books.example/guest-book',
  download_url: 'guest-book-1.0.0.zip',
  size: 1234,
  sha256: 'a'.repeat(64),
  signature: `${'A'.repeat(86)}==`,
  requires: { gatehouse: '>=0.3.0' },
};
const album: CatalogueEntry = { ...book, slug: 'album', download_url: 'https://albums.example/album.zip' };

const engine = testEngine('sqlite');
let scratch: string;
let store: AnyStore;
before(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  store = await engine.store([packageTables]);
});
after(() => rmSync(scratch, { recursive: true }));

let file: string;
let data: string;
let now: Date;
let log: ReturnType<typeof keptLog>;
beforeEach(() => {
  file = join(mkdtempSync(join(scratch, 'one-')), 'catalogue.json');
  data = mkdtempSync(join(scratch, 'data-'));
  now = new Date('2026-11-22T12:00:00Z');
  log = keptLog();
});

const catalogueAt = (
  catalogue: Place | undefined,
  catalogueKey: string | undefined = keys.publicKey,
  hosts: string[] = [],
) =>
  createCatalogue({
    operator: { catalogue, catalogueKey },
    outgoing: createOutgoing({ allowHosts: hosts, version: '0.4.0', log: keptLog() }),
    clock: () => now,
    log,
    data,
    store,
  });

const inFile = (text: string, key?: string) => {
  writeFileSync(file, text);
  return catalogueAt({ kind: 'file', path: file }, key);
};

const signed = (...entries: readonly CatalogueEntry[]) => writeCatalogue(entries, keys.privateKey);
const slugs = async (catalogue: ReturnType<typeof createCatalogue>) =>
  (await catalogue.entries()).map(({ slug }) => slug);

describe('A catalogue in a file', () => {
  test('lists what was signed, in the order of the slugs', async () => {
    const catalogue = inFile(signed(book, album));
    assert.deepEqual(await slugs(catalogue), ['album', 'guest-book']);
    const { source, ...entry } = (await catalogue.find('guest-book'))!;
    assert.deepEqual(entry, book);
    assert.deepEqual(source, { kind: 'file', path: file.replace('catalogue.json', 'guest-book-1.0.0.zip') });
    assert.deepEqual((await catalogue.find('album'))?.source, { kind: 'url', url: album.download_url });
    assert.equal(await catalogue.find('nothing'), undefined);
    assert.deepEqual(log.lines, []);
  });

  test('stays signed however it is laid out, and what stands beside it is nothing', async () => {
    const said = JSON.parse(signed(book));
    const [entry] = said.entries;
    const turned = Object.fromEntries(Object.entries({ ...entry, homepage: 'https://a.example' }).reverse());
    const catalogue = inFile(JSON.stringify({ note: 'mine', ...said, entries: [turned] }));
    const { source: _, ...found } = (await catalogue.find('guest-book'))!;
    assert.deepEqual(found, book);
  });

  test('is known anew as soon as it is another', async () => {
    const catalogue = inFile(signed(book));
    assert.deepEqual(await slugs(catalogue), ['guest-book']);
    writeFileSync(file, signed(book, album));
    assert.deepEqual(await slugs(catalogue), ['album', 'guest-book']);
  });

  test('that is not there is an empty one, and is told once', async () => {
    const catalogue = catalogueAt({ kind: 'file', path: file });
    assert.deepEqual([await slugs(catalogue), await slugs(catalogue)], [[], []]);
    assert.equal(log.lines.length, 1);
    assert.match(
      log.lines[0]!.message,
      /^The catalogue of extensions cannot be used\. It cannot be read: the file or folder does not exist/,
    );
  });

  test('goes away once it is changed by somebody else', async () => {
    const catalogue = inFile(signed(book));
    assert.deepEqual(await slugs(catalogue), ['guest-book']);
    writeFileSync(file, readFileSync(file, 'utf8').replace('books.example', 'evil.example'));
    assert.deepEqual(await slugs(catalogue), []);
    assert.match(log.lines[0]!.message, /not signed with the key that this site trusts, or was changed/);
  });
});

test('where no catalogue is named there is none', async () =>
  assert.deepEqual(await slugs(catalogueAt(undefined)), []));

describe('A catalogue counts as empty, and the log says why,', () => {
  const holding = (entries: unknown) => () => JSON.stringify({ ...JSON.parse(signed(book)), entries });
  const entry = (said: object) => holding([{ ...book, ...said }]);
  const cases: readonly (readonly [string, () => string, RegExp])[] = [
    ['when it is no JSON', () => 'none', /It is not JSON\./],
    ['when it is another kind of document', () => '[]', /not a catalogue that this version can read/],
    ['when it is of another format', () => signed(book).replace('catalogue-1', 'catalogue-2'), /not a catalogue/],
    ['when somebody else signed it', () => writeCatalogue([book], strangers.privateKey), /not signed/],
    [
      'when its signature is gone',
      () => JSON.stringify({ ...JSON.parse(signed(book)), signature: undefined }),
      /not signed/,
    ],
    ['when an entry is added', holding([book, album]), /not signed/],
    ['when it has no list', holding({}), /no list of entries/],
    ['when it has the same slug twice', holding([book, book]), /twice/],
    ['when an entry is none', holding([null]), /"entries"/],
    ...(
      [
        ['slug', '../book'],
        ['version', 'new'],
        ['type', 'gift'],
        ['path', '../../etc/passwd'],
        ['logo', 'http://books.example/logo.png'],
        ['url', 'javascript:alert(1)'],
        ['download_url', ''],
        ['download_url', '../book.zip'],
        ['download_url', '/etc/passwd'],
        ['download_url', 'http://books.example/book.zip'],
        ['download_url', 'https://user:secret@books.example/book.zip'],
        ['download_url', 'file:///etc/passwd'],
        ['size', 0],
        ['size', 60_000_000],
        ['size', '1234'],
        ['sha256', 'A'.repeat(64)],
        ['signature', 'none'],
        ['requires', { gatehouse: 'any' }],
        ['name', 'a\u202eb'],
      ] as const
    ).map(
      ([name, value]) =>
        [
          `when an entry says ${name}: ${JSON.stringify(value).slice(0, 30)}`,
          entry({ [name]: value }),
          new RegExp(`has no valid "${name}"`),
        ] as const,
    ),
  ];
  test('when it cannot be read', () =>
    checkRows(cases, async ([, text, why]) => {
      log.lines.length = 0;
      assert.deepEqual(await slugs(inFile(text())), []);
      assert.match(log.lines[0]?.message ?? '', why);
      assert.equal(log.lines.length, 1);
    }));

  test('when it is more than 5 MiB', async () => {
    assert.deepEqual(await slugs(inFile(' '.repeat(5 * 1024 * 1024 + 1))), []);
  });

  test('when there is no key to check it with', async () => {
    writeFileSync(file, signed(book));
    const catalogue = createCatalogue({
      operator: { catalogue: { kind: 'file', path: file } },
      outgoing: createOutgoing({ allowHosts: [], version: '0.4.0', log }),
      clock: () => now,
      log,
      data,
      store,
    });
    assert.deepEqual(await slugs(catalogue), []);
    assert.match(log.lines[0]!.message, /cannot be checked without a key/);
  });
});

test('what is not free may say nothing of its package', async () => {
  const pro = { ...book, type: 'pro', download_url: '', size: 0, sha256: '', signature: '' } as const;
  assert.deepEqual(await slugs(inFile(signed(pro))), ['guest-book']);
});

describe('A catalogue at an address', () => {
  let remote: AskedRemote;
  let answer: () => readonly [status: number, type: string, body: string];
  before(async () => {
    remote = await aRemote((_, response) => {
      const [status, type, body] = answer();
      response.writeHead(status, { 'content-type': type }).end(body);
    });
  });
  after(() => remote.close());
  beforeEach(() => {
    answer = () => [200, 'application/json', signed(book)];
  });

  const there = () =>
    catalogueAt({ kind: 'url', url: `${remote.url}/list/catalogue.json?key=1` }, undefined, [remote.host]);
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const hour = 3_600_000;

  test('is asked once a day, also by many at once, and knows where its packages are', async () => {
    const catalogue = there();
    const before = remote.asked.length;
    const [one] = await Promise.all([catalogue.find('guest-book'), catalogue.find('guest-book'), catalogue.entries()]);
    assert.deepEqual(one?.source, { kind: 'url', url: `${remote.url}/list/guest-book-1.0.0.zip` });
    later(23 * hour);
    await catalogue.entries();
    assert.equal(remote.asked.length - before, 1);
    later(hour);
    answer = () => [200, 'text/plain', signed(book, album)];
    assert.deepEqual(await slugs(catalogue), ['album', 'guest-book']);
  });

  test('that does not answer leaves what was known, is told, and is asked again in a while', async () => {
    const catalogue = there();
    await catalogue.entries();
    later(24 * hour);
    answer = () => [500, 'text/plain', 'Sorry'];
    const before = remote.asked.length;
    assert.deepEqual([await slugs(catalogue), await slugs(catalogue)], [['guest-book'], ['guest-book']]);
    assert.equal(remote.asked.length - before, 1);
    assert.match(log.lines[0]!.message, /answered with an error \(500\)/);
    later(5 * 60_000);
    answer = () => [200, 'application/json', signed(album)];
    assert.deepEqual(await slugs(catalogue), ['album']);
  });

  test('that is not signed, is another kind of thing or too much is not used', async () => {
    for (const bad of [
      [200, 'application/json', writeCatalogue([book], strangers.privateKey)],
      [200, 'text/html', signed(book)],
      [200, 'application/json', ' '.repeat(5 * 1024 * 1024 + 1)],
    ] as const) {
      answer = () => bad;
      assert.deepEqual(await slugs(there()), []);
    }
    assert.equal(log.lines.length, 3);
    assert.ok(!JSON.stringify(log.lines).includes('key=1'));
  });

  test('is asked through the guard', async () => {
    const catalogue = catalogueAt({ kind: 'url', url: remote.url });
    assert.deepEqual(await slugs(catalogue), []);
    assert.match(log.lines[0]!.message, /This URL cannot be used/);
  });
});
