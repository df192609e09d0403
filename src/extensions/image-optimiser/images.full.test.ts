// Restores and deletions at the same moment, kills and full disks.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { makeLossless } from '#site/content/media/lossless.ts';
import { eachEngine, testEngine } from '#test/databases.ts';
import { startGatehouse } from '#test/gatehouse.ts';
import { needsRoot } from '#test/needs.ts';
import { noisy, photo } from '#test/pictures.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { onSmallDisk } from '#test/small-disk.ts';
import { aside, fetched, imageOptimizer, kept, known, send } from '#test/uploads.ts';

eachEngine('Images that are deleted, restored and regenerated while they are optimized', (engine) => {
  test('leave nothing behind', async () => {
    const site = await aSite(engine);
    const { admin, post } = imageOptimizer(site);
    const jpeg = await photo(1400, 1000, 'jpeg');
    for (let round = 0; round < 6; round++) {
      const { body } = await send(site, 'administrator', `gone-${round}.jpg`, jpeg);
      const work = post({ action: 'optimize', id: body.id });
      await pause(round * 60);
      const erased = await admin.delete(`/api/core/v2/media/${body.id}?force=true`);
      const { code, status } = await work;
      assert.equal(erased.status, 200);
      assert.ok(status === 'optimized' || code === 'imgopt_unknown_image', JSON.stringify([code, status]));
      assert.deepEqual([kept(site), aside(site)], [[], []], `round ${round}`);
    }
    assert.deepEqual((await known(site)).names, []);
  });

  test('get the documented codes, and the sums are right afterwards', async () => {
    const site = await aSite(engine);
    const { admin, post, record } = imageOptimizer(site);
    const jpeg = await photo(1400, 1000, 'jpeg');
    const ids: number[] = [];
    for (let at = 0; at < 6; at++) ids.push((await send(site, 'administrator', `p${at}.jpg`, jpeg)).body.id);
    await post({ action: 'optimize', id: ids[0] });
    const bulk = post({ action: 'bulk', ids, force: true });
    const codes = new Set<string>();
    for (const id of ids) {
      await pause(50);
      const { code } = await post({ action: 'restore', id });
      if (code !== undefined) codes.add(code);
      const { body } = await admin.post(`/api/regenerate-thumbnails/v1/regenerate/${id}`, {
        only_regenerate_missing_thumbnails: false,
      });
      if (body.code !== undefined) codes.add(body.code);
    }
    await bulk;
    const allowed = ['imgopt_in_progress', 'imgopt_no_backup', 'regenerate_thumbnails_in_progress'];
    assert.deepEqual(
      [...codes].filter((code) => !allowed.includes(code)),
      [],
    );
    await post({ action: 'bulk' });
    const sum = { before: 0, after: 0 };
    for (const id of ids) {
      const { imgopt, media_details } = await record(id);
      assert.deepEqual(wrongSizes(site, media_details.sizes), []);
      sum.before += imgopt.size_before;
      sum.after += imgopt.size_after;
    }
    const stats = await post({ action: 'stats' });
    assert.deepEqual([stats.size_before, stats.size_after], [sum.before, sum.after]);
    for (const id of ids) {
      await post({ action: 'restore', id });
      const { bytes } = await fetched(site, (await record(id)).source_url);
      assert.ok(bytes.equals(jpeg), `${id}`);
    }
  });
});

interface Copy {
  readonly filesize: number;
  readonly file: string;
}

const wrongSizes = (site: TestSite, { full: _, ...sizes }: Readonly<Record<string, Copy>>): Copy[] =>
  Object.values(sizes).filter(
    ({ file, filesize }) => readFileSync(join(site.config.data, 'media/2026/11', file)).length !== filesize,
  );

const broken = async (folder: string): Promise<string[]> => {
  const names: string[] = [];
  for (const one of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!one.isFile() || one.parentPath.includes('.unfinished')) continue;
    const isWhole = await sharp(join(one.parentPath, one.name), { failOn: 'error' })
      .stats()
      .then(
        () => true,
        () => false,
      );
    if (!isWhole) names.push(one.name);
  }
  return names;
};

test('A PNG whose data inflate to more than its pixels stays as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-png-'));
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from('00000001000000010800000000', 'hex')),
    chunk('IDAT', deflateSync(Buffer.alloc(129 * 2 ** 20), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  const [from, to] = [join(folder, 'a.png'), join(folder, 'b.png')];
  writeFileSync(from, png);
  try {
    assert.equal(await makeLossless(from, to, 'image/png', { stripsMetadata: true, orientation: 1 }), undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('A bulk run', () => {
  const engine = testEngine('sqlite');

  test('that is killed leaves every file whole, keeps every original, and goes on where it was', async () => {
    const site = await aSite(engine);
    const { post, record } = imageOptimizer(site);
    const originals = new Map<number, Buffer>();
    for (let at = 0; at < 16; at++) {
      const format = at % 2 === 0 ? 'jpeg' : 'png';
      const bytes = await photo(900 + at, 600, format);
      originals.set(
        (await send(site, 'administrator', `p${at}.${format === 'png' ? 'png' : 'jpg'}`, bytes)).body.id,
        bytes,
      );
    }
    const env = { GATEHOUSE_SECRET: 'a secret that only this test knows of' };
    const args = ['images', 'optimize', '--data', site.config.data, '--deployment', 'b'];
    const media = join(site.config.data, 'media');
    for (let round = 0; round < 6; round++) {
      const running = startGatehouse(args, env);
      await Promise.race([pause(1_500 + round * 400), running.ended]);
      running.child.kill('SIGKILL');
      await running.ended;
      assert.deepEqual(await broken(media), []);
    }
    // The lock of the killed process ends by itself after two minutes, sooner here, and the command waits for that.
    const until = new Date(Date.now() + 4_000).toISOString();
    await site.app.services.store.write((tx) => tx.updateTable('media_locks').set({ until }).execute());
    const last = await startGatehouse(args, env).ended;
    assert.equal(last.code, 0, last.err);
    assert.match(last.out, /failed: 0\. /);
    for (const [id, bytes] of originals) {
      assert.equal((await record(id)).imgopt.status, 'optimized');
      await post({ action: 'restore', id });
      assert.ok((await fetched(site, (await record(id)).source_url)).bytes.equals(bytes), `${id}`);
    }
  });

  needsRoot('on a full disk leaves files and records as they were, and goes on once there is room', () =>
    onSmallDisk(async (folder) => {
      const site = await aSite(engine, { env: { GATEHOUSE_MEDIA: folder } });
      const { post, record } = imageOptimizer(site);
      const jpeg = await sharp(await noisy(1200, 900))
        .jpeg({ quality: 100 })
        .toBuffer();
      const { body: image } = await send(site, 'administrator', 'a.jpg', jpeg);
      const before = await record(image.id);
      const ballast = join(folder, 'ballast');
      for (let size = 8_000_000; size > 0; size -= 20_000)
        try {
          writeFileSync(ballast, Buffer.alloc(size));
          break;
        } catch {
          rmSync(ballast, { force: true });
        }
      assert.equal((await post({ action: 'optimize', id: image.id })).code, 'storage_full');
      assert.deepEqual({ ...(await record(image.id)), imgopt: before.imgopt }, before);
      assert.deepEqual((await fetched(site, before.source_url)).bytes, jpeg);
      rmSync(ballast);
      assert.equal((await post({ action: 'optimize', id: image.id })).status, 'optimized');
      assert.deepEqual(await broken(folder), []);
      await post({ action: 'restore', id: image.id });
      assert.deepEqual((await fetched(site, before.source_url)).bytes, jpeg);
    }),
  );
});
