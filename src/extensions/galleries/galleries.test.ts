import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture, quartered } from '#test/pictures.ts';
import { aRemote } from '#test/remote.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

const core = '/api/core/v2';

async function threePictures(site: TestSite): Promise<number[]> {
  const ids: number[] = [];
  for (const [at, bytes] of [await picture(900, 600), await picture(600, 900), await quartered(800, 800)].entries())
    ids.push((await send(site, 'administrator', `picture-${at + 1}.jpg`, bytes, `?alt_text=Alt ${at + 1}`)).body.id);
  return ids;
}

const idsOf = (items: readonly { id: number }[]): number[] => items.map(({ id }) => id);

eachEngine('Galleries and albums', (engine) => {
  test('keep the order of their items, in revisions too, and forget what is deleted', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const [one, two, three] = (await threePictures(site)) as [number, number, number];
    const items = [
      { id: three, caption: '<p onclick="x">A <a href="/b" target="_blank">b</a><script>1</script></p>' },
      { id: one },
      { id: two, status: 'pending', title: 'Two -- <b>' },
    ];
    const made = await editor.post(`${core}/galleries`, {
      title: 'Summer fair',
      status: 'publish',
      gallery_data: { config: { columns: 9, gutter: '5', nonsense: 1, crop_position: 'up' }, items },
    });
    assert.equal(made.status, 201, made.text);
    const { id, link, gallery_data: data } = made.body;
    assert.match(link, /\/gallery\/summer-fair\/$/);
    assert.deepEqual(idsOf(data.items), [three, one, two]);
    assert.deepEqual(
      [data.config.columns, data.config.gutter, data.config.crop_position, data.config.nonsense],
      [6, 5, 'c', undefined],
    );
    assert.equal(data.items[0].caption, '<p>A <a href="/b" target="_blank" rel="noopener">b</a>1</p>');
    assert.deepEqual(
      [data.items[0].src, data.items[0].link === data.items[0].src, data.items[1].alt],
      [data.items[0].link, true, 'Alt 1'],
    );
    assert.deepEqual([data.items[2].status, data.items[2].title], ['pending', 'Two -- <b>']);

    const turned = await editor.post(`${core}/galleries/${id}`, { gallery_data: { items: [...data.items].reverse() } });
    assert.deepEqual(idsOf(turned.body.gallery_data.items), [two, one, three]);
    assert.equal(turned.body.gallery_data.config.columns, 6);
    const revisions = (await editor.get(`${core}/galleries/${id}/revisions?context=edit`)).body;
    const first = revisions.find(
      ({ content }: { content: { raw: string } }) =>
        content.raw.indexOf(`"id":${three}`) < content.raw.indexOf(`"id":${two}`),
    );
    const back =
      first === undefined ? turned : await editor.post(`${core}/galleries/${id}`, { content: first.content.raw });
    assert.equal(idsOf(back.body.gallery_data.items).length, 3);

    const { body: album } = await editor.post(`${core}/albums`, {
      title: 'The year',
      status: 'publish',
      album_data: { galleries: [{ id, caption: '<em>June</em>' }] },
    });
    assert.deepEqual([album.album_data.galleries[0].title, album.album_data.config.columns], ['Summer fair', 3]);
    assert.match(
      (await site.get(new URL(album.link).pathname)).text,
      /class="gallery gallery-layout-columns[^>]*role="list"/,
    );

    await site.as('administrator').delete(`${core}/media/${three}?force=true`);
    assert.deepEqual(idsOf((await site.get(`${core}/galleries/${id}`)).body.gallery_data.items).includes(three), false);
    await editor.delete(`${core}/galleries/${id}?force=true`);
    assert.deepEqual((await site.get(`${core}/albums/${album.id}`)).body.album_data.galleries, []);
    assert.equal((await site.get(`${core}/media/${one}`)).status, 200);

    const refused = await editor.post(`${core}/galleries`, { gallery_data: { items: [{ id: 999_999 }] } });
    assert.deepEqual([refused.status, refused.body.code], [400, 'rest_invalid_param']);
    assert.deepEqual((await site.get(`${core}/search?subtype=album`)).body.length, 1);
  });

  test('do not tell accounts of galleries and pictures that they may not see', async () => {
    const site = await aSite(engine);
    const [editor, contributor] = [site.as('editor'), site.as('contributor')];
    const { body: draft } = await editor.post(`${core}/posts`, { title: 'Draft' });
    const { body: secret } = await send(site, 'editor', 'secret.jpg', await picture(60, 40), `?post=${draft.id}`);
    const items = [{ id: secret.id, link: secret.source_url }];
    const { body: gallery } = await editor.post(`${core}/galleries`, { title: 'Plans', gallery_data: { items } });
    assert.equal(gallery.gallery_data.items[0].src, secret.source_url);

    const content = `<!-- wp:gallery/items {} --><!-- wp:gallery/item {"id":${secret.id},"link":"file"} /--><!-- /wp:gallery/items -->`;
    const { body: named } = await contributor.post(`${core}/galleries`, { title: 'Mine', content });
    assert.deepEqual(
      named.gallery_data.items.map(({ src, link }: { src: string; link: string }) => [src, link]),
      [['', 'file']],
    );
    const album = (galleries: object[]) =>
      contributor.post(`${core}/albums`, { title: 'A', album_data: { galleries } });
    const refused = [
      await album([{ id: gallery.id }]),
      await album([{ id: named.id, cover_image_id: secret.id }]),
      await site.as('author').post('/api/gallery-background/v1/insert-album', { data: { galleries: [gallery.id] } }),
    ];
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.code]),
      [
        [400, 'gallery_not_found'],
        [400, 'rest_invalid_param'],
        [400, 'gallery_not_found'],
      ],
    );
  });

  test('are shown on their pages and in texts, closed by a password, and without a script of their own in the page', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const ids = await threePictures(site);
    const items = ids.map((id, at) => ({ id, status: at === 2 ? 'pending' : 'active' }));
    const gallery_data = { config: { columns: 0, loop: 0 }, items };
    const { body: gallery } = await editor.post(`${core}/galleries`, {
      title: 'Fair',
      status: 'publish',
      gallery_data,
    });
    const page = await site.get(new URL(gallery.link).pathname);
    assert.match(
      page.text,
      new RegExp(
        `<div id="gallery-${gallery.id}" class="gallery gallery-layout-justified gallery-columns-0 gallery-theme-base[^>]*data-loop="0">`,
      ),
    );
    assert.equal(page.text.match(/<figure class="gallery-item"/g)?.length, 2);
    assert.match(
      page.text,
      /<img src="[^"]+" srcset="[^"]+" sizes="\(max-width: 600px\) 100vw[^"]*" width="\d+" height="\d+" alt="Alt 1" loading="eager" decoding="async" class="wp-image-\d+" style="background-color:#/,
    );
    const script = 'http://site.test/gallery-lightbox.js';
    assert.ok(page.text.includes(`<script defer src="${script}"></script>`));
    assert.match(page.headers.get('content-security-policy') ?? '', new RegExp(`script-src ${script}`));
    assert.match((await site.get('/gallery-lightbox.js')).headers.get('content-type') ?? '', /^text\/javascript/);

    const content = `[site-gallery id="${gallery.id}"]\n\n<!-- wp:gallery/embed {"galleryId":${gallery.id},"columns":2,"lightbox":false} /-->`;
    const { body: post } = await editor.post(`${core}/posts`, { title: 'News', status: 'publish', content });
    const shown = async () => (await site.get(`${core}/posts/${post.id}`)).body.content.rendered as string;
    assert.match(await shown(), /gallery-layout-justified[\s\S]*gallery-layout-masonry gallery-columns-2/);
    assert.equal((await shown()).match(/<script/g)?.length, 1);

    await editor.post(`${core}/galleries/${gallery.id}`, { password: 'fair' });
    assert.doesNotMatch(await shown(), /<img/);
    assert.match(await shown(), /enter the password/);
    const closed = (await site.get(`${core}/galleries/${gallery.id}`)).body;
    assert.deepEqual([closed.gallery_data, closed.content.rendered], [undefined, '']);
    const { content: opened } = (await site.get(`${core}/galleries/${gallery.id}?password=fair`)).body;
    assert.equal(opened.rendered.match(/<img/g)?.length, 2);
    await editor.post(`${core}/galleries/${gallery.id}`, { status: 'draft', password: '' });
    assert.doesNotMatch(await shown(), /gallery-item|gallery-missing/);
    const edited = await editor.get(`${core}/posts/${post.id}?context=edit`);
    assert.equal(edited.body.content.rendered.match(/gallery-missing/g)?.length, 2);
    assert.doesNotMatch(await shown(), /gallery-missing/);
  });

  test('have no pages while the extension is off, and have them again when it is on', async () => {
    const site = await aSite(engine);
    const { body } = await site.as('editor').post(`${core}/galleries`, { title: 'Fair', status: 'publish' });
    const admin = site.as('administrator');
    const shown = async () => {
      const [page, map] = [await site.get('/gallery/fair/'), await site.get('/sitemap.xml')];
      return [page.status, map.text.includes('gallery')];
    };
    assert.deepEqual(await shown(), [200, true]);
    await admin.post(`${core}/plugins/galleries/galleries`, { status: 'inactive' });
    assert.deepEqual(await shown(), [404, false]);
    await admin.post(`${core}/plugins/galleries/galleries`, { status: 'active' });
    assert.deepEqual(await shown(), [200, true]);
    assert.equal((await site.get(`${core}/galleries/${body.id}`)).status, 200);
  });

  test('are made in the background, with pictures in their order, each decided by its bytes', async () => {
    const files: Record<string, readonly [type: string, body: Buffer | string]> = {
      '/one.png': ['image/png', await picture(60, 40, 'png')],
      '/lies.jpg': ['image/jpeg', '<html><body>No picture</body></html>'],
      '/scan.tif': ['image/tiff', Buffer.from('II*\0 a scan', 'latin1')],
      '/scan': ['application/octet-stream', await picture(50, 50)],
    };
    const remote = await aRemote((request, response) => {
      const [type, body] = files[request.url!] ?? ['text/plain', undefined];
      response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': type }).end(body);
    });
    engine.atEnd(() => remote.close());
    const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host } });
    const author = site.as('author');
    const [one, two] = (await threePictures(site)) as [number, number, number];
    const api = '/api/gallery-background/v1';
    const images = [
      { id: two },
      { src: `${remote.url}/scan`, title: 'A scan.png' },
      { src: `${remote.url}/lies.jpg` },
      { id: one },
    ];
    const data = {
      gallery: { title: 'Trip' },
      images,
      config: { columns: 3, crop: 1, mobile: 0, thumbnails: 0, mobile_thumbnails: 0 },
    };
    const made = await author.post(`${api}/insert-gallery`, { data });
    assert.deepEqual(
      [made.status, made.body.success, made.body.data.created, made.body.data.queued],
      [201, true, true, 4],
      made.text,
    );
    const { gallery_id: id, job } = made.body.data;
    await site.app.services.jobs.settled();
    const poll = await author.post(`${api}/insert-gallery`, { data: { job: job.id } });
    const { status, done, failed, errors } = poll.body.data;
    assert.deepEqual([status, done, failed, errors[0]?.code], ['done', 3, 1, 'invalid_image'], poll.text);
    assert.equal((await site.as('editor').post(`${api}/crop-images`, { job: job.id })).body.code, 'job_not_found');
    const items = async () => (await site.get(`${core}/galleries/${id}`)).body.gallery_data.items;
    assert.deepEqual(
      (await items()).map(({ title }: { title: string }) => title),
      ['picture-2', 'A scan', 'picture-1'],
    );
    assert.match((await items())[1].src, /\.jpg$/);

    const added = await author.post(`${api}/insert-image`, {
      data: { gallery: id, position: 'before', image: { src: `${remote.url}/one.png` } },
    });
    assert.deepEqual(
      [added.status, added.body.data.item.title, (await items())[0].id],
      [201, 'one', added.body.data.attachment_id],
      added.text,
    );
    assert.equal((await author.post(`${api}/insert-image`, { data: { gallery: id, image: { id: one } } })).status, 200);
    const scan = { src: `${remote.url}/scan.tif` };
    const refused: [unknown, number, string][] = [
      [{ src: 'http://169.254.169.254/latest' }, 400, 'unsafe_url'],
      [{ src: `${remote.url}/lies.jpg` }, 415, 'invalid_image'],
      [scan, 415, 'invalid_image'],
      [{ src: `${remote.url}/missing` }, 502, 'image_fetch_failed'],
      [{}, 400, 'rest_invalid_param'],
    ];
    for (const [image, code, name] of refused) {
      const answer = await author.post(`${api}/insert-image`, { data: { gallery: id, image } });
      assert.deepEqual(
        [answer.status, answer.body.success, answer.body.code, answer.body.data.code],
        [code, false, name, name],
      );
      assert.equal(/TIFF/.test(answer.body.message), image === scan);
    }

    const crop = await author.post(`${api}/crop-images`, { data: { id } });
    assert.deepEqual([crop.status, crop.body.data.total >= 0], [202, true], crop.text);
    await site.app.services.jobs.settled();
    const page = await site.get(new URL((await site.get(`${core}/galleries/${id}`)).body.link).pathname);
    assert.match(page.text, /picture-1-640x480_c\.jpg/);

    const args = { width: 100, height: 50, align: 'tl' };
    const resized = async (more: object) =>
      author.post(`${api}/resize-image`, { data: { image_id: one, args: { ...args, ...more } } });
    assert.match((await resized({})).body.data, /picture-1-100x50_tl\.jpg$/);
    assert.match((await resized({ retina: true, height: 0 })).body.data, /picture-1-100x67_tl%402x\.jpg$/);
    assert.match((await resized({ width: 4_000 })).body.data, /picture-1\.jpg$/);
    assert.deepEqual((await resized({ width: -1 })).status, 400);
    const foreign = await author.post(`${api}/resize-image`, { data: { image_url: `${remote.url}/one.png`, args } });
    assert.deepEqual([foreign.status, foreign.body.code], [400, 'foreign_image']);

    const album = { album: { title: 'Year' }, galleries: [id, { gallery: { title: 'New' } }] };
    const year = await author.post(`${api}/insert-album`, { data: album });
    assert.deepEqual([year.status, year.body.data.galleries.length], [201, 2], year.text);
    const unknown = await author.post(`${api}/insert-album`, { data: { galleries: [999_999] } });
    assert.deepEqual([unknown.status, unknown.body.code], [400, 'gallery_not_found']);
    assert.equal((await site.as('subscriber').post(`${api}/insert-gallery`, { data })).status, 403);
    assert.equal((await site.post(`${api}/insert-gallery`, { data })).status, 401);
  });
});
