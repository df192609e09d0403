// What stands in texts for the addresses of other pages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, minute } from '#lib/spans.ts';
import type { Store } from '#store/store.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { type Answer, frame, json, link, page, video } from '#test/embeds.ts';
import { testClock } from '#test/queue.ts';
import { aRemote } from '#test/remote.ts';
import { aSite } from '#test/site.ts';
import type { EmbedsTables } from './tables.ts';

const script = '<script src="https://frames.test/play.js"></script>';
const told = { ...video, html: `${frame}${script}` };

/** A site that may ask one other, whose films are at `/film/…` and believed. */
async function withOther(engine: TestEngine, paths: Record<string, Answer>) {
  const remote = await aRemote((request, response) => {
    const answer = paths[new URL(request.url!, 'http://x').pathname];
    if (answer !== undefined) return answer(request, response);
    response.writeHead(404).end();
  });
  engine.atEnd(() => remote.close());
  const clock = testClock();
  const site = await aSite(engine, { clock, env: { GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host } });
  const { settings, events, jobs, store } = site.app.services;
  const believe = (endpoint: string) =>
    settings.change(
      settings.groups.find(({ name }) => name === 'embeds')!,
      { providers: [{ match: [`${remote.host}/film/*`], endpoint }] } as never,
      0,
    );
  await believe(`${remote.url}/oembed`);
  const done = async () => {
    await events.settled();
    await jobs.settled();
  };
  const editor = site.as('editor');
  const save = async (content: string, id?: number): Promise<number> => {
    const path = id === undefined ? '/api/core/v2/posts' : `/api/core/v2/posts/${id}`;
    const { status, body } = await editor.post(path, { title: 'A', status: 'publish', content });
    assert.ok(status < 300, JSON.stringify(body));
    return body.id;
  };
  const read = async (id: number): Promise<string> =>
    (await site.get(`/api/core/v2/posts/${id}`)).body.content.rendered;
  const shown = (store as unknown as Store<EmbedsTables>).db.selectFrom('embeds_shown');
  return { site, remote, clock, done, save, read, believe, paths, rows: () => shown.selectAll().execute() };
}

eachEngine('An address in a text', (engine) => {
  test('is shown as its page once that was asked for after the text was saved, and not while somebody reads', async () => {
    const { remote, save, read, done } = await withOther(engine, { '/oembed': json(told) });
    const url = `${remote.url}/film/1`;
    const id = await save(`Look:\n\n${url}\n\nsaid ${url} too`);
    await done();
    const seen = await read(id);
    assert.match(
      seen,
      /^<p>Look:<\/p>\n<iframe loading="lazy" [^<>]*><\/iframe><script [^<>]*><\/script>\n<p>said http/,
    );
    assert.equal(remote.asked.length, 1);
    await read(id);
    await save(`${url}\n`, id);
    await done();
    assert.doesNotMatch(await read(id), /film/);
    assert.equal(remote.asked.length, 1);
  });

  test('is asked for again a while after its site was away', async () => {
    const { remote, save, read, done, clock, paths, rows } = await withOther(engine, {
      '/oembed': (_, response) => response.writeHead(503).end(),
    });
    const url = `${remote.url}/film/1`;
    const id = await save(url);
    const other = await save(`[embed]${url}[/embed]`);
    await done();
    for (let time = 0; time < 2; time++) {
      assert.equal(await read(id), `<p>${url}</p>\n`);
      assert.equal(await read(other), `<p><a href="${url}">${url}</a></p>\n`);
    }
    assert.equal(remote.asked.length, 1);
    assert.deepEqual(await rows(), []);
    paths['/oembed'] = json(told);
    clock.pass(11 * minute);
    await done();
    for (const one of [id, other]) assert.match(await read(one), /^<iframe /);
  });

  test('keeps what is shown of it when it is saved again while its site is away, and loses it when its page is gone', async () => {
    const { remote, save, read, done, clock, paths } = await withOther(engine, { '/oembed': json(told) });
    const id = await save(`${remote.url}/film/1`);
    await done();
    paths['/oembed'] = (_, response) => response.writeHead(503).end();
    clock.pass(2 * day);
    await save(`${remote.url}/film/1\n\na`, id);
    await done();
    paths['/oembed'] = page('<p>Sorry</p>');
    clock.pass(2 * day);
    await done();
    assert.equal(remote.asked.length, 3);
    assert.match(await read(id), /^<iframe /);
    paths['/oembed'] = json({}, 404);
    clock.pass(2 * day);
    await save(`${remote.url}/film/1\n\nb`, id);
    await done();
    assert.match(await read(id), /^<p>http/);
  });

  test('of a site that nobody vouches for is a frame that can do nothing, however it calls itself', async () => {
    const { remote, save, read, done, believe } = await withOther(engine, {
      '/page': page(link('/told')),
      '/told': json(told),
      '/film/1': page(link('/told')),
      '/oembed': json(told),
    });
    const id = await save(`${remote.url}/page`);
    await done();
    assert.match(await read(id), /^<iframe loading="lazy" sandbox="allow-scripts" [^<>]*><\/iframe>\n$/);
    const film = await save(`${remote.url}/film/1`);
    await done();
    assert.match(await read(film), /play\.js/);
    await believe(`${remote.url}/other`);
    assert.equal(await read(film), `<p>${remote.url}/film/1</p>\n`);
  });

  test('that may not be asked, or tells of nothing, stays', async () => {
    const { remote, save, read, done, rows } = await withOther(engine, {});
    const content = `http://127.0.0.1/\n\n${remote.url}/nothing`;
    const id = await save(content);
    await done();
    assert.equal(await read(id), `<p>http://127.0.0.1/</p>\n<p>${remote.url}/nothing</p>\n`);
    assert.deepEqual(
      (await rows()).map(({ html }) => html),
      [null, null],
    );
    await save(`${content}\n`, id);
    await done();
    assert.equal(remote.asked.length, 1);
  });

  test('is one of fifty in a text', async () => {
    const { remote, save, done, rows } = await withOther(engine, { '/oembed': json(told) });
    await save(Array.from({ length: 60 }, (_, at) => `${remote.url}/film/${at}`).join('\n\n'));
    await done();
    assert.equal((await rows()).length, 50);
  });

  test('of this site is shown as it tells others, as long as everybody may read the page', async () => {
    const { site, save, read, done, remote } = await withOther(engine, {});
    const { link: own } = (await site.get(`/api/core/v2/posts/${await save('other')}`)).body;
    const id = await save(`<!-- wp:paragraph -->\n<p>${own}</p>\n<!-- /wp:paragraph -->`);
    const { html } = (await site.get(`/api/oembed/1.0/embed?url=${encodeURIComponent(own)}`)).body;
    await done();
    assert.equal(await read(id), `\n${String(html).replace('<iframe', '<iframe loading="lazy"')}\n`);
    const { body } = await site.get(`/api/core/v2/posts?search=other`);
    await site.as('editor').put(`/api/core/v2/posts/${body[0].id}`, { status: 'private' });
    assert.equal(await read(id), `\n<p>${own}</p>\n`);
    assert.equal(remote.asked.length, 0);
  });
});
