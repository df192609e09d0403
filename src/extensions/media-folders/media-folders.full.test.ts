// Media folders at their limits: large files, many folders, deep trees.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { at, drawn, form, multipart, treesOf } from '#test/media-folders.ts';
import { aSite } from '#test/site.ts';
import { maxDepth } from './folders.ts';

const head = 'id,name,parent,type,ord,created_by,attachment_ids\r\n';
const rows = (count: number, row: (n: number) => string): string =>
  head + Array.from({ length: count }, (_, at) => `${row(at + 1)}\r\n`).join('');

eachEngine('Media folders at their limits', (engine) => {
  test('take a CSV file of 10,000 folders, and none that is larger', async () => {
    const site = await aSite(engine);
    const { get, post } = treesOf(site.as('editor'));
    const send = (csv: string) => post(`${at}/import-csv`, form('file', csv), multipart);
    const refused = async (csv: string) => {
      const { status, body } = await send(csv);
      return [status, body.code];
    };
    assert.deepEqual(await refused('x'.repeat(10 * 2 ** 20)), [413, 'rest_upload_file_too_big']);
    assert.deepEqual(await refused(rows(10_001, (n) => `${n},f${n},0,0,${n},0,`)), [400, 'invalid_csv']);
    const many = Array.from({ length: 200_001 }, (_, at) => at + 1).join('|');
    assert.deepEqual(await refused(`${head}1,a,0,0,0,0,${many}\r\n`), [400, 'invalid_csv']);
    const deep = rows(maxDepth + 1, (n) => `${n},d${n},${n - 1},0,0,0,`);
    assert.deepEqual(await refused(deep), [409, 'folder_limit']);
    assert.deepEqual((await get(`${at}/get-folders`)).body.tree, []);

    const full = await send(rows(10_000, (n) => `${n},f${n},${n <= 100 ? 0 : (n % 100) + 1},0,${n},0,${n}`));
    assert.deepEqual([full.body.data.folders_created, full.body.data.attachments_skipped], [10_000, 10_000]);
    const { tree, attachmentsCount } = (await get(`${at}/get-folders`)).body;
    assert.deepEqual([tree.length, tree[0].children.length], [100, 99]);
    assert.equal(Object.keys(attachmentsCount.actual).length, 10_000);
    const more = await post(`${at}/new-folder`, { title: 'more', parent: 0 });
    assert.deepEqual([more.status, more.body.code], [409, 'folder_limit']);
    const again = await send(rows(10_000, (n) => `${n},F${n},${n <= 100 ? 0 : (n % 100) + 1},0,${n},0,${n}`));
    assert.deepEqual([again.body.data.folders_created, again.body.data.folders_reused], [0, 10_000]);
  });

  test('are 50 levels deep at most, however they come there', async () => {
    const site = await aSite(engine);
    const { make, drag, tree, post } = treesOf(site.as('editor'));
    const path: number[] = [];
    for (let level = 0; level < maxDepth; level++) path.push(await make(`l${level}`, path.at(-1) ?? 0));
    const deeper = await post(`${at}/new-folder`, { title: 'x', parent: path.at(-1) });
    assert.deepEqual([deeper.status, deeper.body.code], [409, 'folder_limit']);
    const [top, below] = [await make('top'), 0];
    const inner = await make('inner', top);
    const before = await tree();
    const dragged = await drag(top, path.at(-2)!, below, path.at(-2)!);
    assert.deepEqual([dragged.status, dragged.body.code, await tree()], [409, 'folder_limit', before]);
    assert.equal((await drag(top, path.at(-3)!, 0, path.at(-3)!)).status, 200);
    assert.equal((await post(`${at}/delete-folder`, { ids: [path[0]] })).status, 200);
    assert.deepEqual([await tree(), inner > top], ['', true]);
  });

  test('are mended when a parent is missing, and read anew by another process', async () => {
    const site = await aSite(engine);
    const { make, tree, get, post } = treesOf(site.as('editor'));
    const [a, b] = [await make('A'), await make('B')];
    const lost = await make('A', b);
    assert.equal(await tree(), 'A0 B1(A0)');
    await site.app.services.store.write(async (tx) => {
      await tx.updateTable('media_folders').set({ parent: 999_999, version: 99 }).where('id', '=', lost).execute();
      await tx.updateTable('media_folder_trees').set({ version: 99 }).execute();
    });
    assert.equal(drawn((await get(`${at}/get-folders`)).body.tree), 'A0 A0 B1');
    assert.equal((await post(`${at}/update-folder-color`, { folderId: a, color: '#fff' })).status, 200);
    assert.equal(await tree(), 'A0 A (1)0 B1');
  });

  test('stay with an account that gets another number', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    await admin.post(`${at}/set-settings`, { USER_MODE: 1 });
    const { make, tree } = treesOf(admin);
    await make('Mine');
    const run = await admin.post('/api/secsuite/v1/tools/change-id-1-user', {});
    assert.equal(run.status < 300, true, run.text);
    assert.equal(await site.app.services.identity.users.find(1), undefined);
    assert.equal(await tree(), 'Mine0');
  });
});
