// Histories of records: how long they are, whose they are, and what becomes of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentTables } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { type Answer, aSite, type Client } from '#test/site.ts';

const posts = '/api/core/v2/posts';
const published = { title: 'One', content: '0', status: 'publish' };

const contents = ({ body }: Answer): string[] => body.map((one: { content: { raw: string } }) => one.content.raw);

async function written(client: Client, said: object = published): Promise<string> {
  const { status, body } = await client.post(posts, said);
  assert.equal(status, 201);
  return `${posts}/${body.id}`;
}

eachEngine('The history of a record', (engine) => {
  test('is as long as the site says, and loses its oldest part first', async () => {
    const site = await aSite(engine, { env: { GATEHOUSE_REVISIONS: '2' } });
    const editor = site.as('editor');
    const [post, other] = [await written(editor), await written(editor)];
    await editor.put(other, { content: 'other' });
    await site.as('administrator').post(`${post}/autosaves`, { content: 'unsaved' });
    for (const content of ['1', '2', '3', '4']) await editor.put(post, { content });
    const kept = await editor.get(`${post}/revisions?context=edit`);
    assert.deepEqual([contents(kept), kept.headers.get('x-wp-total')], [['4', '3'], '2']);
    assert.deepEqual(contents(await editor.get(`${other}/revisions?context=edit`)), ['other']);
    assert.deepEqual(contents(await editor.get(`${post}/autosaves?context=edit`)), ['unsaved']);
    const { _links: links } = (await editor.get(post)).body;
    assert.deepEqual([links['version-history'][0].count, links['predecessor-version'][0].id], [2, kept.body[0].id]);
  });

  test('is none where the site keeps none, and what is not saved is kept all the same', async () => {
    const site = await aSite(engine, { env: { GATEHOUSE_REVISIONS: '0' } });
    const editor = site.as('editor');
    const post = await written(editor);
    await editor.put(post, { content: '1' });
    assert.deepEqual((await editor.get(`${post}/revisions`)).body, []);
    assert.equal((await editor.post(`${post}/autosaves`, { content: '2' })).status, 200);
  });

  test('has the notes at its foot, and gives them back with the text', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const post = await written(editor);
    await editor.put(post, { content: '1', meta: { footnotes: '["a"]' } });
    await editor.put(post, { meta: { footnotes: '["b"]' } });
    await editor.put(post, { meta: { footnotes: '["b"]' } });
    const { body } = await editor.get(`${post}/revisions?context=edit`);
    assert.deepEqual(
      body.map((one: { meta: { footnotes: string } }) => one.meta.footnotes),
      ['["b"]', '["a"]'],
    );
    const [, { title, content, excerpt, meta }] = body;
    const restored = await editor.put(post, { title: title.raw, content: content.raw, excerpt: excerpt.raw, meta });
    assert.deepEqual([restored.body.content.raw, restored.body.meta.footnotes], ['1', '["a"]']);
    assert.equal((await editor.get(`${post}/revisions`)).body.length, 3);
  });

  test('is read by who may edit the record now', async () => {
    const site = await aSite(engine);
    const author = site.as('author');
    const draft = await written(author, { title: 'Draft', content: '0' });
    await author.put(draft, { content: '1' });
    const [{ id }] = (await author.get(`${draft}/revisions`)).body;
    for (const path of [`${draft}/revisions`, `${draft}/revisions/${id}`, `${draft}/autosaves`])
      for (const [role, status] of [
        ['author', 200],
        ['editor', 200],
        ['contributor', 403],
        ['subscriber', 403],
      ] as const)
        assert.equal((await site.as(role).get(path)).status, status, `${role} ${path}`);
    assert.deepEqual(
      [(await site.get(`${draft}/revisions`)).status, (await site.get(`${draft}/autosaves`)).status],
      [401, 401],
    );
    const contributor = site.as('contributor');
    const own = await written(contributor, { title: 'Own', content: '0' });
    await contributor.put(own, { content: '1' });
    assert.equal((await contributor.get(`${own}/revisions`)).status, 200);
    await site.as('editor').put(own, { status: 'publish' });
    assert.equal((await contributor.get(`${own}/revisions`)).body.code, 'rest_cannot_read');
    assert.equal((await contributor.post(`${own}/autosaves`, { content: 'x' })).body.code, 'rest_cannot_edit');
  });

  test('of what somebody may not write keeps what they may', async () => {
    const site = await aSite(engine);
    const author = site.as('author');
    const post = await written(author);
    const content = '<script>x</script><b onclick="x">b</b>';
    const unsaved = (await author.post(`${post}/autosaves`, { content })).body;
    assert.equal(unsaved.content.raw, 'x<b>b</b>');
    await author.put(post, { content });
    assert.deepEqual(contents(await author.get(`${post}/revisions?context=edit`)), ['x<b>b</b>']);
  });

  test('has one draft of each writer, however often and at once they keep it', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const post = await written(editor);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => editor.post(`${post}/autosaves`, { content: `${at}` })),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    assert.equal((await editor.get(`${post}/autosaves`)).body.length, 1);
    // Somebody else's draft of a record is theirs: it is kept beside the record.
    const draft = await written(site.as('author'), { title: 'Draft', content: '0' });
    const beside = (await editor.post(`${draft}/autosaves`, { content: '1' })).body;
    assert.equal(`${posts}/${beside.parent}`, draft);
    assert.equal((await editor.get(`${draft}?context=edit`)).body.content.raw, '0');
  });

  test('goes with its record, and with what was not saved of it', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const post = await written(editor);
    await editor.put(post, { content: '1' });
    await editor.post(`${post}/autosaves`, { content: '2' });
    const { db }: Store<ContentTables> = site.app.services.store;
    const rows = () => db.selectFrom('revisions').select('id').execute();
    assert.equal((await rows()).length, 2);
    await editor.delete(post);
    assert.equal((await rows()).length, 2);
    await editor.delete(`${post}?force=true`);
    assert.deepEqual(await rows(), []);
    assert.equal((await editor.get(`${post}/revisions`)).body.code, 'rest_post_invalid_parent');
  });

  test('is sorted, cut out and searched as it is asked for', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const post = await written(editor);
    for (const [title, content] of [
      ['B', 'Plum'],
      ['A', 'Plúm cake'],
      ['C', 'Pear'],
    ])
      await editor.put(post, { title, content });
    const all = (await editor.get(`${post}/revisions`)).body.map(({ id }: { id: number }) => id) as number[];
    const [c, a, b] = all as [number, number, number];
    for (const [query, expected] of [
      ['', [c, a, b]],
      ['order=asc', [b, a, c]],
      ['orderby=title&order=asc', [a, b, c]],
      ['orderby=id', [c, a, b]],
      [`orderby=include&include=${b},${c}`, [b, c]],
      [`exclude=${a}`, [c, b]],
      ['search=plum', [a, b]],
      ['orderby=relevance&search=plum cake', [a]],
      ['per_page=1&page=2', [a]],
      ['offset=1', [a, b]],
      ['per_page=1&offset=2', [b]],
    ] as const) {
      const { body } = await editor.get(`${post}/revisions?${query}`);
      assert.deepEqual(Array.isArray(body) && body.map(({ id }: { id: number }) => id), expected, query);
    }
    for (const [query, code] of [
      ['orderby=relevance', 'rest_no_search_term_defined'],
      ['orderby=include', 'rest_orderby_include_missing_include'],
    ] as const) {
      const { status, body } = await editor.get(`${post}/revisions?${query}`);
      assert.deepEqual([status, body.code], [400, code], query);
    }
    const first = await editor.get(`${post}/revisions?per_page=2`);
    assert.deepEqual([first.headers.get('x-wp-total'), first.headers.get('x-wp-totalpages')], ['3', '2']);
    assert.match(first.headers.get('link') ?? '', /page=2>; rel="next"/);
  });
});
