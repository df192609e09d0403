// From a folder to a site that runs: the guest book is packed and signed at the shell, installed, and used by visitors.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { gatehouse } from '#test/gatehouse.ts';
import { aSite } from '#test/site.ts';

const crossSell = '/api/xsell_pcs/v1/plugincrosssell';
const lines = '/api/guest-book/v1/lines';

let folder: string;
let trusted: Record<string, string>;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const [packed, catalogue, key] = ['guest-book.zip', 'catalogue.json', 'mine.key'].map((name) => join(folder, name));
  const made = await gatehouse(['extension', 'pack', join(import.meta.dirname, 'guest-book'), '--out', packed!]);
  assert.equal(made.code, 0, made.err);
  const signed = await gatehouse(['extension', 'sign', packed!, '--key', key!, '--catalogue', catalogue!]);
  assert.equal(signed.code, 0, signed.err);
  trusted = { GATEHOUSE_CATALOGUE: catalogue!, GATEHOUSE_CATALOGUE_KEY: signed.out.trim() };
});
after(() => rmSync(folder, { recursive: true }));

eachEngine('a packed extension', (engine) => {
  test('is installed and switched on while the site runs, and then part of it', async () => {
    // What was signed just now has a date of now.
    const site = await aSite(engine, { env: trusted, clock: () => new Date() });
    const administrator = site.as('administrator');
    for (const step of ['install_plugin', 'activate_plugin']) {
      const { status, text } = await administrator.post(`${crossSell}/${step}`, { plugin_slug: 'guest-book' });
      assert.equal(status, 200, text);
    }
    assert.ok((await site.get('/api/')).body.namespaces.includes('guest-book/v1'));
    const said = { name: 'Ada', words: 'Such <b>lovely</b> roses!' };
    assert.equal((await site.post(lines, said)).status, 401);
    assert.equal((await site.as('subscriber').post(lines, said)).status, 201);
    assert.equal((await site.get(lines)).body[0].name, 'Ada');

    const { body } = await site
      .as('editor')
      .post('/api/core/v2/posts', { title: 'Our guests', status: 'publish', content: '[guest-book]' });
    const shown = async () => (await site.get(`/api/core/v2/posts/${body.id}`)).body.content.rendered;
    assert.match(await shown(), /<li>Such &lt;b&gt;lovely&lt;\/b&gt; roses! — Ada<\/li>/);
    await site.as('subscriber').post(lines, { name: 'Bob', words: 'And the pond!' });
    assert.match(await shown(), /And the pond! — Bob/);
  });
});
