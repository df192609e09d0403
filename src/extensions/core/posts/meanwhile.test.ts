// What changes between the question whether somebody may, and the write that does it. Here the question is asked first, then the
// world changes, then the write comes, as when many wait in line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '#kernel/caller.ts';
import type { Problem } from '#kernel/problem.ts';
import { noExtras } from '#site/content/extending.ts';
import type { PostInput } from '#site/content/posts/post.ts';
import { page, post } from '#site/content/types.ts';
import { nobodys } from '#site/identity/users/user.ts';
import { totalsOf } from '#site/platform/totals.ts';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import type { Deployment } from '../../../config.ts';
import { createShownPosts } from './shown-posts.ts';

const refusal = (status: number | 'denied', code: string) => (problem: unknown) => {
  assert.deepEqual([(problem as Problem).status, (problem as Problem).code], [status, code]);
  return true;
};
const signedOut = refusal(401, 'rest_not_logged_in');
const noSuch = refusal(404, 'rest_post_invalid_id');
const elsewhere = refusal(400, 'rest_post_invalid_id');

/** Mends what others wrote, and writes nothing of their own. */
const mender = {
  label: 'Mender',
  capabilities: ['read', 'edit_others_posts', 'edit_published_posts', 'unfiltered_html'],
};

async function setting(engine: TestEngine) {
  const deploys = ({ roles }: Deployment) => ({ roles: { ...roles, mender } });
  const site = await aSite(engine, { deploys });
  const { identity, content } = site.app.services;
  const shown = createShownPosts(content, identity);
  const by = (role: string) => site.caller(role);
  const look = (caller: Caller) => ({ caller, editing: true, wants: () => true });
  const extra = noExtras(post.name);
  const itself = { by: nobodys, unfiltered: true };
  return {
    site,
    ...identity,
    ...content,
    by,
    itself,
    demote: async ({ id }: Caller, role: string) =>
      identity.users.change(await identity.users.get(id), { roles: [role] }),
    found: (id: number, type = post) => shown.get(id, type.name),
    add: (said: PostInput, caller: Caller, type = post) => shown.add(type, said, look(caller), extra, {}),
    change: (one: Awaited<ReturnType<typeof shown.get>>, said: PostInput, caller: Caller) =>
      shown.change(one, said, look(caller), extra, {}),
    trash: (one: Awaited<ReturnType<typeof shown.get>>, caller: Caller) => shown.trash(one, look(caller), extra),
    erase: (one: Awaited<ReturnType<typeof shown.get>>, caller: Caller) => shown.erase(one, look(caller), extra),
  };
}

