// What terms are carried by, how they lie below each other, and in which order they are listed, as asked from outside.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { type Answer, aSite } from '#test/site.ts';

const root = '/api/core/v2';
const categories = `${root}/categories`;
const tags = `${root}/tags`;

const outcome = ({ status, body }: Answer): unknown[] => [status, body.code];
const slugs = ({ body }: Answer): string[] => body.map(({ slug }: { slug: string }) => slug);

onBothStores('terms and what carries them', async (engine) => {
  const site = await aSite(engine);
  const editor = site.as('editor');
  const made = async (path: string, said: object): Promise<number> => {
    const { status, body, text } = await editor.post(path, said);
    assert.equal(status, 201, text);
    return body.id;
  };

  test('a term counts what is published, whatever becomes of that', async () => {
    const tag = await made(tags, { name: 'Counted' });
    const post = `${root}/posts/${await made(`${root}/posts`, { title: 'A', status: 'publish', tags: [tag] })}`;
    const count = async () => (await site.get(`${tags}/${tag}`)).body.count;
    const after = async (said: object) => {
      assert.equal((await editor.put(post, said)).status, 200);
      return count();
    };
    assert.equal(await count(), 1);
    for (const [said, expected] of [
      [{ status: 'draft' }, 0],
      [{ status: 'publish' }, 1],
      [{ status: 'private' }, 0],
      [{ status: 'pending' }, 0],
      [{ status: 'publish', date: '2030-01-01T00:00:00' }, 0],
      [{ status: 'publish', date: '2026-01-01T00:00:00' }, 1],
      [{ tags: [] }, 0],
      [{ tags: [tag] }, 1],
    ] as const)
      assert.equal(await after(said), expected, JSON.stringify(said));
    await editor.delete(post);
    assert.equal(await count(), 0);
    assert.equal(await after({ status: 'publish' }), 1);
    await editor.delete(`${post}?force=true`);
    assert.equal(await count(), 0);
    assert.deepEqual(slugs(await site.get(`${tags}?hide_empty=true`)), []);
  });

  test('twenty who sort posts at once count each of them once', async () => {
    const category = await made(categories, { name: 'Busy' });
    const posts = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        editor.post(`${root}/posts`, { title: `Busy ${at}`, status: 'publish', categories: [category] }),
      ),
    );
    assert.equal((await site.get(`${categories}/${category}`)).body.count, 20);
    await Promise.all(posts.map(({ body }) => editor.put(`${root}/posts/${body.id}`, { categories: [] })));
    assert.equal((await site.get(`${categories}/${category}`)).body.count, 0);
  });

  test('two who are put below each other at once: one of them is, and never both', async () => {
    const [a, b] = [await made(categories, { name: 'Left' }), await made(categories, { name: 'Right' })];
    await Promise.all([
      editor.put(`${categories}/${a}`, { parent: b }),
      editor.put(`${categories}/${b}`, { parent: a }),
    ]);
    const parents = await Promise.all([a, b].map(async (id) => (await site.get(`${categories}/${id}`)).body.parent));
    assert.equal(parents.filter((parent) => parent !== 0).length, 1);
  });

  test('what lies very deep is found, linked and moved, and never below itself', async () => {
    const line = [await made(categories, { name: 'Deep 0' })];
    for (let depth = 1; depth <= 60; depth++)
      line.push(await made(categories, { name: `Deep ${depth}`, parent: line.at(-1)! }));
    const [top, last] = [line[0]!, line.at(-1)!];
    const { body } = await site.get(`${categories}/${last}`);
    assert.match(body.link, /^http:\/\/site\.test\/category\/(?:deep-\d+\/)+$/);
    assert.equal((await editor.put(`${categories}/${top}`, { parent: last })).body.parent, 0);
    const post = await made(`${root}/posts`, { title: 'Deep', status: 'publish', categories: [last] });
    const below = await site.get(`${root}/posts?categories[terms]=${top}&categories[include_children]=true`);
    assert.deepEqual(
      below.body.map(({ id }: { id: number }) => id),
      [post],
    );
    assert.deepEqual((await site.get(`${root}/posts?categories=${top}`)).body, []);
  });

  test('the category of posts without one is the one that the settings say', async () => {
    const other = await made(categories, { name: 'Other' });
    const administrator = site.as('administrator');
    await administrator.put(`${root}/settings`, { default_category: other });
    const gone = await made(categories, { name: 'Gone' });
    const post = `${root}/posts/${await made(`${root}/posts`, { title: 'B', status: 'publish', categories: [gone] })}`;
    assert.deepEqual(outcome(await editor.delete(`${categories}/${other}?force=true`)), [403, 'rest_cannot_delete']);
    assert.deepEqual(outcome(await editor.delete(`${categories}/${gone}`)), [501, 'rest_trash_not_supported']);
    const { status, body } = await editor.delete(`${categories}/${gone}?force=true`);
    assert.deepEqual([status, body.deleted, body.previous.slug], [200, true, 'gone']);
    assert.deepEqual((await site.get(post)).body.categories, [other]);
    assert.equal((await site.get(`${categories}/${other}`)).body.count, 1);
    assert.deepEqual(outcome(await editor.get(`${categories}/${gone}`)), [404, 'rest_term_invalid']);
    await administrator.put(`${root}/settings`, { default_category: 1 });
  });

  test('names that become the same slug get another, and a slug that somebody has is refused', async () => {
    const parent = await made(categories, { name: 'Fruit' });
    const answers = [
      await editor.post(categories, { name: 'Äpple' }),
      await editor.post(categories, { name: 'Äpple', parent }),
      await editor.post(categories, { name: 'Apple!', parent }),
      await editor.post(categories, { name: 'Apple?', slug: 'apple' }),
    ];
    const [first] = answers;
    assert.deepEqual(
      answers.map(({ status, body }) => body.slug ?? [status, body.code, body.data.term_id]),
      ['apple', 'apple-fruit', 'apple-fruit-2', [400, 'term_exists', first?.body.id]],
    );
    const pear = await made(categories, { name: 'Pear' });
    assert.deepEqual(outcome(await editor.put(`${categories}/${pear}`, { slug: 'apple' })), [
      400,
      'duplicate_term_slug',
    ]);
    assert.equal((await editor.put(`${categories}/${pear}`, { slug: 'Some PEAR' })).body.slug, 'some-pear');
  });

  test('lists come in every order that can be asked for', async () => {
    const ids: number[] = [];
    for (const [name, slug, description] of [
      ['Order b', 'order-3', 'y'],
      ['Order a', 'order-2', 'z'],
      ['Order C', 'order-1', 'x'],
    ])
      ids.push(await made(tags, { name, slug, description }));
    const [b, a, c] = ids;
    for (const carried of [[a], [a, c]]) await made(`${root}/posts`, { title: 'O', status: 'publish', tags: carried });
    for (const [query, expected] of [
      ['', ['order-2', 'order-3', 'order-1']],
      ['order=desc', ['order-1', 'order-3', 'order-2']],
      ['orderby=slug', ['order-1', 'order-2', 'order-3']],
      ['orderby=id', ['order-3', 'order-2', 'order-1']],
      ['orderby=description', ['order-1', 'order-3', 'order-2']],
      ['orderby=count&order=desc', ['order-2', 'order-1', 'order-3']],
      ['orderby=term_group', ['order-3', 'order-2', 'order-1']],
      [`orderby=include&include=${c},${b},${a}`, ['order-1', 'order-3', 'order-2']],
      ['orderby=include_slugs&slug=order-2,order-1', ['order-2', 'order-1']],
      ['hide_empty=1', ['order-2', 'order-1']],
      [`exclude=${b}`, ['order-2', 'order-1']],
      ['per_page=1&page=2', ['order-3']],
    ] as const)
      assert.deepEqual(slugs(await site.get(`${tags}?search=order&${query}`)), expected, query);
  });
});
