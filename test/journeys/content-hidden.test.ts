// What somebody may not see they find by no other way either, and what they try to do with it tells nothing of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPaper, classic, neutral, upload } from '#test/paper.ts';
import type { Answer } from '#test/site.ts';

const word = 'swordfish';

/** An answer that says nothing of what is hidden. */
const silent = ({ text, status }: Answer, about: string): void => {
  assert.ok(status < 500, about);
  assert.ok(!text.toLowerCase().includes(word), `${about}: ${text.slice(0, 500)}`);
};

eachEngine('What is hidden', async (engine) => {
  const site = await aPaper(engine);
  const { made, editor } = site;
  const category = await made(`${neutral}/categories`, { name: 'Open' });
  const hidden = {
    title: `A ${word}`,
    content: `Of the ${word}`,
    excerpt: word,
    comment_status: 'open',
    categories: [category.id],
  };
  const states: Record<string, object> = {
    draft: {},
    pending: { status: 'pending' },
    private: { status: 'private' },
    future: { status: 'future', date: '2030-01-01T00:00:00' },
    trash: {},
  };

  for (const [state, said] of Object.entries(states))
    test(`by being ${state} is told of nowhere`, async () => {
      const post = await made(`${neutral}/posts`, { ...hidden, ...said, status: 'private' });
      // Its name in addresses is in those of what stands below it.
      const page = await made(`${neutral}/pages`, { ...hidden, ...said, status: 'private', slug: 'above' });
      const below = await made(`${neutral}/pages`, { title: 'Below', status: 'publish', parent: page.id });
      const { body: file } = await upload(editor, `${neutral}/media?post=${post.id}`, `${word}.txt`, 'Words');
      await made(`${neutral}/comments`, { post: post.id, content: `About the ${word}` });
      await editor.put(`${neutral}/posts/${post.id}`, { content: `Of another ${word}` });
      if (state === 'trash') await editor.delete(`${neutral}/posts/${post.id}`);
      else await editor.put(`${neutral}/posts/${post.id}`, { status: 'draft', ...said });
      const one = `/posts/${post.id}`;
      const asks = [
        one,
        `${one}?context=edit`,
        `${one}?_envelope`,
        `${one}/revisions`,
        `${one}/autosaves`,
        `/posts?include=${post.id}`,
        `/posts?search=${word}`,
        `/posts?slug=a-${word}`,
        `/posts?categories=${category.id}`,
        `/search?search=${word}`,
        `/media?parent=${post.id}`,
        `/media?search=${word}`,
        `/media/${file.id}`,
        `/comments?post=${post.id}`,
        '/comments',
        `/comments?search=${word}`,
        `/categories?post=${post.id}`,
        `/pages/${page.id}`,
        `/pages/${below.id}?_embed`,
        '/pages?_embed&per_page=100',
      ];
      for (const role of [undefined, 'subscriber', 'contributor']) {
        const client = role === undefined ? site : site.as(role);
        for (const root of [neutral, classic])
          for (const path of asks) silent(await client.get(root + path), `${role}: GET ${root}${path}`);
        for (const [method, path, body] of [
          ['PUT', one, { title: 'Mine' }],
          ['DELETE', one, undefined],
          ['DELETE', `${one}?force=true`, undefined],
          ['POST', `${one}/autosaves`, { content: 'Mine' }],
          ['POST', '/comments', { post: post.id, content: 'Hello' }],
          ['POST', `/media/${file.id}`, { title: 'Mine' }],
          ['POST', `/media/${file.id}/edit`, { src: 'http://site.test/x.png', rotation: 90 }],
          ['DELETE', `/media/${file.id}?force=true`, undefined],
          ['OPTIONS', one, undefined],
        ] as const)
          silent(await client.request(method, neutral + path, { body }), `${role}: ${method} ${path}`);
        const total = await client.get(`${neutral}/posts?include=${post.id}`);
        assert.equal(total.headers.get('x-wp-total'), '0', 'it is not even counted');
      }
      silent(await site.get(`/api/oembed/1.0/embed?url=${encodeURIComponent(post.link)}`), 'embed');
      silent(
        await site.get(`/api/oembed/1.0/embed?url=${encodeURIComponent(`http://site.test/?p=${post.id}`)}`),
        'embed',
      );
      assert.equal((await editor.get(`${neutral}/posts/${post.id}?context=edit`)).body.title.raw, `A ${word}`);
    });

  test('is as what is not there, to who asks for something else by it', async () => {
    const { id, link } = await made(`${neutral}/posts`, { title: 'Hidden', status: 'private' });
    const gone = await made(`${neutral}/posts`, { title: 'Gone', status: 'private' });
    await editor.delete(`${neutral}/posts/${gone.id}?force=true`);
    const alike = async (about: string, ask: (id: number, link: string) => Promise<Answer>) => {
      const [hiddenOne, missing] = [await ask(id, link), await ask(gone.id, gone.link)];
      assert.deepEqual([hiddenOne.status, hiddenOne.body], [missing.status, missing.body], about);
      assert.equal(hiddenOne.headers.get('x-wp-total'), missing.headers.get('x-wp-total'), about);
    };
    for (const client of [site, site.as('subscriber'), site.as('author')]) {
      await alike('media of it', (post) => client.get(`${neutral}/media?parent=${post}`));
      await alike('posts by number', (post) => client.get(`${neutral}/posts?include=${post}`));
      await alike('what is found', (post) => client.get(`${neutral}/search?include=${post}`));
      await alike('its embed', (_, url) => client.get(`/api/oembed/1.0/embed?url=${encodeURIComponent(url)}`));
      await alike('pages below it', (post) => client.get(`${neutral}/pages?parent=${post}`));
      await alike('a file for it', (post) => upload(client, `${neutral}/media?post=${post}`, 'a.txt', 'Words'));
    }
    const author = site.as('author');
    const { body: file } = await upload(author, `${neutral}/media`, 'a.txt', 'Words');
    await alike('a file moved to it', (post) => author.post(`${neutral}/media/${file.id}`, { post }));
  });

  test('behind a password shows its title and no more, to who does not know the password', async () => {
    const said = { title: 'Guarded', content: `Of the ${word}`, excerpt: word, password: 'sesame', status: 'publish' };
    const post = await made(`${neutral}/posts`, { ...said, comment_status: 'open' });
    await made(`${neutral}/comments`, { post: post.id, content: `About the ${word}` });
    for (const path of [
      `/posts/${post.id}`,
      '/posts',
      `/posts/${post.id}?_embed`,
      '/comments',
      '/search?search=guarded',
    ])
      silent(await site.get(neutral + path), path);
    silent(await site.get(`${neutral}/posts/${post.id}?password=open`), 'a wrong one');
    assert.match((await site.get(`${neutral}/posts/${post.id}?password=sesame`)).text, /swordfish/);
    silent(await site.get(`${neutral}/comments?post=${post.id}`), 'its comments');
    assert.match((await site.get(`${neutral}/comments?post=${post.id}&password=sesame`)).text, /swordfish/);
    silent(await site.get(`${neutral}/posts/${post.id}`), 'what was shown to who knows it is kept for nobody else');
    silent(await site.get(`/api/oembed/1.0/embed?url=${encodeURIComponent(post.link)}`), 'embed');
  });
});
