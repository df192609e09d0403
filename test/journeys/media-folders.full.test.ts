// Media folders in two processes of one site: two people at one tree, a tree that moves out and in, and the extensions switched on and off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { at, form, multipart, treesOf } from '#test/media-folders.ts';
import { aSite, type Client, type TestSite } from '#test/site.ts';
import { withinASecond } from '#test/soon.ts';
import { send } from '#test/uploads.ts';

type Headers = Record<string, string>;

/** Two processes that serve one site. */
async function twice(engine: TestEngine, options: Parameters<typeof aSite>[1] = {}): Promise<[TestSite, TestSite]> {
  const one = await aSite(engine, options);
  const { data, media, database } = one.config;
  const shared = { ...options.config, data, media, ...(database && { database }) };
  return [one, await aSite(engine, { ...options, config: shared })];
}

/** Through this process, with the credentials that another one made. */
const through = ({ get, post }: TestSite, known: Headers): Pick<Client, 'get' | 'post'> => ({
  get: (path, headers) => get(path, { ...known, ...headers }),
  post: (path, body, headers) => post(path, body, { ...known, ...headers }),
});

onBothStores('Media folders in two processes', (engine) => {
  test('two people who drag in one tree at once lose nothing, and the tree comes back from its CSV file', async () => {
    const [one, two] = await twice(engine);
    const manager = await one.credentials('administrator');
    const anna = treesOf(one.as('editor'));
    const ben = treesOf(through(two, await one.credentials('author')));
    const owner = treesOf(through(one, manager));
    const there = through(two, manager);
    const ids: number[] = [];
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) ids.push(await anna.make(name));
    const [a, b, c, d, e, f] = ids as [number, number, number, number, number, number];
    const drags = await Promise.all([
      anna.drag(c, a, 0, a),
      ben.drag(d, b, 0, b),
      anna.drag(e, a, 0, a),
      ben.drag(f, b, 0, b),
      anna.drag(a, b, 1, 0),
      ben.drag(b, a, -1, 0),
    ]);
    assert.deepEqual(
      drags.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200],
    );
    const tree = await anna.tree();
    assert.deepEqual(tree.match(/[A-F]/g)?.sort(), ['A', 'B', 'C', 'D', 'E', 'F']);
    await withinASecond(() => ben.tree(), tree);
    const order = async () => (await ben.tree()).replace(/\d/g, '');

    const file = (await send(one, 'author', 'a.txt', 'x', `?mf_folder=${c}`)).body.id;
    const csv = (await there.get(`${at}/export-csv?format=csv`)).text;
    assert.equal((await owner.post(`${at}/mf-wipe-clear-all-data`)).status, 200);
    await withinASecond(() => ben.tree(), '');
    const taken = await owner.post(`${at}/import-csv`, form('file', csv), multipart);
    assert.equal(taken.status, 200, taken.text);
    await withinASecond(order, tree.replace(/\d/g, ''));
    const again = (await there.get(`${at}/export-csv?format=csv`)).text;
    assert.equal(again.includes(`,${file}\r\n`), true, again);
  });

  test('deployment A becomes B and A again, in both processes, and keeps the data', async () => {
    const [one, two] = await twice(engine, { deployment: 'a' });
    const namespaces = async (site: TestSite): Promise<string> =>
      JSON.stringify((await site.get('/api/')).body.namespaces);
    const before = await namespaces(one);
    const { extensions } = one.app.services;
    for (const name of ['media-folders', 'regenerate-thumbnails']) await extensions.activate(name, {});
    const b = await aSite(engine, { deployment: 'b' });
    const wanted = await namespaces(b);
    await withinASecond(() => namespaces(one), wanted);
    await withinASecond(() => namespaces(two), wanted);
    const { get, make, tree } = treesOf(through(two, await one.credentials('administrator')));
    await make('Kept');
    for (const name of ['regenerate-thumbnails', 'media-folders']) await extensions.deactivate(name, {});
    for (const site of [one, two]) await withinASecond(() => namespaces(site), before);
    assert.equal((await get(`${at}/get-folders`)).status, 404);
    await extensions.activate('media-folders', {});
    await withinASecond(async () => (await get(`${at}/get-folders`)).status, 200);
    assert.equal(await tree(), 'Kept0');
  });
});
