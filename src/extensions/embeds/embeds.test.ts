import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import sharp from 'sharp';
import type { ContentTables } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';

const embed = (url: string, more = '') => `/api/oembed/1.0/embed?url=${encodeURIComponent(url)}${more}`;
const proxy = (url: string, more = '') => `/api/oembed/1.0/proxy?url=${encodeURIComponent(url)}${more}`;

eachEngine('What the site tells of its pages', (engine) => {
  let site: TestSite;
  let link: string;
  const written = async (more: object): Promise<string> => {
    const said = { title: 'Spring & <em>"Summer"</em>', content: 'Text', status: 'publish', ...more };
    const { status, body } = await site.as('administrator').post('/api/core/v2/posts', said);
    assert.equal(status, 201);
    return body.link;
  };

  before(async () => {
    site = await aSite(engine);
    link = await written({});
  });

  test('is a frame of it, with a quotation until that is shown', async () => {
    const { status, body, headers } = await site.get(embed(link));
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'public, max-age=300');
    const { html, ...rest } = body;
    assert.deepEqual(rest, {
      version: '1.0',
      provider_name: site.config.deployment.settings.title,
      provider_url: 'http://site.test',
      author_name: 'administrator',
      author_url: 'http://site.test/author/administrator/',
      title: 'Spring &#038; <em>&#8220;Summer&#8221;</em>',
      type: 'rich',
      width: 600,
      height: 338,
    });
    const [, secret] = /data-secret="([A-Za-z0-9]{10})"/.exec(html) ?? [];
    assert.ok(
      html.startsWith(
        `<blockquote class="embedded-content" data-secret="${secret}"><a href="${link}">Spring &amp; “Summer”</a>`,
      ),
    );
    assert.ok(html.includes(`src="${link}embed/#?secret=${secret}" width="600" height="338"`));
    assert.equal((await site.get(embed(link))).body.html, html);
  });

  test('is read by pages of anybody, and told again to nobody who knows it, as JSON and XML', () =>
    checkRows(['json', 'xml'], async (format) => {
      const asked = embed(link, `&format=${format}`);
      for (let time = 0; time < 2; time++) {
        const { headers } = await site.get(asked, { Origin: 'https://other.test' });
        assert.equal(headers.get('access-control-allow-origin'), '*');
        assert.equal(headers.get('access-control-allow-credentials'), null);
        assert.equal(headers.get('cache-control'), 'public, max-age=300');
        const again = await site.get(asked, { 'If-None-Match': headers.get('etag') ?? '' });
        assert.deepEqual([again.status, again.text], [304, '']);
      }
      const { headers } = await site.as('subscriber').get(asked);
      assert.equal(headers.get('etag'), null);
      assert.match(headers.get('cache-control') ?? '', /no-store/);
    }));

  test('is another once the page has another title', async () => {
    const { id, link: page } = (
      await site.as('administrator').post('/api/core/v2/posts', { title: 'A', status: 'publish' })
    ).body;
    const first = await site.get(embed(page));
    await site.as('administrator').put(`/api/core/v2/posts/${id}`, { title: 'B' });
    const second = await site.get(embed(page), { 'If-None-Match': first.headers.get('etag') ?? '' });
    assert.deepEqual([second.status, second.body.title], [200, 'B']);
    await site.as('administrator').put(`/api/core/v2/posts/${id}`, { password: 'sesame' });
    assert.equal((await site.get(embed(page))).status, 404);
  });

  test('is found by every form of its address', async () => {
    const { pathname } = new URL(link);
    for (const form of [link.slice(0, -1), `${link}#part`, `${link}?utm_source=x`, `https://site.test${pathname}`])
      assert.equal((await site.get(embed(form))).status, 200, form);
  });

  const sizes: [string, number, number][] = [
    ['&maxwidth=100', 200, 200],
    ['&maxwidth=400', 400, 225],
    ['&maxwidth=1000', 600, 338],
    ['&maxwidth=wide', 600, 338],
    ['&maxwidth=400&maxheight=120', 400, 120],
    ['&maxwidth=400&maxheight=50', 400, 225],
  ];
  test('is as large as was asked for', () =>
    checkRows(sizes, async ([asked, width, height]) => {
      const { body } = await site.get(embed(link, asked));
      assert.deepEqual([body.width, body.height], [width, height]);
    }));

  test('is XML for who asks for it, and JSON for any other spelling', async () => {
    const { text, headers } = await site.get(embed(link, '&format=xml'));
    assert.match(headers.get('content-type') ?? '', /^text\/xml/);
    assert.match(
      text,
      /<oembed><version>1\.0<\/version>.*<title>Spring &amp;#038; &lt;em&gt;&amp;#8220;Summer&amp;#8221;&lt;\/em&gt;<\/title>/,
    );
    assert.equal((await site.get(embed(link, '&format=odd'))).body.type, 'rich');
  });

  test('is nothing of posts that are not public', () =>
    checkRows(
      [
        ['a draft', { status: 'draft' }],
        ['what is private', { status: 'private' }],
        ['what is to come', { date: '2030-01-01T00:00:00' }],
        ['what has a password', { password: 'secret' }],
      ] as const,
      async ([, more]) => {
        const { status, body } = await site.get(embed(await written(more)));
        assert.deepEqual([status, body.code], [404, 'oembed_invalid_url']);
        assert.deepEqual(body.data, { status: 404 });
      },
    ));

  test('is nothing of other URLs', () =>
    checkRows(['http://site.test/', 'http://site.test/nothing/', 'http://other.test/', 'nonsense'], async (url) =>
      assert.equal((await site.get(embed(url))).body.code, 'oembed_invalid_url'),
    ));

  test('is told of the page that is the front, once one is', async () => {
    const administrator = site.as('administrator');
    const { body: front } = await administrator.post('/api/core/v2/pages', { title: 'Welcome', status: 'publish' });
    await administrator.put('/api/core/v2/settings', { show_on_front: 'page', page_on_front: front.id });
    for (const form of ['http://site.test/', 'http://site.test', 'https://site.test/?utm_source=x#part'])
      assert.equal((await site.get(embed(form))).body.title, 'Welcome', form);
    assert.ok((await site.get(embed('http://site.test/'))).body.html.includes('src="http://site.test/embed/#?secret='));
    await administrator.put('/api/core/v2/settings', { show_on_front: 'posts', page_on_front: 0 });
  });

  test('is in the name of the site once who wrote it is gone', async () => {
    const { body: page } = await site
      .as('administrator')
      .post('/api/core/v2/posts', { title: 'Left', status: 'publish' });
    assert.equal((await site.get(embed(`http://site.test/?p=${page.id}`))).body.author_name, 'administrator');
    const store = site.app.services.store as unknown as Store<ContentTables>;
    await store.write(async (tx) => {
      await tx.updateTable('posts').set({ author: 0 }).where('id', '=', page.id).execute();
    });
    const { body } = await site.get(embed(page.link, '&maxwidth=300'));
    assert.deepEqual([body.author_name, body.author_url], [site.config.deployment.settings.title, 'http://site.test']);
  });

  test('is nothing of what lists others, or is said of it', async () => {
    const { body: page } = await site
      .as('administrator')
      .post('/api/core/v2/posts', { title: 'Told', status: 'publish' });
    const said = (await site.as('administrator').post('/api/core/v2/comments', { post: page.id, content: 'x' })).body;
    assert.ok(said.id);
    for (const url of ['author/administrator/', 'category/uncategorized/', '2026/11/', '?s=told', 'comments/feed/'])
      assert.equal((await site.get(embed(`http://site.test/${url}`))).body.code, 'oembed_invalid_url', url);
  });

  test('is a film where it is one', async () => {
    const bytes = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1');
    const { status, body } = await site.as('administrator').post('/api/core/v2/media', bytes, {
      'Content-Disposition': 'attachment; filename="lake.mp4"',
      'Content-Type': 'video/mp4',
    });
    assert.equal(status, 201);
    assert.equal((await site.get(embed(body.link))).body.type, 'video');
  });

  test('is nothing of a file below what is hidden', async () => {
    const administrator = site.as('administrator');
    const { body: hidden } = await administrator.post('/api/core/v2/posts', { title: 'Hidden', status: 'private' });
    const { body: file } = await administrator.post('/api/core/v2/media', Buffer.from('words'), {
      'Content-Disposition': 'attachment; filename="words.txt"',
      'Content-Type': 'text/plain',
    });
    assert.equal((await site.get(embed(`http://site.test/?attachment_id=${file.id}`))).status, 200);
    await administrator.put(`/api/core/v2/media/${file.id}`, { post: hidden.id });
    assert.equal((await site.get(embed(`http://site.test/?attachment_id=${file.id}`))).status, 404);
  });

  describe('and of pictures', () => {
    const uploaded = async (width: number, height: number): Promise<{ id: number; link: string }> => {
      const create = { width, height, channels: 3, background: '#336699' } as const;
      const bytes = await sharp({ create }).jpeg().toBuffer();
      const { status, body } = await site.as('administrator').post('/api/core/v2/media', bytes, {
        'Content-Disposition': 'attachment; filename="lake.jpg"',
        'Content-Type': 'image/jpeg',
      });
      assert.equal(status, 201);
      return body;
    };
    const shown = async (url: string, more = '') => {
      const { body } = await site.get(embed(url, more));
      return [body.thumbnail_url?.split('/').at(-1), body.thumbnail_width, body.thumbnail_height];
    };

    test('is the smallest that is as wide, in the shape of the whole', async () => {
      const picture = await uploaded(1200, 900);
      const page = await written({ featured_media: picture.id });
      assert.deepEqual(await shown(page), ['lake-768x576.jpg', 768, 576]);
      assert.deepEqual(await shown(page, '&maxwidth=200'), ['lake-300x225.jpg', 300, 225]);
      assert.deepEqual(await shown(picture.link, '&maxwidth=300'), ['lake-300x225.jpg', 300, 225]);
    });

    test('is the whole of a small one, and nothing without one', async () => {
      const small = await uploaded(100, 80);
      assert.deepEqual(await shown(await written({ featured_media: small.id })), ['lake-1.jpg', 100, 80]);
      assert.deepEqual(await shown(link), [undefined, undefined, undefined]);
    });
  });

  describe('and for who writes', () => {
    test('is had without asking anybody', async () => {
      const { status, body } = await site.as('author').get(proxy(link));
      assert.deepEqual([status, body.type], [200, 'rich']);
      assert.equal((await site.as('author').get(proxy('http://site.test/nothing/'))).body.code, 'oembed_invalid_url');
    });

    test('is asked by nobody else', async () => {
      assert.deepEqual(
        [(await site.get(proxy(link))).status, (await site.get(proxy(link))).body.code],
        [401, 'rest_forbidden'],
      );
      assert.equal((await site.as('subscriber').get(proxy(link))).status, 403);
    });

    test('needs an address of the web', async () => {
      for (const url of ['javascript:x', 'file:///etc/passwd', 'http://a:b@x.test/'])
        assert.deepEqual([(await site.as('author').get(proxy(url))).body.code, url], ['rest_invalid_param', url]);
      assert.equal((await site.as('author').get(proxy(link, '&format=odd'))).status, 400);
      for (const url of ['nonsense', 'http://127.0.0.1/'])
        assert.deepEqual([(await site.as('author').get(proxy(url))).body.code, url], ['unsafe_url', url]);
    });
  });
});
