// Exports that are too large, and large ones that are not; and an import that fails half-way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nobody } from '#kernel/caller.ts';
import { onBothStores } from '#test/databases.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { madeZip } from '#test/zips.ts';
import { readExportFile } from './document.ts';

const rpc = '/api/secsuite/rpc/import';
const mib = 2 ** 20;
const many = 60_000;
const everything = {
  sources: true,
  users: true,
  roles: true,
  self: '',
  behalf: { caller: nobody, wouldManage: () => true },
} as const;

onBothStores('Large exports', (engine) => {
  test('beyond the limits are refused, and up to them imported whole or not at all', async () => {
    const [site, { transfer, bans, dashboards }] = await aGuardedSite(engine);
    const admin = site.as('administrator');
    const { document } = await transfer.export({ title: '', sources: true, options: {}, by: undefined });
    const banned = Array.from({ length: many }, (_, n) => ({
      host: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
      created_at: '2026-11-01T00:00:00+00:00',
      comment: `ban ${n}`,
    }));
    const board = { id: 1, created_by: {}, created_at: '2026-11-01T00:00:00Z', label: 'Nobody’s', cards: [] };
    const boards = [{ ...board, shares: { users: [], roles: [] } }];
    const large = { ...document, sources: { ...document.sources, dashboard: boards, 'database-bans': banned } };
    const text = JSON.stringify(large);

    const inForm = (name: string, bytes: Buffer) => {
      const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
      const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]);
      return admin.post(`${rpc}/validate`, body, { 'Content-Type': 'multipart/form-data; boundary=x' });
    };
    const padded = Buffer.from(`{"export":"${'x'.repeat(100 * mib)}"}`);
    const rows = [
      ['100 MiB of JSON', () => admin.post(`${rpc}/run`, padded, { 'Content-Type': 'application/json' })],
      ['a file of 11 MiB', () => inForm('a.json', padded.subarray(0, 11 * mib))],
      ['a zip file of 100 MiB', () => inForm('a.zip', madeZip([{ name: 'a.json', content: padded }]))],
    ] as const;
    for (const [what, send] of rows) {
      const { status, body } = await send();
      assert.deepEqual([what, status, body.code], [what, 413, 'rest_upload_limit']);
    }

    const broken = { ...large, sources: { ...large.sources, settings: null } };
    await assert.rejects(transfer.run(broken, everything), { code: 'rest_invalid_param' });
    const failing = transfer.run(large, {
      ...everything,
      onProgress(title) {
        if (title === 'Settings') throw new Error('The disk is full.');
      },
    });
    await assert.rejects(failing, /The disk is full/);
    assert.equal(await bans.count(), 0);

    const read = await readExportFile(Buffer.from(text), 'a.json');
    assert.deepEqual(await transfer.run(read, everything), []);
    assert.equal(await bans.count(), many);
    const { id } = await site.caller('administrator');
    assert.deepEqual(
      (await dashboards.all()).map((one) => one.created_by),
      [id],
    );
    const again = await transfer.export({ title: '', sources: ['database-bans'], options: {}, by: undefined });
    assert.deepEqual(again.document.sources['database-bans'], banned);
  });
});
