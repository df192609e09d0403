// What goes wrong with pictures, disks and processes while thumbnails are regenerated.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { eachEngine, testEngine } from '#test/databases.ts';
import { spawned, startGatehouse } from '#test/gatehouse.ts';
import { needsRoot } from '#test/needs.ts';
import { moving, noisy, picture } from '#test/pictures.ts';
import { aSitePlace } from '#test/serving.ts';
import { aSite } from '#test/site.ts';
import { onSmallDisk } from '#test/small-disk.ts';
import { aside, send } from '#test/uploads.ts';

const api = '/api/regenerate-thumbnails/v1';

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A whole picture of 30,000 × 30,000 black pixels, in some 110 kB. */
function hugePng(side = 30_000): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side), { level: 9 });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** The files of a folder that are no whole pictures. */
async function broken(folder: string): Promise<string[]> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const faults: string[] = [];
  for (const { name, parentPath } of names)
    await sharp(join(parentPath, name), { failOn: 'error' })
      .stats()
      .catch((error) => faults.push(`${name}: ${error.message}`));
  return faults;
}

eachEngine('Odd pictures', (engine) => {
  test('are refused with the documented code, or regenerated, and nothing that was there is lost', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const folder = join(site.config.data, 'media/2026/11');
    const raw = { width: 500, height: 400, channels: 3 as const, background: '#3366aa' };
    const [jpeg, png, huge] = [await noisy(500, 400), await picture(500, 400, 'png'), hugePng()];
    assert.ok(huge.length < 130_000, `${huge.length}`);
    const cases: [name: string, bytes: Buffer, status: number, code: string][] = [
      ['corrupt.jpg', Buffer.concat([jpeg.subarray(0, 300), Buffer.alloc(3_000, 0x55)]), 415, 'invalid_image'],
      ['truncated.jpg', jpeg.subarray(0, jpeg.length / 2), 415, 'invalid_image'],
      ['half.png', png.subarray(0, png.length / 2), 415, 'invalid_image'],
      ['empty.jpg', Buffer.alloc(0), 415, 'invalid_image'],
      ['mislabelled.jpg', png, 415, 'invalid_image'],
      ['huge.png', huge, 413, 'image_too_large'],
      ['cut.png', huge.subarray(0, 2_048), 413, 'image_too_large'],
      ['animated.gif', await moving(5, 400), 200, ''],
      ['cmyk.jpg', await sharp({ create: raw }).toColourspace('cmyk').jpeg().toBuffer(), 200, ''],
      ['deep.png', await sharp({ create: raw }).toColourspace('rgb16').png().toBuffer(), 200, ''],
    ];
    const offenders: unknown[] = [];
    for (const [name, bytes, status, code] of cases) {
      const format = name.endsWith('.gif') ? 'gif' : name.endsWith('.png') ? 'png' : 'jpeg';
      const { body } = await send(site, 'administrator', name, await picture(500, 400, format));
      const stem = name.replace(/\..*$/, '');
      writeFileSync(join(folder, name), bytes);
      rmSync(join(folder, name.replace('.', '-150x150.')));
      const answer = await admin.post(`${api}/regenerate/${body.id}`);
      const copies = readdirSync(folder).filter((file) => file.startsWith(`${stem}-`));
      const is = [answer.status, answer.body.code ?? '', copies.length];
      const meant = [status, code, status === 200 ? 2 : 1];
      if (JSON.stringify(is) !== JSON.stringify(meant)) offenders.push([name, ...is]);
    }
    assert.deepEqual(offenders, []);
    assert.deepEqual(aside(site), []);
    for (const [name] of cases.slice(0, 7)) rmSync(join(folder, name));
    assert.deepEqual(await broken(folder), []);
  });
});

describe('A disk that is full', () => {
  const engine = testEngine('sqlite');

  needsRoot('leaves the copies and the record as they were, and regeneration goes on once there is room', () =>
    onSmallDisk(async (folder) => {
      const site = await aSite(engine, { env: { GATEHOUSE_MEDIA: folder } });
      const admin = site.as('administrator');
      const { body: photo } = await send(site, 'administrator', 'a.jpg', await noisy(1200, 900));
      const record = async () => (await admin.get(`/api/core/v2/media/${photo.id}`)).body;
      const before = await record();
      const ballast = join(folder, 'ballast');
      for (let size = 4_000_000; size > 0; size -= 20_000)
        try {
          writeFileSync(ballast, Buffer.alloc(size));
          break;
        } catch {
          rmSync(ballast, { force: true });
        }
      const all = { only_regenerate_missing_thumbnails: false };
      const full = await admin.post(`${api}/regenerate/${photo.id}`, all);
      assert.deepEqual([full.status, full.body.code], [507, 'storage_full']);
      assert.deepEqual(await record(), before);
      rmSync(ballast);
      assert.deepEqual(await broken(folder), []);
      assert.equal((await admin.post(`${api}/regenerate/${photo.id}`, all)).status, 200);
      assert.deepEqual(Object.keys((await record()).media_details.sizes), Object.keys(before.media_details.sizes));
      assert.deepEqual(aside(site), []);
    }),
  );
});

describe('gatehouse thumbnails regenerate', () => {
  const engine = testEngine('sqlite');

  test('ends though it is killed ten times, and every file is whole', async () => {
    const { run, where, env, data } = await aSitePlace(engine);
    await run('migrate');
    const about = ['--email', 'admin@hillside.example', '--role', 'administrator', '--password-stdin'];
    await spawned(['user', 'create', 'admin', ...about, ...where], env, undefined, 'a long password\n');
    const seeded = await run('seed', '--media', '20', '--terms', '0', '--users', '0', '--posts', '3', '--pages', '0');
    assert.equal(seeded.code, 0, seeded.err);
    const originals = new Map(
      readdirSync(join(data, 'media'), { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile() && !/-\d+x\d+\./.test(one.name))
        .map((one) => [one.name, readFileSync(join(one.parentPath, one.name))]),
    );
    const args = ['thumbnails', 'regenerate', '--all', '--image-sizes', 'card=500x300-crop', ...where];
    for (let round = 0; round < 10; round++) {
      const running = startGatehouse(args, env);
      await Promise.race([pause(1_200 + round * 150), running.ended]);
      running.child.kill('SIGKILL');
      await running.ended;
      assert.deepEqual(await broken(join(data, 'media')), []);
    }
    const last = await startGatehouse(args, env).ended;
    assert.equal(last.code, 0, last.err);
    assert.match(last.out, /^Regenerated: \d+, skipped: 0\.\n$/);
    const files = readdirSync(join(data, 'media'), { recursive: true, withFileTypes: true });
    assert.equal(files.filter(({ name }) => name.includes('-500x300.')).length, originals.size);
    for (const one of files)
      if (originals.has(one.name))
        assert.deepEqual(readFileSync(join(one.parentPath, one.name)), originals.get(one.name));
    const wrong = await run('thumbnails', 'regenerate');
    assert.deepEqual([wrong.code, wrong.err.split('\n')[0]], [2, 'Give the IDs of media items, or --all.']);
    const unknown = await run('thumbnails', 'regenerate', '999999', '--json');
    assert.deepEqual([unknown.code, JSON.parse(unknown.out).skipped.length], [1, 1]);
  });
});
