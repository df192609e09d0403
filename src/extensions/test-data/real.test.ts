// What people made of test data, or beside it, stays when that is taken away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { ordered, testDataOf } from '#test/test-data.ts';
import { core } from '../core/extension.ts';
import { testData } from './extension.ts';

const made = async (site: TestSite, kind: string, order: object): Promise<number[]> => {
  const { status, text, body } = await ordered(site.as('administrator'), kind, { seed: 'real', ...order });
  assert.equal(status, 200, text);
  return body.data.ids.sort((one: number, other: number) => one - other);
};

eachEngine('taking test data away, on a site that people use', (engine) => {
  const open = () => aSite(engine, { extensions: [core, testData] });
  const remaining = async (site: TestSite) => {
    const { removed, kept } = await testDataOf(site).removal.remove();
    return { removed, kept: kept.map(({ kind, id, code }) => [kind, id, code]) };
  };

  test('leaves a record that somebody has commented on, with the comment', async () => {
    const site = await open();
    const [spoken, , spammed] = await made(site, 'posts', { quantity: 3 });
    const [first] = await made(site, 'comments', { quantity: 1, post_ids: [spoken] });
    const admin = site.as('administrator');
    const answer = { post: spoken, parent: first, content: 'This is well said.' };
    const comment = (await admin.post('/api/core/v2/comments', answer)).body.id;
    await admin.post('/api/core/v2/comments', { post: spammed, content: 'Buy boats', status: 'spam' });
    const { removed, kept } = await remaining(site);
    assert.deepEqual(removed, { comments: 1, posts: 2, terms: 0, users: 0 });
    assert.deepEqual(kept, [['posts', spoken, 'has_comments']]);
    const { body } = await site.get(`/api/core/v2/comments/${comment}`);
    assert.deepEqual([body.post, body.parent], [spoken, 0]);
  });

  test('leaves a record that somebody has changed, and whose it is; what they threw away goes', async () => {
    const site = await open();
    const people = await made(site, 'users', { quantity: 3, role: 'author' });
    const [changed, thrown] = await made(site, 'posts', { quantity: 2, author_ids: [people[1]] });
    const [shown] = await made(site, 'attachments', { quantity: 2, width: 60 });
    const admin = site.as('administrator');
    await admin.post(`/api/core/v2/posts/${changed}`, { title: 'About us' });
    await admin.delete(`/api/core/v2/posts/${thrown}`);
    await admin.post(`/api/core/v2/media/${shown}`, { alt_text: 'The house' });
    const { removed, kept } = await remaining(site);
    assert.deepEqual(removed, { comments: 0, posts: 2, terms: 0, users: 2 });
    assert.deepEqual(kept, [
      ['posts', changed, 'changed_since'],
      ['posts', shown, 'changed_since'],
      ['users', people[1], 'user_owns_content'],
    ]);
    assert.equal((await site.get(`/api/core/v2/posts/${changed}`)).body.title.rendered, 'About us');
  });

  test('leaves a record that somebody wrote over and published at once', async () => {
    const site = await open();
    const [first, second, third] = await made(site, 'posts', { quantity: 4, post_status: 'draft' });
    const [shown] = await made(site, 'attachments', { quantity: 1, width: 60 });
    const admin = site.as('administrator');
    const written = { title: 'About us', content: 'Written by a person', status: 'publish' };
    await admin.post(`/api/core/v2/posts/${first}`, { ...written, date: null });
    await admin.post(`/api/core/v2/posts/${second}`, { ...written, date_gmt: '2026-01-05T12:00:00' });
    const { modified_gmt } = (await admin.post(`/api/core/v2/posts/${third}`, written)).body;
    await admin.post(`/api/core/v2/posts/${third}`, { date_gmt: modified_gmt });
    await admin.post(`/api/core/v2/media/${shown}`, { alt_text: 'The house', date_gmt: modified_gmt });
    const { removed, kept } = await remaining(site);
    assert.deepEqual(removed, { comments: 0, posts: 1, terms: 0, users: 0 });
    assert.deepEqual(
      kept,
      [first, second, third, shown].map((id) => ['posts', id, 'changed_since']),
    );
    assert.equal((await site.get(`/api/core/v2/posts/${first}`)).body.title.rendered, 'About us');
  });

  test('leaves users, terms and comments that somebody has changed', async () => {
    const site = await open();
    const people = await made(site, 'users', { quantity: 4 });
    const terms = await made(site, 'terms', { quantity: 3 });
    const [spoken] = await made(site, 'posts', { quantity: 1 });
    const comments = await made(site, 'comments', { quantity: 3, post_ids: [spoken] });
    const admin = site.as('administrator');
    const change = async (path: string, said: object) =>
      assert.ok((await admin.post(`/api/core/v2/${path}`, said)).status < 300, path);
    await change(`users/${people[0]}`, { email: 'ada@mail.example' });
    await change(`users/${people[1]}`, { roles: ['editor'] });
    await change(`users/${people[2]}/application-passwords`, { name: 'Phone' });
    await change(`categories/${terms[0]}`, { name: 'My boats' });
    await change(`categories/${terms[1]}`, { description: 'All of them' });
    await change(`comments/${comments[0]}`, { content: 'This is well said.' });
    await change(`comments/${comments[1]}`, { status: 'hold' });
    const { removed, kept } = await remaining(site);
    assert.deepEqual(removed, { comments: 2, posts: 0, terms: 1, users: 1 });
    assert.deepEqual(kept, [
      ['comments', comments[0], 'changed_since'],
      ['posts', spoken, 'has_comments'],
      ['terms', terms[0], 'changed_since'],
      ['terms', terms[1], 'changed_since'],
      ['users', people[0], 'changed_since'],
      ['users', people[1], 'changed_since'],
      ['users', people[2], 'used_since'],
    ]);
  });

  test('leaves what somebody made the front of the site, its logo or its icon, until they choose something else', async () => {
    const site = await open();
    const pages = await made(site, 'posts', { quantity: 3, post_type: 'page' });
    const pictures = await made(site, 'attachments', { quantity: 3, width: 60 });
    const [category] = await made(site, 'terms', { quantity: 2 });
    const admin = site.as('administrator');
    const set = async (settings: object) =>
      assert.equal((await admin.post('/api/core/v2/settings', settings)).status, 200);
    const front = { show_on_front: 'page', page_on_front: pages[0], page_for_posts: pages[1] };
    await set({ ...front, site_logo: pictures[0], site_icon: pictures[1], default_category: category });
    const { removed, kept } = await remaining(site);
    assert.deepEqual(removed, { comments: 0, posts: 2, terms: 1, users: 0 });
    assert.deepEqual(kept, [
      ...[pages[0], pages[1], pictures[0], pictures[1]].map((id) => ['posts', id, 'chosen_since']),
      ['terms', category, 'rest_cannot_delete'],
    ]);
    assert.equal((await site.get(`/api/core/v2/pages/${pages[0]}`)).status, 200);
    await set({ show_on_front: 'posts', site_logo: null, site_icon: 0, default_category: 1 });
    assert.deepEqual((await remaining(site)).removed, { comments: 0, posts: 4, terms: 1, users: 0 });
  });

  test('leaves real records that go with test data, without it', async () => {
    const site = await open();
    const [category] = await made(site, 'terms', { quantity: 1 });
    const said = { title: 'A real one', status: 'publish', categories: [category] };
    const { id, slug } = (await site.as('editor').post('/api/core/v2/posts', said)).body;
    const { kept } = await remaining(site);
    assert.deepEqual(kept, []);
    const { body } = await site.get(`/api/core/v2/posts/${id}`);
    assert.deepEqual([body.slug, body.categories.includes(category)], [slug, false]);
  });

  test('leaves a picture that somebody shows, and says where', async () => {
    const site = await open();
    const pictures = await made(site, 'attachments', { quantity: 7, width: 60 });
    const [byAddress, byNumber, byBlock, inFront, alone, rewritten, thrown] = pictures;
    const editor = site.as('editor');
    const { source_url } = (await editor.get(`/api/core/v2/media/${byAddress}`)).body;
    const write = async (title: string, said: object): Promise<number> =>
      (await editor.post('/api/core/v2/pages', { title, status: 'draft', ...said })).body.id;
    const records = [
      await write('Address', { content: `<p><img src="${source_url}"></p>` }),
      await write('Number', { content: `<img src="/elsewhere.jpg" class="size-full wp-image-${byNumber}">` }),
      await write('Block', { content: `<!-- wp:cover {"id":${byBlock},"dimRatio":50} /-->` }),
      await write('Front', { featured_media: inFront }),
    ];
    const [changed] = await made(site, 'posts', { quantity: 1 });
    await editor.post(`/api/core/v2/posts/${changed}`, { featured_media: rewritten });
    await write('Gone', { content: `<img class="wp-image-${thrown}">` });
    await site.as('administrator').delete(`/api/core/v2/media/${thrown}?force=true`);
    const { removed, kept } = await testDataOf(site).removal.remove();
    assert.equal(removed.posts, 1, `${alone} goes`);
    const told = kept.map(({ id, what, code, message }) => [id, what, code, /in (the .*);/.exec(message)?.[1]]);
    const title = kept.at(-1)!.title;
    assert.deepEqual(told, [
      [byAddress, 'picture', 'shown_since', `the page ${records[0]}, "Address"`],
      [byNumber, 'picture', 'shown_since', `the page ${records[1]}, "Number"`],
      [byBlock, 'picture', 'shown_since', `the page ${records[2]}, "Block"`],
      [inFront, 'picture', 'shown_since', `the page ${records[3]}, "Front"`],
      [rewritten, 'picture', 'shown_since', `the post ${changed}, "${title}"`],
      [changed, 'post', 'changed_since', undefined],
    ]);
    for (const id of records) await site.as('administrator').delete(`/api/core/v2/pages/${id}?force=true`);
    await site.as('administrator').delete(`/api/core/v2/posts/${changed}?force=true`);
    assert.equal((await remaining(site)).removed.posts, 5);
  });

  test('writes to nobody who was made, until somebody has given them another address', async () => {
    const site = await open();
    const [author] = await made(site, 'users', { quantity: 1, role: 'author' });
    const admin = site.as('administrator');
    const told = async () => (await mailsOf(site)).map(({ to, subject }) => `${to} ${subject.replace(/\[.*\] /, '')}`);
    const giveApp = (name: string) => admin.post(`/api/core/v2/users/${author}/application-passwords`, { name });
    await giveApp('Phone');
    assert.deepEqual(await told(), []);
    await admin.post(`/api/core/v2/users/${author}`, { email: 'ada@mail.example' });
    await giveApp('Tablet');
    assert.ok((await told()).includes('ada@mail.example An app password was created for your account'));
  });
});
