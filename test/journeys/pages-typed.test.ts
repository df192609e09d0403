// The addresses people type by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { testRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';
import { aVisitor } from '#test/visitor.ts';

describeAsync('An address typed by hand', async () => {
  const engine = testEngine('sqlite');
  const site = await aSite(engine, { config: { url: 'http://site.test/cms' } });

  const paths = ['/login', '/account', '/authorize-application', '/wp-login.php', '/wp-admin/profile.php', '/wp-admin'];
  testRows('answers with a slash at its end as without', paths, async (path) => {
    const [one, other] = await Promise.all([path, `${path}/`].map((way) => aVisitor(site).get(`/cms${way}?a=1`)));
    assert.deepEqual([other?.status, other?.to], [one?.status, one?.to]);
    assert.notEqual(one?.status, 404);
  });

  test('that leads nowhere shows a page with the way home, for any method', async () => {
    for (const path of ['/cms/no/page', '/cms/login/x', '/cms/login//']) {
      const { status, text, headers } = await aVisitor(site).get(path);
      assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=UTF-8'], path);
      assert.equal(headers.get('link'), '<http://site.test/cms/wp-json/>; rel="https://api.w.org/"', path);
      assert.match(text, /<h1>This page does not exist<\/h1>/);
      assert.match(text, /<a href="\/cms\/">Go to the front page/);
      assert.match(headers.get('content-security-policy')!, /^default-src 'none'/);
      assert.equal(text.includes(path), false, 'nothing of the address is repeated');
    }
    assert.equal((await site.request('DELETE', '/cms/login')).status, 404);
  });

  test('leaves the interface and the pages of operators as they are', async () => {
    assert.equal((await site.get('/cms/wp-json/no/route')).body.code, 'rest_no_route');
    for (const path of ['/healthz', '/readyz'])
      assert.match((await site.get(path)).headers.get('content-type')!, /^text\/plain/);
  });
});
