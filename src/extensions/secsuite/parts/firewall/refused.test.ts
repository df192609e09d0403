import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aWalledSite, message, signedIn } from '#test/firewall-alone.ts';
import type { Answer } from '#test/site.ts';

const posts = '/api/core/v2/posts';
const bad = { parameter: 'get.bad', match: { type: 'isset' } };

const cleared = ({ headers }: Answer): boolean =>
  headers.getSetCookie().some((cookie) => /^site_session=;/.test(cookie));

eachEngine('Whom the firewall refuses', (engine) => {
  test('they are told so as programs or as people, and never by which rule', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [bad], { note: 'secret note' });
    const json = await site.get(`${posts}?bad=1`);
    assert.deepEqual(
      [json.status, json.body.code, json.body.data],
      [403, 'secsuite_firewall_blocked', { status: 403 }],
    );
    const asked = await site.get('/?bad=1', { accept: 'application/json' });
    assert.equal(asked.body.code, 'secsuite_firewall_blocked');
    const page = await site.get('/?bad=1');
    assert.equal(page.status, 403);
    assert.ok(page.text.includes(message));
    for (const { headers, text } of [json, asked, page]) {
      assert.match(headers.get('cache-control') ?? '', /no-store/);
      assert.match(headers.get('x-robots-tag') ?? '', /noindex/);
      assert.doesNotMatch(text, /secret note|A rule/);
    }
  });

  test('they are told so in their form also when it is known only later', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [{ parameter: 'post.bad', match: { type: 'isset' } }]);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const path of ['/login', '/no-such-page']) {
      const json = await site.post(path, 'bad=1', { ...form, accept: 'application/json' });
      assert.deepEqual([json.status, json.body?.code], [403, 'secsuite_firewall_blocked'], path);
      assert.match(json.headers.get('x-robots-tag') ?? '', /noindex/);
      const page = await site.post(path, 'bad=1', form);
      assert.deepEqual([page.status, page.text.includes(message)], [403, true], path);
    }
  });

  test('their session ends and its cookie is cleared', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [bad]);
    await site.user({ login: 'kim', password: 'the garden gate is open', roles: ['editor'] });
    const { sessions } = site.app.services.identity;
    for (const path of ['/?bad=1', `${posts}?bad=1`]) {
      const cookie = await signedIn(site);
      const session = () => sessions.find(cookie.slice('site_session='.length));
      assert.notEqual(await session(), undefined);
      const refused = await site.get(path, { cookie });
      assert.deepEqual([refused.status, cleared(refused)], [403, true], path);
      assert.equal(await session(), undefined, path);
    }
    assert.equal(cleared(await site.get('/?bad=1')), false);
    const known = site.as('editor');
    const refused = await known.get(`${posts}?bad=1`);
    assert.deepEqual([refused.status, cleared(refused)], [403, false]);
    assert.equal((await known.get('/api/core/v2/users/me')).status, 200);
  });

  test('it is counted once for each request, before it is answered, and logged with what was sent', async () => {
    const site = await aWalledSite(engine);
    const id = await site.rule('BLOCK', [{ parameter: 'raw.title', match: { type: 'equals', value: 'evil' } }]);
    const sent = { title: 'evil', password: 'hunter2' };
    assert.equal((await site.post(posts, sent, { 'user-agent': 'a test' })).status, 403);
    assert.deepEqual(site.alone.struck, ['127.0.0.1']);
    const [entry, ...others] = site.alone.logged;
    assert.deepEqual(entry, {
      module: 'firewall',
      code: `BLOCK::${id}`,
      type: 'action',
      data: { body_data: { post: {}, files: {}, raw: sent }, user_agent: 'a test', method: 'POST' },
    });
    assert.deepEqual(others, []);
  });

  test('a count that fails keeps nobody in', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [bad]);
    site.alone.struck.push = () => {
      throw new Error('The database is away.');
    };
    assert.equal((await site.get(`${posts}?bad=1`)).status, 403);
    assert.equal(site.log.lines.filter(({ level }) => level === 'error').length, 1);
    site.log.lines.length = 0;
  });

  test('they are told that what they sent cannot be read, where rules look at it', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [bad]);
    const deep = `?a${'[b]'.repeat(2_000)}=1`;
    const without = (await site.get(`${posts}${deep}`)).status;
    assert.equal(without, 400);
    assert.equal((await site.get(`/${deep}`)).status, 400);
  });
});