onBothStores('a record, and what changes meanwhile', (engine) => {
  test('who was demoted writes and deletes nothing that they may not any more', async () => {
    const { by, demote, found, add, change, trash, erase, posts } = await setting(engine);
    const [editor, author] = [await by('editor'), await by('author')];
    const own = await found((await add({ title: 'Own', status: 'publish' }, author)).id);
    const draft = await found((await add({ title: 'Draft' }, author)).id);
    await demote(editor, 'author');
    await demote(author, 'contributor');
    for (const [said, code] of [
      [{ title: 'x' }, 'rest_cannot_edit'],
      [{ author: 1 }, 'rest_cannot_edit'],
    ] as const)
      await assert.rejects(change(own, said, editor), refusal('denied', code));
    for (const refused of [() => trash(own, editor), () => erase(own, editor), () => trash(own, author)])
      await assert.rejects(refused(), refusal('denied', 'rest_cannot_delete'));
    await assert.rejects(add({ title: 'x', status: 'publish' }, author), refusal('denied', 'rest_cannot_publish'));
    await assert.rejects(change(draft, { status: 'publish' }, author), refusal('denied', 'rest_cannot_publish'));
    assert.equal((await change(draft, { title: 'Mine' }, author)).title, 'Mine');
    await demote(author, 'subscriber');
    await assert.rejects(add({ title: 'x' }, author), refusal('denied', 'rest_cannot_create'));
    assert.equal((await posts.get(own.id)).title, 'Own');
  });

  test('who may not write all HTML any more keeps none of it', async () => {
    const { by, demote, found, add, change, posts } = await setting(engine);
    const editor = await by('editor');
    const own = await found(
      (await add({ title: 'Own', content: '<iframe src="https://a.test/"></iframe>' }, editor)).id,
    );
    assert.match(own.content, /iframe/);
    await demote(editor, 'author');
    await assert.rejects(change(own, { content: '<script>x</script>' }, editor), refusal('denied', 'rest_cannot_edit'));
    await assert.rejects(add({ title: '<b onclick=x>' }, editor), refusal('denied', 'rest_cannot_edit'));
    assert.equal((await posts.get(own.id)).content, own.content);
  });

  test('who may not sort by terms any more sorts nothing, and writes the rest', async () => {
    const { by, demote, found, add, change, posts, terms } = await setting(engine);
    const editor = await by('editor');
    const tag = await terms.add('post_tag', { name: 'River' }, {});
    const one = await found((await add({ title: 'One', status: 'publish' }, await by('author'))).id);
    await demote(editor, 'mender');
    const sorted = change(one, { title: 'x', terms: { post_tag: [tag.id] } }, editor);
    await assert.rejects(sorted, refusal('denied', 'rest_cannot_assign_term'));
    assert.equal((await change(one, { title: 'Mended' }, editor)).title, 'Mended');
    assert.deepEqual((await posts.get(one.id)).title, 'Mended');
  });

  test('who was erased or signed out writes nothing', async () => {
    const { site, by, users, add, found, change, trash, applicationPasswords } = await setting(engine);
    const [gone, out] = [await by('editor'), await by('author')];
    const one = await found((await add({ title: 'One' }, out)).id);
    await users.erase(await users.get(gone.id), out.id);
    await applicationPasswords.revokeAll(await users.get(out.id));
    for (const caller of [gone, out]) {
      await assert.rejects(add({ title: 'x' }, caller), signedOut);
      await assert.rejects(change(one, { title: 'x' }, caller), signedOut);
      await assert.rejects(trash(one, caller), signedOut);
    }
    const kept = await site.app.services.store.db.selectFrom('posts').select('title').execute();
    assert.deepEqual(
      kept.map(({ title }) => title),
      ['One'],
    );
  });

  test('what was taken over, or published, is for others to change', async () => {
    const { by, add, found, change, trash, posts, itself } = await setting(engine);
    const [contributor, editor] = [await by('contributor'), await by('editor')];
    const [one, other] = [
      await found((await add({ title: 'One' }, contributor)).id),
      await found((await add({ title: 'Other' }, contributor)).id),
    ];
    await posts.change(one, { status: 'publish' }, itself);
    await posts.change(other, { author: editor.id }, itself);
    for (const changed of [one, other]) {
      await assert.rejects(change(changed, { title: 'x' }, contributor), refusal('denied', 'rest_cannot_edit'));
      await assert.rejects(trash(changed, contributor), refusal('denied', 'rest_cannot_delete'));
    }
  });

  test('what was put into the trash stays there unless somebody says another status, and what is erased is gone', async () => {
    const { by, add, found, change, trash, erase, posts } = await setting(engine);
    const editor = await by('editor');
    const one = await found((await add({ title: 'One', status: 'publish' }, editor)).id);
    await posts.trash(one, {});
    const changed = await change(one, { title: 'Two' }, editor);
    assert.deepEqual([changed.status, changed.slug, changed.title], ['trash', 'one__trashed', 'Two']);
    await assert.rejects(trash(one, editor), refusal(410, 'rest_already_trashed'));
    await posts.erase(one, {});
    const late = [() => change(one, { status: 'publish' }, editor), () => trash(one, editor), () => erase(one, editor)];
    for (const write of late) await assert.rejects(write(), noSuch);
  });

  test('pictures that are gone are passed over; terms, places and authors that are gone refuse it whole', async () => {
    const { site, by, add, found, change, posts, terms, users, itself } = await setting(engine);
    const { store } = site.app.services;
    const editor = await by('editor');
    const tag = await terms.add('post_tag', { name: 'River' }, {});
    const picture = await posts.add('attachment', { title: 'P' }, itself);
    const above = await add({ title: 'Above', status: 'publish' }, editor, page);
    const gone = await users.add({ login: 'gone', email: 'gone@site.test' });
    const one = await found((await add({ title: 'One', status: 'publish' }, editor)).id);
    const below = await found((await add({ title: 'Below' }, editor, page)).id, page);
    await terms.erase(tag, {});
    await posts.erase(picture, {});
    await posts.erase(above, {});
    await users.erase(gone, undefined);
    const before = await Promise.all([totalsOf(store.db, 'posts'), totalsOf(store.db, 'posts.term')]);
    const late = await change(one, { featured_media: picture.id }, editor);
    assert.equal(late.featured_media, 0);
    await assert.rejects(
      change(one, { terms: { post_tag: [tag.id] }, title: 'x' }, editor),
      refusal(400, 'rest_invalid_param'),
    );
    await assert.rejects(change(below, { parent: above.id, title: 'x' }, editor), elsewhere);
    await assert.rejects(add({ title: 'x', parent: above.id }, editor, page), elsewhere);
    await assert.rejects(change(one, { author: gone.id, title: 'x' }, editor), refusal(400, 'rest_invalid_author'));
    await assert.rejects(add({ title: 'x', author: gone.id }, editor), refusal(400, 'rest_invalid_author'));
    assert.deepEqual(await store.db.selectFrom('posts').select('id').where('title', '=', 'x').execute(), []);
    const after = await Promise.all([totalsOf(store.db, 'posts'), totalsOf(store.db, 'posts.term')]);
    assert.deepEqual(after, before);
  });

  test('what somebody writes while they are deleted goes with the rest of theirs, or is refused', async () => {
    const { site, by, users, add, change, found, posts, itself } = await setting(engine);
    const heir = await by('administrator');
    const one = await found((await add({ title: 'One', status: 'publish' }, heir)).id);
    for (let round = 0; round < 12; round++) {
      const user = await site.user({ login: `eve${round}`, roles: ['editor'] });
      const eve = await site.callerWith(await site.credentials(user));
      const writes = [
        () => add({ title: 'Hers' }, eve),
        () => posts.add('post', { title: 'Given', author: eve.id }, itself),
        () => change(one, { title: `${round}` }, eve),
        () => change(one, { author: eve.id }, heir),
      ];
      const late = writes.map((write) => write().catch(() => undefined));
      await Promise.all([...late, users.erase(user, round % 2 ? heir.id : undefined)]);
      if ((await posts.find(one.id)) === undefined) break;
      await posts.change(one, { author: heir.id }, itself);
    }
    await site.app.services.jobs.settled();
    const { db } = site.app.services.store;
    const there = db.selectFrom('users').select('id');
    for (const table of ['posts', 'revisions'])
      assert.deepEqual(
        await db.selectFrom(table).select('author').where('author', 'not in', there).execute(),
        [],
        table,
      );
  });

  test('what may not come together does not, whoever says the second half', async () => {
    const { by, add, found, change, posts, itself } = await setting(engine);
    const editor = await by('editor');
    const one = await found((await add({ title: 'One' }, editor)).id);
    await posts.change(one, { password: 'sesame' }, itself);
    await assert.rejects(change(one, { sticky: true }, editor), refusal(400, 'rest_invalid_field'));
  });
});
