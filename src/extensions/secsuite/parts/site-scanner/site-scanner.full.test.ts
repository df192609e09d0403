// Scans under blows: a process that is killed in the middle, archives that become very much, and very many files.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { JobTables } from '#site/jobs/tables.ts';
import { openStore, type Store } from '#store/store.ts';
import { eachEngine, keptLog, type TestEngine, testEngine } from '#test/databases.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { aSitePlace } from '#test/serving.ts';
import { soon } from '#test/soon.ts';
import { send } from '#test/uploads.ts';
import { madeZip } from '#test/zips.ts';
import { inspect } from './malware/engine.ts';
import type { ScanTables } from './tables.ts';

const names = (threats: readonly { readonly signature: string }[]): string[] =>
  threats.map(({ signature }) => signature);

/** Answers that all is well, and holds back the answer to the file that has this text. */
async function aClamd(engine: TestEngine, heldBack: string) {
  const held = Promise.withResolvers<void>();
  const judged: string[] = [];
  const clamd = createServer((socket: Socket) => {
    const pieces: Buffer[] = [];
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      const all = Buffer.concat(pieces);
      if (all.includes('zVERSION')) return void socket.end('ClamAV 1.4.2/27500\0');
      if (!all.subarray(-4).equals(Buffer.alloc(4))) return;
      const text = all.subarray(14, -4).toString();
      judged.push(text);
      if (text === heldBack && judged.filter((one) => one === text).length === 1) return held.resolve();
      socket.end('stream: OK\0');
    });
  }).listen(0, '127.0.0.1');
  await once(clamd, 'listening');
  engine.atEnd(async () => void clamd.close());
  return { address: `127.0.0.1:${(clamd.address() as AddressInfo).port}`, held: held.promise, judged };
}

// The wait until the next process takes the scan over is the same on both stores.
describe('site-scanner: a killed scan', () => {
  const engine = testEngine('sqlite');
  test('is begun again by the next process, and goes on after the files that were judged', async () => {
    const files = 160;
    const nameOf = (number: number) => `file number ${String(number).padStart(3, '0')}`;
    const clamd = await aClamd(engine, nameOf(120));
    const place = await aSitePlace(engine);
    const folder = join(place.data, 'media', '2026', '11');
    mkdirSync(folder, { recursive: true });
    for (let number = 0; number < files; number += 1)
      writeFileSync(join(folder, `${String(number).padStart(3, '0')}.txt`), nameOf(number));
    const env = { GATEHOUSE_CLAMD: clamd.address, GATEHOUSE_SCAN_ROOTS: place.data };
    const first = await place.serve(env);
    const store: Store<ScanTables & JobTables> = await openStore({ ...place, tables: [], log: keptLog() });
    engine.atEnd(() => store.close());
    const due = () =>
      store.write(async (tx) => {
        const moved = tx.updateTable('schedules').set({ next_at: '2020-01-01T00:00:00.000Z' });
        return (await moved.where('name', '=', 'security-suite.scan').executeTakeFirst()).numUpdatedRows;
      });
    await soon(due, 1n);
    await clamd.held;
    first.child.kill('SIGKILL');
    await first.ended;
    await place.serve(env);
    const codes = async () =>
      (await store.db.selectFrom('secsuite_scans').select('code').execute()).map(({ code }) => code).join();
    await soon(codes, 'clean');
    const again = clamd.judged.length - files;
    assert.ok(again >= 1 && again <= 51, `${again} files were judged twice`);
  });
});

eachEngine('site-scanner: many files', (engine) => {
  test('are judged once, and many posts every time', async () => {
    const [site, suite] = await aGuardedSite(engine);
    const { files, store } = site.app.services;
    for (let number = 0; number < 1_000; number += 1)
      await files.put(`2026/11/${number}.txt`, Buffer.from(`${number}`));
    const { db } = store as unknown as Store<ScanTables>;
    const verdicts = async () => (await db.selectFrom('secsuite_file_verdicts').select('created_at').execute()).length;
    await suite.scanner.start(0);
    assert.equal(await verdicts(), 1_000);
    const [one, other] = await Promise.all([suite.scanner.start(0), suite.scanner.start(0)]);
    assert.equal(one.id, other.id);
    assert.equal(await verdicts(), 1_000);
  });
});

describe('site-scanner: archives that become very much', () => {
  const engine = testEngine('sqlite');
  const zeros = Buffer.alloc(48 * 1024 * 1024);
  const rows: Readonly<Record<string, () => Buffer>> = {
    'many large files': () => madeZip(Array.from({ length: 60 }, (_, at) => ({ name: `${at}`, content: zeros }))),
    'one file behind several layers': () => gzipSync(gzipSync(gzipSync(Buffer.concat([zeros, zeros])))),
    'very deep': () => {
      let bytes: Buffer = Buffer.from('inside');
      for (let depth = 0; depth < 12; depth += 1) bytes = madeZip([{ name: 'a.zip', content: bytes }]);
      return bytes;
    },
    'very many files': () => madeZip(Array.from({ length: 30_000 }, (_, at) => ({ name: `${at}`, content: 'x' }))),
  };

  test('are reported, and unpacked no further than is allowed', async () => {
    const offenders: string[] = [];
    for (const [name, make] of Object.entries(rows)) {
      const bytes = make();
      const before = process.memoryUsage().rss;
      const found = names(await inspect(bytes, 'upload'));
      const grown = (process.memoryUsage().rss - before) / 2 ** 20;
      if (String(found) !== 'Archive.Bomb' || grown > 512)
        offenders.push(`${name}: ${found}, ${Math.round(grown)} MiB`);
    }
    assert.deepEqual(offenders, []);
  });

  test('are found among the uploads while the other checks finish, and refused on arrival', async () => {
    const [site, suite] = await aGuardedSite(engine);
    const bomb = madeZip([
      { name: 'a', content: zeros },
      { name: 'b', content: zeros },
    ]);
    assert.equal((await send(site, 'administrator', 'a.zip', bomb)).status, 201);
    const { code, entries, issues } = await suite.scanner.start(0);
    assert.equal(code, 'found-malware');
    assert.equal(entries.length, 3);
    assert.match(issues.find(({ entry }) => entry === 'malware')!.description, /a\.zip: It is too large to check/);
    await site.as('administrator').patch('/api/secsuite/v1/settings/site-scanner', { scan_uploads: true });
    const { status, body } = await send(site, 'administrator', 'b.zip', bomb);
    assert.deepEqual([status, body.code], [400, 'rest_upload_malware']);
  });

  test('are no threat where they are large and allowed', async () => {
    assert.deepEqual(names(await inspect(madeZip([{ name: 'a', content: zeros }]), 'upload')), []);
    const text = Buffer.from('The quick brown fox jumps over the lazy dog. '.repeat(550_000));
    assert.deepEqual(names(await inspect(text, 'upload')), []);
  });
});
