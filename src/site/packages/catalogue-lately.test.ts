// Whoever only wants to know what there is asks no other site twice within minutes, and waits for none.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { AnyStore } from '#store/store.ts';
import { keptLog, testEngine } from '#test/databases.ts';
import { slowTime } from '#test/guarded.ts';
import { type AskedRemote, aRemote } from '#test/remote.ts';
import { createOutgoing } from '../outgoing/guard.ts';
import { createCatalogue } from './catalogue.ts';
import { type CatalogueEntry, writeCatalogue } from './catalogue-document.ts';
import { makeKeys } from './signature.ts';
import { packageTables } from './tables.ts';

const entry = (slug: string): CatalogueEntry => ({
  slug,
  name: 'Guest book',
  version: '1.0.0',
  description: '',
  type: 'pro',
  logo: '',
  url: '',
  path: `${slug}/extension.ts`,
  download_url: '',
  size: 0,
  sha256: '',
  signature: '',
  requires: {},
});
const minute = 60_000;

describe('A catalogue at an address', () => {
  const engine = testEngine('sqlite');
  const keys = makeKeys();
  let remote: AskedRemote;
  let answer: () => readonly [status: number, body: string] | undefined;
  let store: AnyStore;
  before(async () => {
    store = await engine.store([packageTables]);
    remote = await aRemote((_, response) => {
      const [status, body] = answer() ?? [];
      if (status !== undefined) response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  after(() => remote.close());

  let data: string;
  let now: number;
  let log: ReturnType<typeof keptLog>;
  const time = slowTime();
  const holding = (...slugs: string[]) => writeCatalogue(slugs.map(entry), keys.privateKey);
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    engine.atEnd(async () => rmSync(folder, { recursive: true }));
    data = folder;
    now = Date.parse('2026-11-22T12:00:00Z');
    log = keptLog();
    answer = () => [200, holding('album')];
  });

  /** As each command does it: what the last one knew is gone with its process. */
  const seen = async (age: number, path = '/list.json?key=1') => {
    const catalogue = createCatalogue({
      operator: { catalogue: { kind: 'url', url: `${remote.url}${path}` }, catalogueKey: keys.publicKey },
      outgoing: createOutgoing({ allowHosts: [remote.host], version: '0.4.0', log: keptLog(), after: time.later }),
      clock: () => new Date(now),
      log,
      data,
      store,
    });
    const { entries, fault } = await catalogue.latest(age);
    return [entries.map(({ slug }) => slug).join(), fault];
  };

  test('is not asked again for some minutes, whichever command wants to know, unless it is to be asked anew', async () => {
    const asked = remote.asked.length;
    assert.deepEqual(await seen(10 * minute), ['album', undefined]);
    answer = () => [200, holding('album', 'book')];
    now += 10 * minute;
    assert.deepEqual(await seen(10 * minute), ['album', undefined]);
    assert.equal(remote.asked.length - asked, 1);
    now += 1;
    assert.deepEqual(await seen(10 * minute), ['album,book', undefined]);
    answer = () => [200, holding('book')];
    now += 1;
    assert.deepEqual(await seen(0), ['book', undefined]);
    assert.equal(remote.asked.length - asked, 3);
    assert.equal(statSync(join(data, 'catalogue.json')).mode & 0o077, 0);
    await seen(10 * minute, '/other.json');
    assert.equal(remote.asked.length - asked, 4);
  });

  test('that fails, or does not answer, is told in a sentence, and what was known is used', async () => {
    answer = () => [500, ''];
    const [nothing, why] = await seen(10 * minute);
    assert.equal(nothing, '');
    assert.match(why ?? '', /^The catalogue of extensions cannot be used\. .*\(500\)/);
    answer = () => [200, holding('album')];
    await seen(10 * minute);
    now += 11 * minute;
    const asked = Promise.withResolvers<void>();
    answer = () => {
      asked.resolve();
      return undefined;
    };
    const looking = seen(10 * minute);
    await asked.promise;
    time.pass(3000);
    const [known, late] = await looking;
    assert.equal(known, 'album');
    assert.match(late ?? '', /^The catalogue of extensions cannot be used\. /);
    assert.deepEqual(log.lines, []);
  });

  test('is asked for again where another process had a newer one while this one was looked at', async () => {
    const written = (slug: string, issued: number) => writeCatalogue([entry(slug)], keys.privateKey, new Date(issued));
    const own = await engine.store([packageTables]);
    const opened = (over: AnyStore) =>
      createCatalogue({
        operator: { catalogue: { kind: 'url', url: `${remote.url}/list.json` }, catalogueKey: keys.publicKey },
        outgoing: createOutgoing({ allowHosts: [remote.host], version: '0.4.0', log: keptLog() }),
        clock: () => new Date(now),
        log,
        data,
        store: over,
      });
    const anothers = async () => {
      answer = () => [200, written('book', now - 1)];
      await opened(own).entries();
    };
    let between = anothers;
    const write: AnyStore['write'] = async (work) => {
      const done = await own.write(work);
      const first = between;
      between = async () => {};
      await first();
      return done;
    };
    answer = () => [200, written('album', now - 2)];
    const catalogue = opened({ ...own, write });
    assert.equal(await catalogue.find('album'), undefined);
    assert.equal((await catalogue.find('book'))?.slug, 'book');
  });

  test('leaves nothing for good of a process that ended while it kept the answer', async () => {
    const [old, young] = [0, 1].map((at) => `catalogue.json.${at}${randomUUID().slice(1)}.part`) as [string, string];
    for (const name of [old, young, 'catalogue.json.mine.part']) writeFileSync(join(data, name), '{');
    utimesSync(join(data, old), now / 1000 - 3601, now / 1000 - 3601);
    utimesSync(join(data, young), now / 1000 - 3599, now / 1000 - 3599);
    await seen(0);
    assert.deepEqual(readdirSync(data).toSorted(), ['catalogue.json', young, 'catalogue.json.mine.part']);
  });

  test('that was changed is not used, and neither is a kept one that somebody changed', async () => {
    await seen(10 * minute);
    const kept = join(data, 'catalogue.json');
    writeFileSync(kept, readFileSync(kept, 'utf8').replace('Guest', 'Ghost'));
    assert.deepEqual(await seen(10 * minute), ['album', undefined]);
    answer = () => [200, holding('album').replace('Guest', 'Ghost')];
    now += 1;
    const [nothing, why] = await seen(0);
    assert.deepEqual([nothing, /not signed with the key/.test(why ?? '')], ['', true]);
    for (const odd of ['', '{', 'null', '[]', '{"url":5}']) {
      writeFileSync(kept, odd);
      answer = () => [200, holding('album')];
      assert.deepEqual(await seen(10 * minute), ['album', undefined]);
    }
  });
});
