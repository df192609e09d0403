// A site with content of every kind, backed up and put back into either store: it answers every question as before.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLocalFiles } from '#site/files/local/local.ts';
import { prepareRestore } from '#site/transfer/backup/restore.ts';
import type { EngineName } from '#store/engine.ts';
import { tableOwners } from '../../src/boot/tables.ts';
import { extensions } from '../../src/extensions/all.ts';
import { archiveOf, archivesIn } from './archives.ts';
import { keptLog, type TestEngine, testEngine } from './databases.ts';
import { picture } from './pictures.ts';
import { type Answer, aSite, noon, type TestSite } from './site.ts';

const root = '/api/core/v2';

/** Something of everything, and of what is counted and found. */
async function filled(site: TestSite): Promise<{ file: string; asked: string[] }> {
  const editor = site.as('editor');
  const made = async (base: string, said: object) => {
    const { status, body, text } = await editor.post(`${root}/${base}`, said);
    assert.equal(status, 201, text);
    return body;
  };
  const river = (await made('categories', { name: 'River' })).id;
  const delta = (await made('categories', { name: 'Delta', parent: river })).id;
  const tag = (await made('tags', { name: 'Émile' })).id;
  const post = await made('posts', { title: 'Über den Fluß', content: 'Ein Reiher.', status: 'publish', tags: [tag] });
  await editor.post(`${root}/posts/${post.id}`, { content: 'Zwei Reiher.', categories: [river, delta], sticky: true });
  await made('posts', { title: 'Locked', content: 'Reiher', status: 'publish', password: 'sesame' });
  await made('posts', { title: 'Later', status: 'future', date: '2030-01-01T00:00:00' });
  const { id: gone } = await made('posts', { title: 'Gone Reiher', status: 'publish' });
  await made('comments', { post: gone, content: 'Put away with it' });
  await editor.delete(`${root}/posts/${gone}`);
  const page = await made('pages', { title: 'About', status: 'publish', menu_order: 3 });
  await made('pages', { title: 'Team', status: 'publish', parent: page.id });
  await made('blocks', { title: 'Box', content: 'Reiher', status: 'publish' });
  const sent = await editor.request('POST', `${root}/media?post=${post.id}&alt_text=A+heron`, {
    headers: { 'content-disposition': 'attachment; filename="reiher.jpg"', 'content-type': 'image/jpeg' },
    body: await picture(500, 400),
  });
  await editor.post(`${root}/posts/${post.id}`, { featured_media: sent.body.id });
  await made('comments', { post: post.id, content: 'Ça, un héron!' });
  await editor.post(`${root}/posts/${post.id}/autosaves`, { content: 'Drei Reiher.' });
  const asked = [
    'posts',
    'posts?search=reiher',
    'posts?search=uber+fluss',
    'posts?status=any&context=edit',
    'posts?status=trash&context=edit',
    `posts?categories=${river}&_embed`,
    `posts?tags=${tag}&author=${post.author}`,
    `posts/${post.id}/revisions?context=edit`,
    `posts/${post.id}/autosaves`,
    'pages?orderby=menu_order&order=asc',
    'blocks',
    'media?context=edit',
    'media?search=reiher',
    'comments?context=edit',
    'comments?search=heron',
    `comments?post=${gone}&status=post-trashed`,
    'categories?orderby=count&order=desc',
    'tags?search=emile',
    'search?search=reiher',
    'users?context=edit&orderby=id',
  ];
  return { file: new URL(sent.body.source_url).pathname, asked };
}

const seen = ({ status, headers, body }: Answer) => ({ status, total: headers.get('x-wp-total'), body });

/** Call it inside a suite of the engine that the backup is restored to. */
export function restoredContent(from: EngineName, engine: TestEngine): void {
  const [other, archives] = [testEngine(from), archivesIn(engine)];

  const putBack = async (bytes: Buffer, secret: string | undefined): Promise<TestSite> => {
    const place = await engine.place();
    const { carryOut } = await prepareRestore({
      archive: await archives.open(bytes),
      store: { ...place, tables: tableOwners(), log: keptLog() },
      files: () => openLocalFiles(join(place.data, 'media'), noon),
      secret,
      secretRemedy: 'correct the password',
      isInUse: async () => false,
    });
    await carryOut();
    return aSite({ ...engine, place: async () => place }, { extensions });
  };

  test('is shown, found and counted as it was, and goes on', async () => {
    const source = await aSite(other, { extensions });
    const { file, asked } = await filled(source);
    const headers = await source.credentials('administrator');
    const { data, database } = source.config;
    const { services } = source.app;
    const { bytes } = await archiveOf({ data, ...(database && { database }) }, tableOwners(), services.files);

    const back = await putBack(bytes, source.config.secret);
    for (const query of asked) {
      const [before, now] = [
        await source.get(`${root}/${query}`, headers),
        await back.get(`${root}/${query}`, headers),
      ];
      assert.deepEqual(seen(now), seen(before), query);
      assert.ok(before.body.length > 0, query);
      assert.deepEqual(seen(await back.get(`${root}/${query}`)), seen(await source.get(`${root}/${query}`)), query);
    }
    assert.equal((await back.get(file)).text, (await source.get(file)).text);

    const [{ id }] = (await back.get(`${root}/posts?status=trash`, headers)).body;
    const restored = await back.post(`${root}/posts/${id}`, { status: 'publish' }, headers);
    assert.equal(restored.body.slug, 'gone-reiher');
    const fresh = await back.post(`${root}/posts`, { title: 'New Reiher', status: 'publish' }, headers);
    assert.equal(fresh.status, 201);
    const found = (await back.get(`${root}/posts?search=reiher&orderby=id`)).body.map(
      (post: { id: number }) => post.id,
    );
    assert.ok(found.includes(id) && found.includes(fresh.body.id));
    assert.equal((await back.get(`${root}/comments?search=away`)).body.length, 1);
  });
}
