// A draft as its page will look: for the people who may edit it, and for nobody else.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { hour } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { basicOf } from '#test/people.ts';
import { type Made, pathOf, published } from '#test/published.ts';
import { aSite, noon, type TestSite } from '#test/site.ts';
import { aVisitor, type Shown, signedInAs, type Visitor } from '#test/visitor.ts';

eachEngine('The preview of a draft', (engine) => {
  let now = noon;
  let site: TestSite;
  let make: Awaited<ReturnType<typeof published>>['make'];
  let editor: Visitor;

  before(async () => {
    site = await aSite(engine, { clock: () => now });
    ({ make } = await published(site));
    editor = await signedInAs(site, 'editor');
  });

  const draft = (more: object = {}): Promise<Made> =>
    make('posts', { title: 'Lanterns', content: 'Unfinished lanterns.', status: 'draft', ...more });

  const previewOf = (link: string): string => {
    const path = pathOf(site, link);
    return `${path}${path.includes('?') ? '&' : '?'}preview=true`;
  };

  const isShown = (answer: Shown, text: RegExp): void => {
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.text, text);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
    assert.equal(answer.headers.get('etag'), null);
  };

  test('is at its own link, by session alone, whatever its type and status', async () => {
    for (const [path, more] of [
      ['posts', {}],
      ['posts', { status: 'pending' }],
      ['posts', { status: 'private' }],
      ['posts', { status: 'future', date: '2027-01-01T00:00:00' }],
      ['posts', { password: 'open it' }],
      ['pages', {}],
      ['pages', { status: 'private' }],
    ] as const) {
      const { link } = await make(path, { title: 'Lanterns', content: 'Of paper.', status: 'draft', ...more });
      const preview = previewOf(link);
      isShown(await editor.get(preview), /Of paper\./);
      assert.equal((await site.get(preview)).status, 404, `${preview} without a session`);
      isShown(await editor.get(preview), /Of paper\./);
    }
  });

  test('shows the newest that this person wrote and did not save', async () => {
    const { id, link } = await draft();
    const other = await signedInAs(site, 'administrator');
    const asEditor = site.as('editor');
    assert.equal((await asEditor.post(`/api/core/v2/posts/${id}/autosaves`, { content: 'Brighter.' })).status, 200);
    isShown(await editor.get(previewOf(link)), /Brighter\./);
    isShown(await other.get(previewOf(link)), /Unfinished lanterns\./);
  });

  test('of what is published is at its permalink, with what is not saved, and readers see nothing of it', async () => {
    const { id, link } = await draft({ status: 'publish', title: 'Published lanterns' });
    await site.as('editor').post(`/api/core/v2/posts/${id}/autosaves`, { content: 'Not for readers.' });
    isShown(await editor.get(previewOf(link)), /Not for readers\./);
    const stranger = await site.get(previewOf(link));
    assert.deepEqual([stranger.status, /Not for readers/.test(stranger.text)], [200, false]);
    assert.doesNotMatch((await site.get(pathOf(site, link))).text, /Not for readers/);
  });

  test('has each part of a long text, and a featured picture that is not saved yet', async () => {
    const { link } = await draft({ content: 'First light.<!--nextpage-->Second light.' });
    const first = await editor.get(previewOf(link));
    isShown(first, /First light\./);
    const [, more = ''] = /href="([^"]*page=2)"/.exec(first.text) ?? [];
    isShown(await editor.get(pathOf(site, more.replaceAll('&amp;', '&'))), /Second light\./);
    assert.equal((await editor.get(`${previewOf(link)}&page=3`)).status, 404);
    const { id, media_details } = (await site.get('/api/core/v2/media')).body[0];
    isShown(await editor.get(`${previewOf(link)}&_thumbnail_id=${id}`), new RegExp(media_details.sizes.large.file));
  });

  test('is missing for people who may not edit it', async () => {
    const { link } = await draft();
    for (const role of ['subscriber', 'contributor', 'author']) {
      const visitor = await signedInAs(site, role);
      assert.equal((await visitor.get(previewOf(link))).status, 404, role);
    }
    const trashed = await draft();
    await site.as('administrator').delete(`/api/core/v2/posts/${trashed.id}`);
    assert.equal((await editor.get(previewOf(trashed.link))).status, 404, 'in the trash');
  });

  test('opens for an hour by the link that an app gets, without a session', async () => {
    const app = await site.user({ login: 'app', roles: ['editor'] });
    const { id } = await draft();
    const saved = await site.asUser(app).post(`/api/core/v2/posts/${id}/autosaves`, { content: 'From a phone.' });
    const link = pathOf(site, saved.body.preview_link);
    const nobody = aVisitor(site);
    isShown(await nobody.get(link), /From a phone\./);
    isShown(await (await signedInAs(site, 'subscriber')).get(link), /From a phone\./);
    const another = await draft();
    for (const [what, changed] of [
      ['another record', link.replace(`preview_id=${id}`, `preview_id=${another.id}`)],
      ['another password', link.replace(/(preview_nonce=\d+)\.\d+\./, '$1.999.')],
      ['a later end', link.replace(/preview_nonce=\d/, 'preview_nonce=9')],
      ['no signature', link.replace(/(preview_nonce=[^&]*)\.[^.&]*/, '$1')],
      ['no token', link.replace(/preview_nonce=[^&]*/, 'preview_nonce=')],
    ] as const) {
      assert.notEqual(changed, link, what);
      assert.equal((await nobody.get(changed)).status, 404, what);
    }
    now = new Date(noon.getTime() + hour - 1_000);
    isShown(await nobody.get(link), /From a phone\./);
    now = new Date(noon.getTime() + hour);
    assert.equal((await nobody.get(link)).status, 404, 'after an hour');
    now = noon;
    await site.app.services.identity.users.change(app, { roles: ['subscriber'] });
    assert.equal((await nobody.get(link)).status, 404, 'once they may not edit it any more');
  });

  test('by that link ends with the application password that made it', async () => {
    const app = await site.user({ login: 'revoked', roles: ['editor'] });
    const { applicationPasswords } = site.app.services.identity;
    const [kept, revoked] = [
      await applicationPasswords.add(app, { name: 'Kept' }),
      await applicationPasswords.add(app, { name: 'Revoked' }),
    ];
    const { id } = await draft();
    const linkBy = async (secret: string): Promise<string> => {
      const headers = { authorization: basicOf('revoked', secret) };
      const saved = await site.post(`/api/core/v2/posts/${id}/autosaves`, { content: 'From a phone.' }, headers);
      return pathOf(site, saved.body.preview_link);
    };
    const [first, second] = [await linkBy(kept.password), await linkBy(revoked.password)];
    const nobody = aVisitor(site);
    for (const link of [first, second]) isShown(await nobody.get(link), /From a phone\./);
    const { password } = revoked;
    const own = { authorization: basicOf('revoked', password) };
    const path = `/api/core/v2/users/me/application-passwords/${revoked.uuid}`;
    assert.equal((await site.delete(path, undefined, own)).status, 200);
    assert.equal((await nobody.get(second)).status, 404);
    isShown(await nobody.get(first), /From a phone\./);
  });

  test('by that link shows what is published with what its writer did not save', async () => {
    const { id } = await draft({ status: 'publish', title: 'Out already' });
    const saved = await site.as('editor').post(`/api/core/v2/posts/${id}/autosaves`, { content: 'Only later.' });
    isShown(await aVisitor(site).get(pathOf(site, saved.body.preview_link)), /Only later\./);
    await site.app.services.sessionKey.renew();
    const after = await aVisitor(site).get(pathOf(site, saved.body.preview_link));
    assert.deepEqual([after.status, /Only later/.test(after.text)], [200, false], 'with new keys it opens nothing');
  });
});
