// What was signed once stays signed: so the newest catalogue of a publisher is remembered, and no earlier one is taken.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine, keptLog, type TestEngine } from '#test/databases.ts';
import { aDesk } from '#test/extension-desk.ts';
import { offline } from '#test/offline.ts';
import { createOutgoing } from '../outgoing/guard.ts';
import { createCatalogue } from './catalogue.ts';
import { type CatalogueEntry, readCatalogue, writeCatalogue } from './catalogue-document.ts';
import { makeKeys } from './signature.ts';
import { packageTables } from './tables.ts';

const entry: CatalogueEntry = {
  slug: 'guest-book',
  name: 'Guest book',
  version: '1.0.0',
  description: '',
  type: 'free',
  logo: '',
  url: '',
  path: 'guest-book/extension.ts',
  download_url: 'guest-book.zip',
  size: 1,
  sha256: 'a'.repeat(64),
  signature: `${'A'.repeat(86)}==`,
  requires: {},
};
const today = new Date('2026-11-22T12:00:00Z');
const minute = 60_000;
const at = (time: string): Date => new Date(`2026-11-22T${time}Z`);
/** Before the present of a site. */
const earlier = ({ clock }: { clock(): Date }, milliseconds: number): Date =>
  new Date(clock().getTime() - milliseconds);

/** A site whose catalogue is in a file, as often as it is opened. */
async function aReader(engine: TestEngine) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  engine.atEnd(async () => rmSync(folder, { recursive: true }));
  const store = await engine.store([packageTables]);
  const path = join(folder, 'catalogue.json');
  const log = keptLog();
  const outgoing = createOutgoing({ allowHosts: [], version: '0.4.0', log, ...offline });
  const keys = makeKeys();
  const opened = (catalogueKey = keys.publicKey) =>
    createCatalogue({
      operator: { catalogue: { kind: 'file', path }, catalogueKey },
      outgoing,
      store,
      log,
      data: folder,
      clock: () => today,
    });
  let catalogue = opened();
  return {
    path,
    log,
    keys,
    show: (issued?: Date, privateKey = keys.privateKey) =>
      writeFileSync(path, writeCatalogue([entry], privateKey, issued)),
    isTaken: async () => (await catalogue.find('guest-book')) !== undefined,
    reopen: (key?: string) => {
      catalogue = opened(key);
    },
  };
}

eachEngine('A catalogue', (engine) => {
  test('that is older than one before is refused, also after a restart, and the log says why', async () => {
    const { show, isTaken, reopen, log } = await aReader(engine);
    show(at('10:00:00'));
    assert.equal(await isTaken(), true);
    show(at('11:00:00'));
    assert.equal(await isTaken(), true);
    show(at('10:00:00'));
    assert.equal(await isTaken(), false);
    reopen();
    assert.equal(await isTaken(), false);
    assert.match(
      log.lines[0]!.message,
      /Its date is 2026-11-22 10:00:00 UTC, but this site knows a newer catalogue of 2026-11-22 11:00:00 UTC\. It may/,
    );
    show(at('11:00:00'));
    assert.equal(await isTaken(), true);
  });

  test('without a date is taken until there was one with a date', async () => {
    const { show, isTaken, log } = await aReader(engine);
    show();
    assert.equal(await isTaken(), true);
    show(at('10:00:00'));
    assert.equal(await isTaken(), true);
    show();
    assert.equal(await isTaken(), false);
    assert.match(
      log.lines[0]!.message,
      /It has no date, but this site knows a newer catalogue of 2026-11-22 10:00:00 UTC/,
    );
  });

  test('is older or newer than others of the same key alone', async () => {
    const { show, isTaken, reopen } = await aReader(engine);
    show(at('11:00:00'));
    assert.equal(await isTaken(), true);
    const other = makeKeys();
    show(at('10:00:00'), other.privateKey);
    reopen(other.publicKey);
    assert.equal(await isTaken(), true);
  });

  test('of a day that is still to come is refused, and remembered by nobody', async () => {
    const { show, isTaken, log } = await aReader(engine);
    show(new Date('2026-11-23T12:00:01Z'));
    assert.equal(await isTaken(), false);
    assert.match(log.lines[0]!.message, /which is in the future/);
    show(at('10:00:00'));
    assert.equal(await isTaken(), true);
    show(new Date('2026-11-23T11:00:00Z'));
    assert.equal(await isTaken(), true);
  });

  test('is read anew by a process that knew an earlier one, once another process has had the newest', async () => {
    const { shop, extensions, needs, ...desk } = await aDesk(engine);
    shop.date(earlier(needs, 2000));
    shop.offer();
    const before = readFileSync(shop.catalogue.path);
    await extensions.newer(0);
    const other = desk.again();
    await other.find('bell');
    shop.date(earlier(needs, 1000));
    shop.offer({ manifest: { version: '1.3.0' } });
    await extensions.install('bell', {});
    writeFileSync(shop.catalogue.path, before);
    await assert.rejects(other.update('bell', {}), {
      status: 422,
      code: 'integrity_failed',
      message: /^The catalogue of extensions cannot be used\. Its date is .*It may be an old copy/,
    });
    await assert.rejects(other.install('nothing', {}), { status: 404, code: 'plugin_not_found' });
  });

  test('that is not the newest any more gives nothing to a process that cannot read the newest', async () => {
    const { shop, extensions, needs, ...desk } = await aDesk(engine);
    shop.date(earlier(needs, 2000));
    shop.offer();
    const other = desk.again();
    assert.equal((await other.offers(0)).offers.length, 1);
    shop.date(earlier(needs, 1000));
    shop.withdraw('bell');
    assert.equal((await extensions.offers(0)).offers.length, 0);
    rmSync(shop.catalogue.path);
    await assert.rejects(other.install('bell', {}), {
      status: 422,
      code: 'integrity_failed',
      message:
        /The catalogue on this machine has the date .*, but this site knows a newer catalogue of .*, which cannot be read at the moment/,
    });
    assert.deepEqual((await other.offers(minute)).offers, []);
    assert.equal(await other.isOffered('bell'), false);
    await assert.rejects(other.install('bell', {}), { status: 422, code: 'integrity_failed' });
    await assert.rejects(other.install('nothing', {}), { status: 404, code: 'plugin_not_found' });
    assert.equal((await desk.kept()).rows, 0);
  });
});

test('The date of a catalogue is signed with it, and is a moment', () => {
  const { privateKey, publicKey } = makeKeys();
  const written = writeCatalogue([entry], privateKey, today);
  assert.deepEqual(readCatalogue(Buffer.from(written), publicKey).issued, today);
  const said = JSON.parse(written);
  const read = (more: object) => () => readCatalogue(Buffer.from(JSON.stringify({ ...said, ...more })), publicKey);
  for (const issued of [undefined, '2026-11-22T12:00:00Z', '2026-11-23T12:00:00.000Z'])
    assert.throws(read({ issued }), /not signed with the key/);
  for (const issued of [
    null,
    5,
    '',
    '2026-11-22',
    '2026-02-30T12:00:00Z',
    '2026-11-22T12:00:00+01:00',
    '2026-13-01T00:00:00Z',
  ])
    assert.throws(read({ issued }), /Its date \("issued"\) is not valid\./);
});
