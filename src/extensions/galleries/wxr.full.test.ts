// Galleries, albums and converted posts move to another site with an export file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createExporting } from '#site/transfer/import/wxr/write.ts';
import { eachEngine } from '#test/databases.ts';
import { aPlace } from '#test/moved.ts';
import { picture } from '#test/pictures.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';
import { exportOf, item } from '#test/wxr.ts';
import { embeddedGalleriesIn } from './convert/gallery-sources.ts';
import { albumIn, galleryIn } from './gallery-content.ts';

const core = '/api/core/v2';

async function exported({ app }: TestSite): Promise<string> {
  const pieces: string[] = [];
  await createExporting(app.services).write({}, async (all) => {
    for await (const piece of all) pieces.push(piece);
  });
  return pieces.join('');
}

eachEngine('An export file with galleries', (engine) => {
  test('keeps which pictures and galleries are shown, under their numbers there', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const ids: number[] = [];
    for (const name of ['one', 'two', 'three'])
      ids.push((await send(site, 'editor', `${name}.jpg`, await picture(60, 40))).body.id);
    const [one, two, three] = ids as [number, number, number];
    const items = [
      { id: three, caption: 'A <em>third</em>' },
      { id: one, status: 'pending' },
    ];
    const fair = { title: 'Fair', status: 'publish', gallery_data: { config: { columns: 4 }, items } };
    const { body: gallery } = await editor.post(`${core}/galleries`, fair);
    const galleries = [{ id: gallery.id, cover_image_id: two }];
    await editor.post(`${core}/albums`, { title: 'Year', status: 'publish', album_data: { galleries } });
    const content = `[gallery ids="${two},${one}"]\n<!-- wp:gallery/embed {"galleryId":${gallery.id}} /-->`;
    const { body: post } = await editor.post(`${core}/posts`, { title: 'News', status: 'publish', content });
    const api = '/api/gallery-convert/v1/process-gallery';
    assert.equal((await editor.post(api, { post_id: post.id })).status, 200);

    const place = await aPlace(engine);
    const others = [1, 2, 3, 4, 5, 6].map((at) => item({ title: `Other ${at}`, 'wp:post_id': at }));
    assert.equal((await place.arrive(place.file(exportOf(...others), 'others.xml'))).code, 0);
    const moved = await place.arrive(place.file(await exported(site)), '--uploads', join(site.config.data, 'media'));
    assert.equal(moved.code, 0, JSON.stringify(moved));

    const rows = (await place.rows('posts')) as unknown as { id: number; title: string; content: string }[];
    const titles = new Map(rows.map(({ id, title }) => [id, title]));
    const textOf = (title: string): string => rows.find((row) => row.title === title)!.content;
    const named = (all: readonly number[]) => all.map((id) => titles.get(id));
    const fairNow = galleryIn(textOf('Fair'));
    assert.deepEqual([fairNow.config.columns, named(fairNow.entries.map(({ id }) => id))], [4, ['three', 'one']]);
    assert.deepEqual(
      fairNow.entries.map(({ caption, status }) => [caption, status]),
      [
        ['A <em>third</em>', 'active'],
        ['', 'pending'],
      ],
    );
    const [cover] = albumIn(textOf('Year')).entries;
    assert.deepEqual(named([cover!.id, cover!.cover_image_id]), ['Fair', 'two']);
    const shown = embeddedGalleriesIn(textOf('News')).map(({ id }) => id);
    assert.equal(titles.get(shown[1]!), 'Fair');
    const converted = titles.get(shown[0]!)!;
    assert.match(converted, /^News-\d+-Converted-/);
    assert.deepEqual(named(galleryIn(textOf(converted)).entries.map(({ id }) => id)), ['two', 'one']);
    assert.notEqual(shown[1], gallery.id);
  });
});
