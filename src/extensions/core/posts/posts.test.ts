import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { type Answer, aSite, type Client } from '#test/site.ts';

const path = '/api/core/v2/posts';
const shape = ({ status, body }: Answer) => [status, body?.code];
const ids = ({ body }: Answer): number[] => body.map(({ id }: { id: number }) => id);

/** A site with a post of the author's own, and one of the editor's, in each state. */
async function aPaper(engine: TestEngine) {
  const site = await aSite(engine);
  const editor = site.as('editor');
  const made = async (said: object, by: Client = editor, base = path): Promise<number> => {
    const { status, body, text } = await by.post(base, { title: 'A title', ...said });
    assert.equal(status, 201, text);
    return body.id;
  };
  /** Of somebody, who may not be able to make it so alone. */
  const owned = async (role: string, status: string): Promise<number> => {
    const { id } = await site.caller(role);
    return made({ author: id, status, ...(status === 'future' && { date: '2030-01-01T00:00:00' }) });
  };
  return { ...site, editor, made, owned };
}

type Expected = readonly [contributorOwn: boolean, contributorOther: boolean, authorOwn: boolean, authorOther: boolean];

const [yes, no] = [true, false];
const reading: Record<string, Expected> = {
  publish: [yes, yes, yes, yes],
  draft: [yes, no, yes, no],
  pending: [yes, no, yes, no],
  future: [yes, no, yes, no],
  private: [yes, no, yes, no],
};
const writing: Record<string, Expected> = {
  draft: [yes, no, yes, no],
  pending: [yes, no, yes, no],
  private: [yes, no, yes, no],
  publish: [no, no, yes, no],
  future: [no, no, yes, no],
};

