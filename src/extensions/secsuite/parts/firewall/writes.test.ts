// Rules about what is written are asked whenever something is written for a request, and by nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aWalledSite, type Walled } from '#test/firewall-alone.ts';
import { sendExport } from '#test/import-page.ts';
import { aVisitor } from '#test/visitor.ts';
import { author, exportOf, item } from '#test/wxr.ts';

const posts = '/api/core/v2/posts';
const password = 'a quiet river';
const of = (value: string, action = 'create') => [
  { parameter: 'write.record', match: { type: 'equals', value }, inclusive: true },
  { parameter: 'write.action', match: { type: 'equals', value: action }, inclusive: true },
];
const settled = ({ app }: Walled): Promise<void> => app.services.events.settled();

eachEngine('Rules about what is written', (engine) => {
  test('refuse each part of a batch by itself, and count it', async () => {
    const site = await aWalledSite(engine);
    const id = await site.rule('BLOCK', of('post'));
    const requests = ['posts', 'categories'].map((base) => ({
      path: `/core/v2/${base}`,
      body: { title: 'One', name: 'One' },
    }));
    const { status, body } = await site.as('editor').post('/api/batch/v1', { requests });
    assert.equal(status, 207);
    assert.deepEqual(
      body.responses.map((one: { status: number }) => one.status),
      [403, 201],
    );
    await settled(site);
    assert.deepEqual([site.codes(), site.alone.struck], [[`BLOCK::${id}`], ['127.0.0.1']]);
  });

  test('look at who asks and at what was sent, know what is done, and log', async () => {
    const site = await aWalledSite(engine);
    const editor = site.as('editor');
    const { id } = (await editor.post(posts, { title: 'One' })).body;
    const rule = await site.rule('LOG', of('post', 'change'));
    const cannot = { parameter: 'rules', match: { type: 'current_user_cannot', value: 'edit_others_posts' } };
    await site.rule('BLOCK', [...of('post', 'delete'), { ...cannot, inclusive: true }]);
    const evil = { parameter: 'raw.title', match: { type: 'contains', value: 'evil' }, inclusive: true };
    await site.rule('BLOCK', [...of('post', 'change'), evil]);
    assert.equal((await editor.post(`${posts}/${id}`, { title: 'Two' })).status, 200);
    assert.equal((await editor.post(`${posts}/${id}`, { title: 'evil' })).status, 403);
    assert.deepEqual(site.codes().slice(0, 1), [`LOG::${rule}`]);
    assert.equal((await editor.delete(`${posts}/${id}?force=true`)).status, 200);
    const writer = site.as('author');
    const own = (await writer.post(posts, { title: 'Mine' })).body.id;
    assert.equal((await writer.delete(`${posts}/${own}`)).status, 200, 'the trash is a change');
    assert.equal((await writer.delete(`${posts}/${own}?force=true`)).status, 403);
  });

  test('hold on pages, where the session goes on', async () => {
    const site = await aWalledSite(engine);
    await site.user({ login: 'ada', roles: ['author'], password });
    const ada = aVisitor(site);
    await ada.signIn('ada', password);
    await site.rule('BLOCK', of('application_password'));
    const _wpnonce = await ada.token('/account', 'action="/account"');
    const { status, text } = await ada.post('/account', { do: 'add', name: 'Phone', _wpnonce });
    assert.deepEqual([status, /firewall of this site refuses/.test(text)], [403, true], text);
    assert.equal((await ada.get('/account')).status, 200);
  });

  test('refuse to begin an import of what may not be written', async () => {
    const site = await aWalledSite(engine);
    await site.user({ login: 'boss', roles: ['administrator'], password });
    const boss = aVisitor(site);
    await boss.signIn('boss', password);
    const send = () => sendExport(boss, exportOf(author('ada'), item({ title: 'Rivers' })));
    const rule = await site.rule('BLOCK', of('user'));
    assert.equal((await send()).status, 403);
    await site.app.services.jobs.settled();
    assert.deepEqual((await site.get(posts)).body, []);
    await site.alone.firewall.rules.remove(rule);
    assert.equal((await send()).status < 400, true);
    await site.app.services.jobs.settled();
    assert.equal((await site.get(posts)).body.length, 1);
  });

  test('are asked about what is deleted with a user', async () => {
    const site = await aWalledSite(engine);
    const leaving = await site.user({ login: 'ada', roles: ['author'], password });
    const admin = site.as('administrator');
    assert.equal((await admin.post(posts, { title: 'Mine', author: leaving.id })).status, 201);
    const rule = await site.rule('BLOCK', of('post', 'delete'));
    const path = `/api/core/v2/users/${leaving.id}?force=true&reassign=`;
    assert.equal((await admin.delete(path)).status, 403);
    assert.equal((await admin.get(`${posts}?status=draft&author=${leaving.id}`)).body.length, 1);
    await site.alone.firewall.rules.remove(rule);
    assert.equal((await admin.delete(path)).status, 200);
  });

  test('tell those that name no kind of record', async () => {
    const site = await aWalledSite(engine);
    const cause = await site.rule('BLOCK', of('posts')).catch((error: Error & { data: object }) => error);
    assert.match(JSON.stringify(cause), /`posts` is not a kind of record\. Write `post`\./);
  });

  test('are past for whoever a rule lets in, and ask nobody about scheduled work and jobs', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', of('post'));
    await site.rule('BLOCK', of('category'));
    const queue = (writes: string[]) =>
      site.app.services.jobs.kind<null>({
        name: `test.${writes.join()}`,
        about: 'Makes a term',
        writes,
        run: async () => {
          const { terms } = site.app.services.content;
          await terms.add('category', { name: `Of ${writes.join()}` }, {});
        },
      });
    await queue(['category']).add(null);
    await site.app.services.jobs.settled();
    assert.equal((await site.get('/api/core/v2/categories?search=Of')).body.length, 1);
    await site.rule('WHITELIST', [{ parameter: 'server.HTTP_X_LET', match: { type: 'isset' } }]);
    const editor = site.as('editor');
    assert.equal((await editor.request('POST', posts, { body: { title: 'One' } })).status, 403);
    const headers = { 'x-let': '1' };
    assert.equal((await editor.request('POST', posts, { body: { title: 'One' }, headers })).status, 201);
    site.alone.isTrusted = true;
    assert.equal((await editor.post(posts, { title: 'Two' })).status, 201);
  });
});
