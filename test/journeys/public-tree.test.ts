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

  test('is never called as what answers at the top of the site', async () => {
    const site = await aSite(engine);
    const make = makerOf(site);
    const names = [
      'login',
      'account',
      'authorize-application',
      'wp-admin',
      'metrics',
      'healthz',
      'readyz',
      'api',
      'wp-json',
    ];
    for (const slug of [...names, 'wp-content']) {
      const page = await make('pages', { title: slug, content: `About ${slug}.`, status: 'publish' });
      assert.equal(page.slug, `${slug}-2`);
      assert.match((await site.get(pathOf(site, page.link))).text, new RegExp(`About ${slug}\\.`));
    }
    const about = await make('pages', { title: 'About', status: 'publish' });
    const below = await make('pages', { title: 'Account', content: 'Below.', status: 'publish', parent: about.id });
    assert.equal(below.link, 'http://site.test/about/account/');
    assert.match((await site.get('/about/account/')).text, /Below\./);
    assert.equal((await make('posts', { title: 'API', status: 'publish' })).slug, 'api');
    await site.as('administrator').delete(`/api/core/v2/pages/${about.id}?force=true`);
    const risen = (await site.get(`/api/core/v2/pages/${below.id}`)).body;
    assert.equal(risen.link, 'http://site.test/account-3/');
    assert.equal((await make(`pages/${below.id}`, { slug: 'login' })).slug, 'login-3');
  });

  test('nor is a post, where its slug stands at the top', async () => {
    const site = await aSite(engine, { env: { GATEHOUSE_PERMALINK: '/%postname%/' } });
    const post = await makerOf(site)('posts', { title: 'Account', content: 'Of the year.', status: 'publish' });
    assert.equal(post.link, 'http://site.test/account-2/');
    assert.match((await site.get('/account-2/')).text, /Of the year\./);
  });
});