eachEngine('posts', (engine) => {
  test('who may read and change one in each status', async () => {
    const { owned, as } = await aPaper(engine);
    await checkRows(Object.entries(reading), async ([status, expected]) => {
      const [byContributor, byAuthor, byEditor] = [
        await owned('contributor', status),
        await owned('author', status),
        await owned('editor', status),
      ];
      const cases = [
        ['contributor', byContributor],
        ['contributor', byEditor],
        ['author', byAuthor],
        ['author', byEditor],
      ] as const;
      for (const [at, [role, id]] of cases.entries()) {
        const about = `${role}, ${id}`;
        assert.equal((await as(role).get(`${path}/${id}`)).status, expected[at] ? 200 : 403, about);
        const may = writing[status]![at];
        assert.equal((await as(role).get(`${path}/${id}?context=edit`)).status, may ? 200 : 403, about);
        assert.equal((await as(role).patch(`${path}/${id}`, { excerpt: 'x' })).status, may ? 200 : 403, about);
        const hints = (await as('editor').get(`${path}/${id}?_fields=_links`)).body._links.self[0].targetHints.allow;
        assert.deepEqual(hints, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
        if (!may) assert.deepEqual(shape(await as(role).delete(`${path}/${id}`)), [403, 'rest_cannot_delete']);
      }
    });
  });

  test('who writes nothing reads what is published', async () => {
    const { owned, as, get, patch } = await aPaper(engine);
    for (const status of Object.keys(reading)) {
      const one = `${path}/${await owned('editor', status)}`;
      for (const reader of [{ get, patch }, as('subscriber')]) {
        assert.equal((await reader.get(one)).status === 200, status === 'publish', status);
        assert.equal((await reader.patch(one, {})).body.code, 'rest_cannot_edit');
      }
    }
  });

  const refused: readonly [role: string, said: object, status: number, code: string][] = [
    ['subscriber', {}, 403, 'rest_cannot_create'],
    ['subscriber', { sticky: true }, 403, 'rest_cannot_assign_sticky'],
    ['subscriber', { sticky: true, author: 1 }, 403, 'rest_cannot_edit_others'],
    ['contributor', { status: 'publish' }, 403, 'rest_cannot_publish'],
    ['contributor', { status: 'private' }, 403, 'rest_cannot_publish'],
    ['contributor', { sticky: true }, 403, 'rest_cannot_assign_sticky'],
    ['author', { author: 1 }, 403, 'rest_cannot_edit_others'],
    ['editor', { author: 4711 }, 400, 'rest_invalid_author'],
    ['editor', { sticky: true, password: 'x' }, 400, 'rest_invalid_field'],
    ['editor', { id: 5 }, 400, 'rest_post_exists'],
    ['editor', { title: '' }, 400, 'empty_content'],
    ['editor', { template: 'other' }, 400, 'rest_invalid_param'],
    ['editor', { status: 'trash' }, 400, 'rest_invalid_param'],
    ['editor', { meta: 'x' }, 400, 'rest_invalid_param'],
    ['editor', { meta: { footnotes: [] } }, 400, 'rest_invalid_type'],
    ['editor', { title: 5 }, 400, 'rest_invalid_param'],
    ['editor', { categories: Array(1001).fill(1) }, 400, 'rest_invalid_param'],
  ];
  test('what is refused is refused by name, and leaves nothing behind', async () => {
    const { as, editor } = await aPaper(engine);
    await as('administrator').get(path);
    for (const [role, said, status, code] of refused) {
      const answer = await as(role).post(path, { title: 'x', ...said });
      assert.deepEqual(shape(answer), [status, code], JSON.stringify([role, said]));
    }
    assert.deepEqual((await editor.get(`${path}?status=any`)).body, []);
  });

  test('a record read is a record that can be sent back, whatever it is', async () => {
    const { as, editor, owned, made } = await aPaper(engine);
    const trashed = await made({ status: 'publish' });
    await editor.delete(`${path}/${trashed}`);
    const drafts = [await owned('contributor', 'draft'), await owned('author', 'future'), trashed];
    for (const [at, id] of drafts.entries()) {
      const client = [as('contributor'), as('author'), editor][at]!;
      const { body } = await client.get(`${path}/${id}?context=edit`);
      const { status, body: after, text } = await client.put(`${path}/${id}`, body);
      assert.equal(status, 200, text);
      assert.deepEqual([after.status, after.title, after.meta], [body.status, body.title, body.meta]);
    }
  });

  test('what lies in the trash comes back by another status, and is nowhere in lists', async () => {
    const { editor, made, get } = await aPaper(engine);
    const id = await made({ status: 'publish' });
    const { status, body } = await editor.delete(`${path}/${id}`);
    assert.deepEqual([status, body.status, body.slug], [200, 'trash', 'a-title__trashed']);
    assert.deepEqual(shape(await editor.delete(`${path}/${id}`)), [410, 'rest_already_trashed']);
    assert.deepEqual(ids(await editor.get(`${path}?status=any`)), []);
    assert.deepEqual(ids(await editor.get(`${path}?status=trash`)), [id]);
    const back = await editor.patch(`${path}/${id}`, { status: 'publish' });
    assert.deepEqual([back.body.slug, (await get(`${path}/${id}`)).status], ['a-title', 200]);
    const gone = await editor.delete(`${path}/${id}?force=true`);
    assert.deepEqual([gone.body.deleted, gone.body.previous.id, '_links' in gone.body.previous], [true, id, false]);
    assert.deepEqual(shape(await get(`${path}/${id}`)), [404, 'rest_post_invalid_id']);
  });

  test('what has a password is read by whoever knows it', async () => {
    const { made, get, editor } = await aPaper(engine);
    const id = await made({ status: 'publish', content: 'Hidden words', password: 'sesame' });
    const read = async (query: string) => (await get(`${path}/${id}${query}`)).body;
    assert.deepEqual((await read('')).content, { rendered: '', protected: true });
    assert.match((await read('?password=sesame')).content.rendered, /Hidden words/);
    assert.deepEqual(shape(await get(`${path}/${id}?password=x`)), [403, 'rest_post_incorrect_password']);
    assert.equal((await editor.get(path)).body[0].excerpt.rendered, '');
    assert.equal((await editor.get(`${path}?context=edit`)).body[0].password, 'sesame');
    assert.ok((await read('')).class_list.includes('post-password-required'));
  });

  test('lists are filtered by terms as they are meant', async () => {
    const { made, as, get } = await aPaper(engine);
    const term = async (base: string, said: object) =>
      (await as('administrator').post(`/api/core/v2/${base}`, said)).body.id as number;
    const river = await term('categories', { name: 'River' });
    const stone = await term('categories', { name: 'Stone', parent: river });
    const tag = await term('tags', { name: 'Lamp' });
    const one = await made({ status: 'publish', categories: [river], tags: [tag] });
    const two = await made({ status: 'publish', categories: [river, stone] });
    const three = await made({ status: 'publish', categories: [stone], tags: [tag] });
    const list = async (query: string) => ids(await get(`${path}?orderby=id&order=asc&${query}`));
    assert.deepEqual(await list(`categories=${river}`), [one, two]);
    assert.deepEqual(await list(`categories=${river}&tags=${tag}`), [one]);
    assert.deepEqual(await list(`categories=${river}&tags=${tag}&tax_relation=OR`), [one, two, three]);
    assert.deepEqual(await list(`categories[terms]=${river},${stone}&categories[operator]=AND`), [two]);
    assert.deepEqual(await list(`categories[terms]=${river}&categories[include_children]=true`), [one, two, three]);
    assert.deepEqual(await list(`categories_exclude=${stone}`), [one]);
    assert.deepEqual(await list(`include=${three},${one}&orderby=include`), [three, one]);
    const wrong = (await get(`${path}?categories[foo]=1`)).body.data.details.categories;
    assert.deepEqual([wrong.code, wrong.data], ['rest_no_matching_schema', { position: 1 }]);
    assert.deepEqual(shape(await get(`${path}?orderby=include`)), [400, 'rest_orderby_include_missing_include']);
  });

  test('patterns are for those who write, and menus are for everybody to read', async () => {
    const { editor, made, get, as } = await aPaper(engine);
    const block = await made({ status: 'publish', content: 'Raw' }, editor, '/api/core/v2/blocks');
    const none = await get('/api/core/v2/blocks');
    assert.deepEqual(none.body, []);
    assert.equal(none.headers.get('x-wp-total'), '0', 'nobody learns how many there are');
    assert.deepEqual(shape(await get(`/api/core/v2/blocks/${block}`)), [401, 'rest_forbidden']);
    const { body } = await as('contributor').get(`/api/core/v2/blocks/${block}`);
    assert.deepEqual([body.title, body.content], [{ raw: 'A title' }, { raw: 'Raw', protected: false }]);
    assert.equal(body.wp_pattern_sync_status, '');
    assert.deepEqual(Object.keys(body.meta), ['wp_pattern_sync_status', 'footnotes']);
    const menus = '/api/core/v2/navigation';
    const menu = await made({ status: 'publish', content: 'Home' }, as('administrator'), menus);
    assert.equal((await get(`${menus}/${menu}`)).body.title.rendered, 'A title');
    assert.deepEqual(shape(await editor.post(menus, { title: 'x' })), [403, 'rest_cannot_create']);
    assert.deepEqual(shape(await get(`${path}/${menu}`)), [404, 'rest_post_invalid_id']);
  });

  test('pages stand below each other, and not below themselves', async () => {
    const { editor, made, get } = await aPaper(engine);
    const pages = '/api/core/v2/pages';
    const about = await made({ status: 'publish', title: 'About' }, editor, pages);
    const team = await made({ status: 'publish', title: 'Team', parent: about }, editor, pages);
    const { body } = await get(`${pages}/${team}`);
    assert.deepEqual([body.link, body.parent], ['http://site.test/about/team/', about]);
    assert.deepEqual(body._links.up, [{ embeddable: true, href: `http://site.test${pages}/${about}` }]);
    assert.deepEqual(shape(await editor.patch(`${pages}/${about}`, { parent: team })), [400, 'rest_post_invalid_id']);
    const draft = await made({ title: 'Plans', parent: about }, editor, pages);
    const shown = (await editor.get(`${pages}/${draft}?context=edit`)).body;
    assert.equal(shown.link, `http://site.test/?page_id=${draft}`);
    assert.equal(shown.permalink_template, 'http://site.test/about/%pagename%/');
    assert.equal(shown.generated_slug, 'plans');
    assert.deepEqual(ids(await get(`${pages}?parent=${about}`)), [team]);
  });
});
