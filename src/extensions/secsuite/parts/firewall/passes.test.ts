import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aWalledSite, signedIn } from '#test/firewall-alone.ts';
import type { Answer, Client } from '#test/site.ts';
import { send } from '#test/uploads.ts';

const posts = '/api/core/v2/posts';
const has = (parameter: string, value: string) => ({ parameter, match: { type: 'contains', value } });
const bad = has('get.bad', '');
const cannot = (value: string) => ({ parameter: 'rules', match: { type: 'current_user_cannot', value } });
const both = (...some: object[]) => some.map((one) => ({ ...one, inclusive: true }));
const blocked = (status: number, code = 'secsuite_firewall_blocked') => ({ status, code });
const told = ({ status, body }: Answer) => ({ status, code: body?.code });
const through = { status: 200, code: undefined };
const made = { status: 201, code: undefined };

eachEngine('The firewall', (engine) => {
  test('refuses what a rule matches, wherever it is asked', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [bad]);
    for (const path of [
      `${posts}?bad=1`,
      '/api/nowhere?bad=1',
      '/api/?bad=1',
      `${posts}?_embed&bad=1`,
      '/wp-json/wp/v2/posts?bad=1',
      '/?rest_route=/wp/v2/posts&bad=1',
    ])
      assert.deepEqual(told(await site.get(path)), blocked(403), path);
    assert.deepEqual(told(await site.options(`${posts}?bad=1`)), blocked(403));
    assert.equal((await site.request('HEAD', `${posts}?bad=1`)).status, 403);
    for (const path of ['/?bad=1', '/login?bad=1', '/no-such-page?bad=1', '/wp-content/uploads/x.jpg?bad=1'])
      assert.deepEqual([(await site.get(path)).status, (await site.request('HEAD', path)).status], [403, 403], path);
    assert.deepEqual(told(await site.as('administrator').get(`${posts}?bad=1`)), blocked(403));
    assert.deepEqual(told(await site.get(posts)), through);
    assert.equal((await site.get('/login')).status, 200);
  });

  test('refuses before an answer that was kept is sent, and from the moment that a rule is there', async () => {
    const site = await aWalledSite(engine);
    for (const _ of [1, 2, 3]) assert.equal((await site.get(`${posts}?per_page=3`)).status, 200);
    const id = await site.rule('BLOCK', [has('server.REQUEST_URI', 'per_page=3')]);
    assert.deepEqual(told(await site.get(`${posts}?per_page=3`)), blocked(403));
    await site.alone.firewall.rules.change(id, { paused: true });
    assert.equal((await site.get(`${posts}?per_page=3`)).status, 200);
    await site.alone.firewall.rules.change(id, { paused: false });
    assert.deepEqual(told(await site.get(`${posts}?per_page=3`)), blocked(403));
    await site.alone.firewall.rules.remove(id);
    assert.equal((await site.get(`${posts}?per_page=3`)).status, 200);
  });

  test('looks at nothing while it is switched off', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [bad]);
    site.alone.isOn = false;
    assert.equal((await site.get(`${posts}?bad=1`)).status, 200);
    assert.deepEqual(site.codes(), []);
  });

  test('asks of what somebody may do before a file is sent to them', async () => {
    const site = await aWalledSite(engine);
    const file = new URL((await send(site, 'author', 'x.txt', 'Words')).body.source_url).pathname;
    await site.user({ login: 'kim', password: 'the garden gate is open', roles: ['editor'] });
    await site.user({ login: 'lee', password: 'the garden gate is open', roles: ['author'] });
    await site.rule('BLOCK', both(has('server.REQUEST_URI', 'x.txt'), cannot('edit_others_posts')));
    const [editor, author] = [await signedIn(site), await signedIn(site, 'lee')];
    const asked = async (headers: Record<string, string>) => (await site.get(file, headers)).status;
    assert.deepEqual(
      [await asked({}), await asked({ cookie: author }), await asked({ cookie: editor })],
      [403, 403, 200],
    );
    assert.equal(await asked({ authorization: 'Basic eDp5' }), 403);
  });

  test('asks of what somebody may do once it is known who they are', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', both(bad, cannot('edit_others_posts')));
    const asks = async (who: Client) => told(await who.get(`${posts}?bad=1`));
    assert.deepEqual(await asks(site.as('editor')), through);
    assert.deepEqual(await asks(site.as('author')), blocked(403));
    for (const _ of [1, 2]) assert.deepEqual(await asks(site), blocked(403));
    assert.equal((await site.get('/login?bad=1')).status, 403);
    assert.deepEqual(told(await site.get(posts)), through);
    await site.rule('BLOCK', both(has('raw.title', 'evil'), cannot('administrator')));
    assert.deepEqual(told(await site.as('editor').post(posts, { title: 'evil' })), blocked(403));
    assert.deepEqual(told(await site.as('administrator').post(posts, { title: 'evil' })), made);
  });

  test('asks of what was asked of a route, and of each part of a batch; the whole batch is refused', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', both(has('rest.params.title', 'evil'), has('rest.route', 'posts')));
    const editor = site.as('editor');
    assert.deepEqual(told(await editor.post(posts, { title: 'evil' })), blocked(403));
    assert.deepEqual(told(await site.get(`${posts}?title=evil`)), blocked(403));
    assert.deepEqual(told(await site.get('/api/core/v2/tags?title=evil')), through);
    const batch = (...titles: string[]) =>
      editor.post('/api/batch/v1', {
        requests: titles.map((title) => ({ path: '/core/v2/posts', body: { title } })),
      });
    assert.equal((await batch('one', 'two')).status, 207);
    const before = (await editor.get(`${posts}?status=draft`)).body.length;
    assert.deepEqual(told(await batch('one', 'evil')), blocked(403));
    assert.equal((await editor.get(`${posts}?status=draft`)).body.length, before);
  });

  test('asks of every value of a name that was sent several times, since a list is all of them', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [has('get.slug', 'evil'), has('post.slug', 'evil'), has('get.ord*', 'evil')]);
    await site.rule('BLOCK', [has('request.include', '666'), has('rest.params.exclude', '666')]);
    const slugs = (query: string) => site.get(`${posts}?${query}`);
    assert.deepEqual(told(await slugs('slug=good&slug=fine')), through);
    for (const query of [
      'slug=evil&slug=good',
      'slug=good&slug=evil',
      'order=evil&order=asc',
      'slug[]=x&slug=evil&slug=x',
    ])
      assert.deepEqual(told(await slugs(query)), blocked(403), query);
    assert.deepEqual(told(await slugs('include=666&include=1')), blocked(403));
    assert.deepEqual(told(await slugs('exclude=666&exclude=1')), blocked(403));
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    assert.deepEqual(told(await site.as('editor').post(posts, 'slug=evil&slug=good', form)), blocked(403));
  });

  test('looks at each part of a batch as if it had come by itself, and one that may pass lets no other pass', async () => {
    const site = await aWalledSite(engine);
    await site.rule('WHITELIST', [has('get.pass', 'please')]);
    await site.rule('BLOCK', [bad, has('raw.title', 'evil'), has('server.REQUEST_URI', '/core/v2/tags')]);
    const late = await site.rule('LOG', both(has('get.late', ''), cannot('edit_others_posts')));
    const batch = async (...requests: object[]) => (await site.as('author').post('/api/batch/v1', { requests })).status;
    const good = { path: '/core/v2/posts?pass=please', body: { title: 'x' } };
    assert.equal(await batch(good, good), 207);
    for (const part of [
      { path: '/core/v2/posts?bad=1', body: {} },
      { path: '/core/v2/posts', body: { title: 'evil' } },
      { path: '/core/v2/tags', body: { name: 'x' } },
      { path: '/no/such/route', body: { title: 'evil' } },
      { path: '/core/v2/posts', body: { title: 'evil', status: 'no such status' } },
    ])
      assert.deepEqual([await batch(part), await batch(good, part)], [403, 403], part.path);
    site.codes();
    assert.equal(await batch({ path: '/core/v2/posts?late=1', body: { title: 'x' } }), 207);
    assert.deepEqual(site.codes(), [`LOG::${late}`]);
    assert.equal(await batch({ path: '/core/v2/posts?late=1&pass=please', body: { title: 'x' } }), 207);
    assert.deepEqual(site.codes(), []);
  });

  test('lets pass whom a rule lets pass, and asks no other rule then', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [bad]);
    await site.rule('BLOCK', both(bad, cannot('administrator')));
    await site.rule('WHITELIST', [has('get.pass', 'please')]);
    assert.deepEqual(told(await site.get(`${posts}?bad=1`)), blocked(403));
    site.codes();
    assert.deepEqual(told(await site.get(`${posts}?bad=1&pass=please`)), through);
    assert.deepEqual(told(await site.as('author').get(`${posts}?bad=1&pass=please`)), through);
    assert.deepEqual(site.codes(), []);
  });

  test('goes on after a rule that logs, and tells each rule once', async () => {
    const site = await aWalledSite(engine);
    const first = await site.rule('LOG', [bad]);
    const late = await site.rule('LOG', [has('rest.params.bad', '')]);
    assert.deepEqual(told(await site.get(`${posts}?bad=1`)), through);
    assert.deepEqual(site.codes(), [`LOG::${first}`, `LOG::${late}`]);
    const requests = [1, 2].map(() => ({ path: '/core/v2/posts?bad=1', body: { title: 'x' } }));
    assert.equal((await site.as('editor').post('/api/batch/v1?bad=1', { requests })).status, 207);
    assert.deepEqual(site.codes(), [`LOG::${first}`, `LOG::${late}`]);
  });

  test('leads elsewhere, also those who are trusted', async () => {
    const site = await aWalledSite(engine);
    const to = 'https://elsewhere.test/';
    const all = await site.rule('REDIRECT', [bad], { type_params: to });
    const led = async (path: string) => {
      const { status, headers } = await site.get(path);
      return [status, headers.get('location'), headers.get('cache-control')?.includes('no-store')];
    };
    for (const path of [`${posts}?bad=1`, '/?bad=1']) {
      assert.deepEqual(await led(path), [302, to, true], path);
      assert.deepEqual(site.codes(), [`REDIRECT::${all}`]);
    }
    site.alone.isTrusted = true;
    assert.deepEqual(await led('/?bad=1'), [302, to, true]);
    assert.deepEqual(site.alone.struck, []);
  });

  test('refuses nobody who is trusted, but logs and counts; what spares them is left out', async () => {
    const site = await aWalledSite(engine);
    const one = await site.rule('BLOCK', [bad]);
    const two = await site.rule('BLOCK', [bad]);
    await site.rule('LOG', [bad], { bypass_whitelist: false });
    site.alone.isTrusted = true;
    assert.deepEqual(told(await site.get(`${posts}?bad=1`)), through);
    assert.deepEqual(site.codes(), [`BLOCK::${one}`, `BLOCK::${two}`]);
    await site.app.services.events.settled();
    assert.equal(site.alone.struck.length, 2);
    site.alone.isTrusted = false;
    assert.deepEqual(told(await site.get(`${posts}?bad=1`)), blocked(403));
    assert.deepEqual(site.codes(), [`BLOCK::${one}`]);
    assert.equal(site.alone.struck.length, 3);
  });

  test('inspects the ends of what is too long of those who may write, and refuses it of others', async () => {
    const site = await aWalledSite(engine);
    const pattern = { parameter: 'raw.content', match: { type: 'regex', value: '/evil$/' } };
    await site.rule('BLOCK', [pattern]);
    const content = 'x'.repeat(70_000);
    const as = (who: Client, text = content) => who.post(posts, { title: 'x', content: text });
    assert.deepEqual(told(await as(site.as('author'))), made);
    assert.deepEqual(told(await as(site.as('author'), `${content}evil`)), blocked(403));
    assert.deepEqual(told(await as(site.as('subscriber'))), blocked(413, 'secsuite_value_too_long'));
    assert.deepEqual(told(await as(site)), blocked(413, 'secsuite_value_too_long'));
    site.alone.isTrusted = true;
    assert.deepEqual(told(await as(site)), blocked(401, 'rest_cannot_create'));
  });
});
