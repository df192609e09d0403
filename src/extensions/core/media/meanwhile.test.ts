// What changes between the question whether somebody may, and the write that keeps, changes or erases a file.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '#kernel/caller.ts';
import type { Problem } from '#kernel/problem.ts';
import { noExtras } from '#site/content/extending.ts';
import type { MediaInput } from '#site/content/media/media.ts';
import { attachment } from '#site/content/types.ts';
import { nobodys } from '#site/identity/users/user.ts';
import { onBothStores, type TestEngine, testEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aSite } from '#test/site.ts';
import { left, nothing } from '#test/uploads.ts';
import { createShownPosts } from '../posts/shown-posts.ts';
import { createShownMedia } from './shown-media.ts';

const refusal = (status: number | 'denied', code: string) => (problem: unknown) => {
  assert.deepEqual([(problem as Problem).status, (problem as Problem).code], [status, code]);
  return true;
};
const noSuch = refusal(404, 'rest_post_invalid_id');
const notTheirs = refusal('denied', 'rest_cannot_edit');
const itself = { by: nobodys, unfiltered: true };

async function setting(engine: TestEngine) {
  const site = await aSite(engine);
  const { identity, content } = site.app.services;
  const shown = createShownMedia(content, identity);
  const records = createShownPosts(content, identity);
  const extra = noExtras(attachment.name);
  const look = (caller: Caller) => ({ caller, editing: true, wants: () => true });
  let many = 0;
  const add = async (said: MediaInput, caller: Caller) => {
    const path = join(site.config.data, `sent-${many++}`);
    const bytes = await picture(400, 300);
    await writeFile(path, bytes);
    const upload = { name: 'heron.jpg', path, size: bytes.length, inForm: false } as Parameters<typeof shown.add>[0];
    return shown.add(upload, { said, how: {}, sent: {} }, look(caller), extra);
  };
  return {
    site,
    ...content,
    add,
    left: () => left(site),
    found: (id: number) => records.get(id, attachment.name),
    change: (one: Awaited<ReturnType<typeof records.get>>, said: MediaInput, caller: Caller) =>
      shown.change(one, said, look(caller), extra, {}),
    finish: (one: Awaited<ReturnType<typeof records.get>>, caller: Caller) => shown.finish(one, look(caller), extra),
    edit: (one: Awaited<ReturnType<typeof records.get>>, source: string, caller: Caller) =>
      shown.edit(one, source, [{ rotate: 90 }], {}, look(caller), extra),
    erase: (one: Awaited<ReturnType<typeof records.get>>, caller: Caller) => shown.erase(one, look(caller), extra),
    demote: async ({ id }: Caller, role: string) =>
      identity.users.change(await identity.users.get(id), { roles: [role] }),
    users: identity.users,
  };
}

onBothStores('a file, and what changes meanwhile', (engine) => {
  test('who may not upload any more leaves nothing, on the disk or in the store', async () => {
    const { site, add, left: leftOf, demote, users } = await setting(engine);
    const author = await site.caller('author');
    await demote(author, 'contributor');
    await assert.rejects(add({}, author), refusal('denied', 'rest_cannot_create'));
    await users.erase(await users.get(author.id), undefined);
    await assert.rejects(add({}, author), refusal(401, 'rest_not_logged_in'));
    assert.deepEqual(await leftOf(), nothing);
  });

  test('nothing is attached to what is gone, or was taken over', async () => {
    const { site, add, posts, change, found, left: leftOf } = await setting(engine);
    const author = await site.caller('author');
    const own = () => posts.add('post', { title: 'One' }, { ...itself, writer: author.id });
    const [erased, taken] = [await own(), await own()];
    await posts.erase(erased, {});
    await posts.change(taken, { author: (await site.caller('editor')).id }, itself);
    for (const parent of [erased.id, taken.id]) await assert.rejects(add({ parent }, author), notTheirs);
    assert.deepEqual(await leftOf(), nothing);
    const file = await found((await add({}, author)).id);
    for (const parent of [erased.id, taken.id])
      await assert.rejects(change(file, { parent, title: 'x' }, author), notTheirs);
    assert.equal((await posts.get(file.id)).title, 'heron');
  });

  test('what was erased is gone for everybody, and nothing is made of it', async () => {
    const { site, add, found, change, finish, edit, erase, media, left: leftOf } = await setting(engine);
    const author = await site.caller('author');
    const sent = await add({}, author);
    const file = await found(sent.id);
    const source = media.urlOf(sent.file.file);
    await media.erase(file, {});
    for (const late of [
      () => change(file, { alt_text: 'x' }, author),
      () => finish(file, author),
      () => erase(file, author),
    ])
      await assert.rejects(late(), noSuch);
    await assert.rejects(edit(file, source, author));
    const { aside: _, ...kept } = await leftOf();
    const { aside: __, ...none } = nothing;
    assert.deepEqual(kept, none);
  });

  test('what was taken over is for others to change, cut and erase', async () => {
    const { site, add, found, change, finish, edit, erase, media, posts, left: leftOf } = await setting(engine);
    const author = await site.caller('author');
    const sent = await add({}, author);
    const file = await found(sent.id);
    const before = await leftOf();
    await posts.change(file, { author: (await site.caller('editor')).id }, itself);
    await assert.rejects(change(file, { alt_text: 'x' }, author), notTheirs);
    const cut = edit(file, media.urlOf(sent.file.file), author);
    await assert.rejects(cut, refusal('denied', 'rest_cannot_edit_image'));
    await assert.rejects(erase(file, author), refusal('denied', 'rest_cannot_delete'));
    await finish(file, author).catch(notTheirs);
    assert.deepEqual(await leftOf(), before);
    assert.equal((await media.files([file.id])).get(file.id)?.alt_text, '');
  });
});

describe('writes that share a commit', () => {
  const engine = testEngine('sqlite');

  test('a file is not attached to what the write before took away', async () => {
    const { site, add, posts, change, found } = await setting(engine);
    const [author, editor] = [await site.caller('author'), await site.caller('editor')];
    const post = await posts.add('post', { title: 'One' }, { ...itself, writer: author.id });
    const file = await found((await add({}, author)).id);
    const { store } = site.app.services;
    const { promise, resolve } = Promise.withResolvers<void>();
    const taken = store.write(async (tx) => {
      await tx.updateTable('posts').set({ author: editor.id }).where('id', '=', post.id).execute();
      resolve();
      while (store.figures().writing < 2) await nextTurn();
    });
    await promise;
    await assert.rejects(change(file, { parent: post.id }, author), notTheirs);
    await taken;
  });
});
