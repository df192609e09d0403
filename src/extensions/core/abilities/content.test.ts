import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';

const root = '/api/core-abilities/v1/abilities/content';
const records = '/api/core/v2';
const everybody = ['nobody', 'subscriber', 'contributor', 'author', 'editor', 'parish_admin', 'administrator'];

eachEngine('Abilities for content', async (engine) => {
  const site = await aSite(engine);
  const client = (who: string) => (who === 'nobody' ? site : site.as(who));
  const run = (who: string, name: string, input: unknown) => client(who).post(`${root}/${name}/run`, { input });
  const trash = (who: string, id: unknown) => client(who).delete(`${root}/trash/run?input[id]=${id}`);
  const begun = async (who: string, said: object = {}): Promise<number> =>
    (await run(who, 'create-draft', { type: 'post', title: 'A river', ...said })).body.id;
  const found = async (who: string, query: string) => {
    const { status, body } = await client(who).get(`${root}/find/run?${query}`);
    return status === 200 ? body.map(({ id }: { id: number }) => id) : `${status} ${body.code}`;
  };

  test('begin a draft, publish it and take it away', async () => {
    const made = await run('editor', 'create-draft', { type: 'page', title: 'The mill', content: 'It turns.' });
    const { id, status, edit_link } = made.body;
    assert.deepEqual([made.status, status], [200, 'draft']);
    assert.equal(edit_link, `http://site.test${records}/pages/${id}?context=edit`);
    const address = edit_link.slice('http://site.test'.length);
    assert.equal((await site.as('editor').get(address)).body.content.raw, 'It turns.');
    assert.equal((await site.as('editor').put(address, { content: 'It turns.' })).status, 200);
    const published = await run('editor', 'publish', { id });
    assert.deepEqual(published.body, { id, status: 'publish', link: 'http://site.test/the-mill/' });
    const read = (await site.get(`${records}/pages/${id}`)).body;
    assert.deepEqual([read.title.rendered, read.content.rendered], ['The mill', '<p>It turns.</p>\n']);
    const trashed = await trash('editor', id);
    assert.deepEqual([trashed.status, trashed.body], [200, { id, status: 'trash' }]);
    assert.equal((await trash('editor', id)).body.code, 'rest_already_trashed');
  });

  test('find what whoever asks may read', async () => {
    const id = await begun('author', { title: 'A hidden lantern & more' });
    assert.deepEqual(await found('author', 'input[search]=lantern&input[status]=draft'), [id]);
    assert.deepEqual(await found('editor', 'input[search]=lantern&input[status]=any&input[limit]=1'), [id]);
    assert.deepEqual(await found('contributor', 'input[search]=lantern&input[status]=draft'), []);
    assert.deepEqual(await found('contributor', 'input[search]=lantern&input[status]=any'), []);
    await run('author', 'publish', { id });
    assert.deepEqual(await found('contributor', 'input[search]=lantern'), [id]);
    const { body } = await site.as('contributor').get(`${root}/find/run?input[search]=lantern`);
    assert.deepEqual(body, [
      {
        id,
        type: 'post',
        status: 'publish',
        modified: '2026-11-20T12:00:00',
        title: 'A hidden lantern &amp; more',
        link: 'http://site.test/2026/11/20/a-hidden-lantern-more/',
      },
    ]);
  });

  test('find no more than lists of the interface show', async () => {
    for (const query of ['input[type]=page&input[status]=draft', 'input[type]=wp_navigation&input[status]=private'])
      assert.equal(await found('contributor', query), '403 rest_ability_cannot_execute', query);
    await site.as('administrator').post(`${records}/blocks`, { title: 'A hidden block', status: 'publish' });
    await site
      .as('author')
      .post(`${records}/posts`, { title: 'Secret', content: 'nightingale', password: 'x', status: 'publish' });
    assert.deepEqual(await found('contributor', 'input[search]=nightingale'), [], 'what a password closes');
    assert.equal((await found('editor', 'input[search]=nightingale')).length, 1);
    const reused = (await site.as('contributor').get(`${records}/blocks`)).body.length;
    assert.equal((await found('contributor', 'input[type]=wp_block')).length, reused);
  });

  const deeds: readonly [
    string,
    string,
    (who: string) => Promise<{ status: number; body: { code?: string } }>,
    string[],
  ][] = [
    ['find', 'what is published', (who) => client(who).get(`${root}/find/run`), everybody.slice(2)],
    ['begin', 'a post', (who) => run(who, 'create-draft', { type: 'post', title: 'x' }), everybody.slice(2)],
    ['begin', 'a page', (who) => run(who, 'create-draft', { type: 'page', title: 'x' }), everybody.slice(4)],
    ['begin', 'a menu', (who) => run(who, 'create-draft', { type: 'wp_navigation', title: 'x' }), everybody.slice(5)],
    [
      'publish',
      "somebody else's",
      async (who) => run(who, 'publish', { id: await begun('author') }),
      everybody.slice(4).concat('author'),
    ],
    [
      'publish',
      'a page',
      async (who) => run(who, 'publish', { id: await begun('editor', { type: 'page' }) }),
      everybody.slice(4),
    ],
    [
      'publish',
      'what a contributor wrote',
      async (who) => run(who, 'publish', { id: await begun('contributor') }),
      everybody.slice(4),
    ],
    [
      'take away',
      "somebody else's",
      async (who) => trash(who, await begun('author')),
      everybody.slice(4).concat('author'),
    ],
    [
      'take away',
      'what a contributor wrote',
      async (who) => trash(who, await begun('contributor')),
      everybody.slice(4).concat('contributor'),
    ],
  ];
  test('are for the roles that the table names, and for nobody else', () =>
    checkRows(deeds, async ([, , attempt, allowed]) => {
      for (const who of everybody) {
        const { status, body } = await attempt(who);
        const refused = `${who === 'nobody' ? 401 : 403} rest_ability_cannot_execute`;
        assert.equal(`${status} ${body.code ?? ''}`.trim(), allowed.includes(who) ? '200' : refused, who);
      }
    }));

  test('publish what is there already without touching it, and what is meant for later on its day', async () => {
    const id = await begun('author');
    await run('author', 'publish', { id });
    const { body: before } = await site.as('author').get(`${records}/posts/${id}?context=edit`);
    assert.equal((await run('author', 'publish', { id })).body.status, 'publish');
    assert.deepEqual((await site.as('author').get(`${records}/posts/${id}?context=edit`)).body, before);
    const later = await site.as('author').post(`${records}/posts`, { title: 'Later', date_gmt: '2027-01-01T00:00:00' });
    assert.equal((await run('author', 'publish', { id: later.body.id })).body.status, 'future');
  });

  test('keep nothing of HTML that whoever writes may not write', async () => {
    const id = await begun('author', {
      title: '<b onclick=x>A</b>',
      content: '<p>a<script>b</script></p>',
      excerpt: 'c',
    });
    const { body } = await site.as('author').get(`${records}/posts/${id}?context=edit`);
    assert.deepEqual([body.title.raw, body.excerpt.raw], ['<b>A</b>', 'c']);
    assert.doesNotMatch(body.content.raw, /script>/);
  });

  const bad: readonly [string, () => ReturnType<typeof run>][] = [
    ['no type', () => run('author', 'create-draft', { title: 'x' })],
    ['no title', () => run('author', 'create-draft', { type: 'post' })],
    ['a type of files', () => run('author', 'create-draft', { type: 'attachment', title: 'x' })],
    ['more than is asked', () => run('author', 'create-draft', { type: 'post', title: 'x', status: 'publish' })],
    ['a number for a title', () => run('author', 'create-draft', { type: 'post', title: 5 })],
    ['no number', () => run('author', 'publish', {})],
    ['number 0', () => run('author', 'publish', { id: 0 })],
    ['a word for a number', () => trash('author', 'x')],
    ['half a number', () => trash('author', '1.5')],
    ['too many', () => client('author').get(`${root}/find/run?input[limit]=51`)],
    ['a status that is none', () => client('author').get(`${root}/find/run?input[status]=auto-draft`)],
    ['too long a search', () => client('author').get(`${root}/find/run?input[search]=${'x'.repeat(1_001)}`)],
    ['an unknown filter', () => client('author').get(`${root}/find/run?input[author]=1`)],
  ];
  test('refuse input that is not valid', () =>
    checkRows(bad, async ([, attempt]) => {
      const { status, body } = await attempt();
      assert.deepEqual([status, body.code], [400, 'ability_invalid_input']);
      assert.deepEqual(body.data, { status: 400 });
    }));

  test('refuse what is not there, and files, as their routes do', async () => {
    const { body: file } = await site.as('author').post('/api/core/v2/media', 'hello', {
      'content-type': 'text/plain',
      'content-disposition': 'attachment; filename=a.txt',
    });
    for (const id of [999_999, Number.MAX_SAFE_INTEGER, file.id])
      for (const answer of [await run('editor', 'publish', { id }), await trash('editor', id)])
        assert.deepEqual([answer.status, answer.body.code], [404, 'rest_post_invalid_id']);
    assert.equal((await run('nobody', 'publish', { id: 999_999 })).body.code, 'rest_ability_cannot_execute');
  });

  test('ask for the rights once more in the write: who was let in may be somebody else by then', async () => {
    const { identity, content, abilities } = site.app.services;
    const id = await begun('author');
    const before = await content.posts.get(id);
    const comment = {
      post: (await site.as('editor').post(`${records}/posts`, { status: 'publish', title: 'Open' })).body.id,
    };
    const { body: said } = await site.as('editor').post(`${records}/comments`, { ...comment, content: 'Well said' });
    const cases = [
      ['content/create-draft', { type: 'page', title: 'x' }, 'rest_cannot_create'],
      ['content/publish', { id }, 'rest_cannot_edit'],
      ['content/trash', { id }, 'rest_cannot_delete'],
      ['comments/moderate', { id: said.id, action: 'spam' }, 'rest_cannot_edit'],
      ['comments/moderate', { id: said.id, action: 'trash' }, 'rest_cannot_delete'],
    ] as const;
    for (const [at, [name, input, code]] of cases.entries()) {
      const ada = await site.user({ login: `ada-${at}`, roles: ['editor'] });
      const caller = await site.callerWith(await site.credentials(ada));
      await identity.users.change(await identity.users.get(ada.id), { roles: ['subscriber'] });
      const { ability, use } = abilities.get(name);
      const asking = { input, caller, use: use as never, request: undefined as never };
      assert.equal(await ability.may(asking), true, 'as who they were');
      await assert.rejects(async () => ability.run(asking), { code });
    }
    assert.deepEqual(await content.posts.get(id), before);
    assert.equal((await content.comments.get(said.id)).status, 'approved');
  });
});
