// What SQL orders, counts and locks: two people in one tree at once, and files of a folder among many.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { at, drawn, treesOf } from '#test/media-folders.ts';
import { aSite } from '#test/site.ts';
import { media, send } from '#test/uploads.ts';
import { extensions as bundled } from '../all.ts';

onBothStores('Media folders', (engine) => {
  test('keep their order and have no cycle when two people drag at once', async () => {
    const site = await aSite(engine);
    const [author, editor] = [treesOf(site.as('author')), treesOf(site.as('editor'))];
    const ids: number[] = [];
    for (const name of ['A', 'B', 'C', 'D', 'E']) ids.push(await author.make(name));
    const [a, b, c, d, e] = ids as [number, number, number, number, number];
    const crossed = await Promise.all([author.drag(a, b, 0, b), editor.drag(b, a, 0, a)]);
    assert.deepEqual(crossed.map(({ status }) => status).sort(), [200, 409]);
    const moved = await Promise.all([author.drag(e, c, -1, 0), editor.drag(d, c, 1, 0), author.drag(c, e, 1, 0)]);
    assert.deepEqual(
      moved.map(({ status }) => status),
      [200, 200, 200],
    );
    const { tree } = (await author.get(`${at}/get-folders`)).body;
    const names = drawn(tree).replaceAll(/[^A-Z]/g, '');
    assert.deepEqual([...names].sort().join(''), 'ABCDE');
    const orders = tree.map(({ ord }: { ord: number }) => ord);
    assert.deepEqual([new Set(orders).size, orders], [orders.length, orders.toSorted((x: number, y: number) => x - y)]);
    const same = await Promise.all(['x', 'X'].map((title) => author.post(`${at}/new-folder`, { title, parent: 0 })));
    assert.deepEqual(same.map(({ status }) => status).sort(), [200, 409]);

    const files: number[] = [];
    for (const name of ['1.txt', '2.txt', '3.txt']) files.push((await send(site, 'author', name, name)).body.id);
    await Promise.all([c, d].map((folderId) => author.post(`${at}/assign-folder`, { folderId, ids: files })));
    const { actual } = (await author.get(`${at}/get-folders`)).body.attachmentsCount;
    assert.deepEqual([actual[c] + actual[d], Math.max(actual[c], actual[d])], [3, 3]);
    const holder = actual[c] === 3 ? c : d;
    const page = await author.get(`${media}?mf_folder=${holder}&orderby=id&order=asc&per_page=2`);
    assert.deepEqual(
      [page.body.map(({ id }: { id: number }) => id), page.headers.get('x-wp-total')],
      [files.slice(0, 2), '3'],
    );
    const deleted = await author.post(`${at}/delete-folder`, { ids: [holder] });
    assert.equal(deleted.body.actual[holder], undefined);
    assert.equal((await author.get(`${media}?mf_folder=0`)).body.length, 3);
  });
});

onBothStores('A site of deployment A', (engine) => {
  test('serves media folders while they are turned on, and keeps them while they are off', async () => {
    const site = await aSite(engine, { deployment: 'a', extensions: bundled });
    const { extensions } = site.app.services;
    const names = async (): Promise<string[]> => (await site.get('/api/')).body.namespaces;
    const without = await names();
    await extensions.activate('media-folders', {});
    const own = ['mediafolders/v1', 'mediafolders/public/v1'];
    const listed = site.config.deployment.namespaces.filter((name) => [...without, ...own].includes(name));
    assert.deepEqual(await names(), listed);
    const admin = treesOf(site.as('administrator'));
    const kept = await admin.make('Kept');
    const file = (await send(site, 'administrator', 'a.txt', 'x', `?mf_folder=${kept}`)).body.id;
    await extensions.deactivate('media-folders', {});
    assert.deepEqual([await names(), (await admin.get(`${at}/get-folders`)).status], [without, 404]);
    assert.equal((await admin.get(`${media}?mf_folder=${kept}`)).status, 200);
    await site.as('administrator').delete(`${media}/${file}?force=true`);
    await extensions.activate('media-folders', {});
    assert.deepEqual((await admin.get(`${at}/get-folders`)).body.attachmentsCount.actual, { [kept]: 0 });
  });
});
