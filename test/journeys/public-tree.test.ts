// Pages below pages: whatever becomes of what is above them, and whatever they are called, their addresses lead to them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { makerOf, pathOf } from '#test/published.ts';
import { aSite } from '#test/site.ts';

eachEngine('A published page', (engine) => {
  test('below one that nobody sees is where its link and the map of the site say', async () => {
    const site = await aSite(engine);
    const make = makerOf(site);
    const states = [{ status: 'draft' }, { status: 'draft', slug: 'named' }, { status: 'pending', slug: 'waiting' }];
    const upper = [];
    for (const state of [...states, { status: 'private' }, { status: 'future', date: '2031-01-01T00:00:00' }])
      upper.push(await make('pages', { title: `Above ${upper.length}`, ...state }));
    const trashed = await make('pages', { title: 'Above trashed', status: 'publish' });
    const links: string[] = [];
    for (const { id } of [...upper, trashed]) {
      const page = await make('pages', { title: `Below ${id}`, status: 'publish', parent: id, content: 'Here.' });
      links.push(page.id);
    }
    const gone = await site.as('administrator').delete(`/api/core/v2/pages/${trashed.id}`);
    assert.equal(gone.status, 200);
    const map = (await site.get('/sitemap-page-1.xml')).text;
    const told = [...map.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url!);
    for (const id of links) {
      const { link } = (await site.get(`/api/core/v2/pages/${id}`)).body;
      assert.ok(told.includes(link), link);
      assert.doesNotMatch(pathOf(site, link), /\/\//);
    }
    for (const url of told) assert.equal((await site.get(pathOf(site, url))).status, 200, url);
  });
});
