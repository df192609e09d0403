import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPaper, classic, neutral } from '#test/paper.ts';

eachEngine('what a password closes', (engine) => {
  test('is shown as it is kept to those alone who may edit it or know the password', async () => {
    const site = await aPaper(engine);
    const administrator = site.as('administrator');
    const closed = { title: 'Menu', content: 'behind the door', status: 'publish', password: 'zz' };
    const { id } = await site.made(`${neutral}/navigation`, closed, administrator);
    const contents = [`/navigation/${id}?context=embed`, `/navigation/${id}?context=embed&_fields=content`];
    for (const root of [neutral, classic]) {
      for (const path of contents) {
        const { body } = await site.get(root + path);
        assert.deepEqual([body.content.raw, body.content.rendered, body.content.protected], ['', '', true], path);
      }
      const list = await site.get(`${root}/navigation?context=embed`);
      assert.equal(list.body[0].content.raw, '');
      const { body: opened } = await site.get(`${root}/navigation/${id}?context=embed&password=zz`);
      assert.equal(opened.content.raw, closed.content);
      const { body: edited } = await administrator.get(`${root}/navigation/${id}?context=edit`);
      assert.equal(edited.content.raw, closed.content);
    }
  });

  test('has its footnotes closed with it, wherever it is shown', async () => {
    const site = await aPaper(engine);
    const footnotes = JSON.stringify([{ id: 'a', content: 'told behind the door' }]);
    const said = { title: 'Closed', content: 'behind the door', status: 'publish', meta: { footnotes } };
    const open = await site.made(`${neutral}/posts`, said);
    const { id } = await site.made(`${neutral}/posts`, { ...said, password: 'zz' });
    const spoken = { post: id, content: 'Words', author_name: 'Ada', author_email: 'ada@example.org' };
    await site.made(`${neutral}/comments`, spoken, site.as('administrator'));
    const ways = [`/posts/${id}`, `/posts?include=${id}`, `/posts/${id}?_fields=meta`, `/posts/${id}?_envelope`];
    for (const root of [neutral, classic]) {
      for (const by of [site, site.as('subscriber'), site.editor])
        for (const path of [...ways, ...ways]) {
          const { status, text } = await by.get(root + path);
          assert.equal(status, 200);
          assert.doesNotMatch(text, /behind the door/, path);
          assert.match(text, /"meta":\{"footnotes":""/, path);
        }
      const { text: embedded } = await site.get(`${root}/comments?post=${id}&password=zz&_embed=up`);
      assert.match(embedded, /"title":\{"rendered":"Closed"\}/);
      assert.doesNotMatch(embedded, /behind the door/);
      assert.equal((await site.get(`${root}/posts/${open.id}`)).body.meta.footnotes, footnotes);
      assert.equal((await site.get(`${root}/posts/${id}?password=zz`)).body.meta.footnotes, footnotes);
      assert.equal((await site.editor.get(`${root}/posts/${id}?context=edit`)).body.meta.footnotes, footnotes);
      const [edited] = (await site.editor.get(`${root}/posts?context=edit&include=${id}`)).body;
      assert.equal(edited.meta.footnotes, footnotes);
    }
  });
});

eachEngine('a search among what is not published', (engine) => {
  test('tells of what others write only those who may edit it, totals included', async () => {
    const site = await aPaper(engine);
    const ada = site.asUser(await site.user({ login: 'ada', roles: ['contributor'] }));
    for (const status of ['draft', 'pending', 'private'])
      await site.made(`${neutral}/posts`, { title: `Of others, ${status}`, content: 'zanzibar zq', status });
    await site.made(`${neutral}/posts`, { title: 'Open', content: 'zanzibar zq', status: 'publish' });
    await site.made(`${neutral}/posts`, { title: 'Own', content: 'zanzibar zq' }, ada);
    await site.made(`${neutral}/blocks`, { title: 'Block', content: 'zanzibar zq', status: 'draft' });
    const total = async (by: typeof ada, path: string) =>
      Number((await by.get(`${neutral}/${path}`)).headers.get('x-wp-total'));
    const searches = ['search=zanzibar', 'search=zq', 'search=zanzibar&orderby=relevance', 'search=-absent'];
    for (const search of searches)
      for (const [path, others, own] of [
        ['posts?status=draft', 2, 1],
        ['posts?status=private', 1, 0],
        ['posts?status=any', 5, 2],
        ['posts?status=draft,pending', 3, 1],
        ['blocks?status=draft', 1, 0],
      ] as const) {
        const asked = `${path}&${search}`;
        assert.deepEqual([await total(site.editor, asked), await total(ada, asked)], [others, own], asked);
      }
    assert.equal(await total(ada, 'posts?status=draft'), 1, 'only her own is counted');
  });

  test('finds files of a draft for its editors and its author', async () => {
    const site = await aPaper(engine);
    const ada = site.asUser(await site.user({ login: 'ada', roles: ['author'] }));
    const draft = await site.made(`${neutral}/posts`, { title: 'Not yet' });
    const file = (by: typeof ada, name: string) =>
      by.post(`${neutral}/media`, Buffer.from('text'), {
        'content-type': 'text/plain',
        'content-disposition': `attachment; filename="${name}.txt"`,
      });
    const { body: hidden } = await file(site.editor, 'zanzibar-plan');
    assert.equal((await site.editor.post(`${neutral}/media/${hidden.id}`, { post: draft.id })).status, 200);
    assert.equal((await file(ada, 'zanzibar-open')).status, 201);
    const path = `${neutral}/media?search=zanzibar`;
    for (const [by, found] of [
      [site, 1],
      [ada, 1],
      [site.editor, 2],
    ] as const)
      assert.equal((await by.get(path)).headers.get('x-wp-total'), String(found));
    assert.equal((await ada.get(`${path}&status=private`)).headers.get('x-wp-total'), '0');
  });
});
