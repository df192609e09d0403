// Whom the site believes, for how long, and what it takes from those it does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { RateLimitTables } from '#site/platform/rate-limits.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { asking, frame, json, link, page, video } from '#test/embeds.ts';
import { offline } from '#test/offline.ts';
import { aSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';
import type { EmbedsTables } from './tables.ts';

const proxy = (url: string) => `/api/oembed/1.0/proxy?url=${encodeURIComponent(url)}`;
const embed = (url: string) => `/api/oembed/1.0/embed?url=${encodeURIComponent(url)}`;

eachEngine('Sites that are believed, and others', (engine) => {
  const evil = '<script>evil()</script>';
  const told = { ...video, html: `${frame}${evil}`, title: '<<b>img src=x onerror=y>', author_name: `${evil}A < B` };
  const paths = { '/told': json(told), '/p/1': page(link('/told')), '/oembed': json(told) };

  test('an answer of one that is struck off the list is told no more, and neither is one from before it stood there', async () => {
    const { show, believe, asked } = await asking(engine, paths, true);
    assert.ok(String((await show('/p/1')).html).endsWith(evil));
    believe(false);
    const { html } = await show('/p/1');
    assert.match(String(html), /^<iframe sandbox="allow-scripts" [^<>]*><\/iframe>$/);
    assert.deepEqual(asked(), ['/oembed', '/p/1', '/told']);
    believe(true);
    assert.ok(String((await show('/p/1')).html).endsWith(evil));
    assert.equal(asked().length, 3);
  });

  test('what others say of a page is text without markup', async () => {
    const { show } = await asking(engine, paths);
    const { title, author_name } = await show('/p/1');
    assert.deepEqual([title, author_name], ['&lt;img src=x onerror=y>', 'A &lt; B']);
    const linked = { type: 'link', version: '1.0', title: 'A < B' };
    const other = await asking(engine, { '/page': page(link('/told')), '/told': json(linked) });
    assert.match(String((await other.show('/page')).html), />A &lt; B<\/a>$/);
  });

  for (const html of [
    '<<iframe src="http://x.test/"></iframe>iframe src="http://y.test/">',
    '<\niframe src="http://y.test/">',
  ])
    test(`no frame that could be changed on its way comes of ${JSON.stringify(html)}`, async () => {
      const { show } = await asking(engine, { '/oembed': json({ ...video, html }) }, true);
      assert.doesNotMatch(String((await show('/p/1')).html), /<iframe/);
    });
});

eachEngine('What one asks of other sites', (engine) => {
  test('is looked up sixty times a minute at most, refused or not, and a refusal leaves nothing behind', async () => {
    let looked = 0;
    const lookup = async (): Promise<string[]> => {
      looked += 1;
      return ['10.0.0.1'];
    };
    const site = await aSite(engine, { world: { ...offline, lookup } });
    const ask = async (role: string, at: number) => (await site.as(role).get(proxy(`http://a${at}.test/`))).body.code;
    const codes = await Promise.all(Array.from({ length: 90 }, (_, at) => ask('author', at)));
    assert.equal(codes.filter((code) => code === 'unsafe_url').length, 60);
    assert.equal(codes.filter((code) => code === 'too_many_requests').length, 30);
    assert.equal(looked, 60);
    assert.equal(await ask('editor', 1), 'unsafe_url');
    const { db } = site.app.services.store as unknown as Store<EmbedsTables & RateLimitTables>;
    assert.deepEqual(await db.selectFrom('rate_limits').selectAll().execute(), []);
    assert.deepEqual(await db.selectFrom('embeds_answers').selectAll().execute(), []);
  });

  test('keeps nobody else from asking, however slow it is', async () => {
    const slow = Promise.withResolvers<void>();
    let waiting = 0;
    const begun = Promise.withResolvers<void>();
    const lookup = async (name: string): Promise<string[]> => {
      if (!name.startsWith('slow')) return ['10.0.0.1'];
      waiting += 1;
      if (waiting === 4) begun.resolve();
      await slow.promise;
      return ['10.0.0.1'];
    };
    const site = await aSite(engine, { world: { ...offline, lookup } });
    const many = Array.from({ length: 60 }, (_, at) => site.as('author').get(proxy(`http://slow${at}.test/`)));
    await begun.promise;
    assert.equal((await site.as('editor').get(proxy('http://quick.test/'))).body.code, 'unsafe_url');
    assert.equal(waiting, 4);
    slow.resolve();
    for (const { body } of await Promise.all(many)) assert.equal(body.code, 'unsafe_url');
  });
});

eachEngine('Pictures that are nobody else’s', (engine) => {
  test('are told of with no page of the site', async () => {
    const site = await aSite(engine);
    const administrator = site.as('administrator');
    const bytes = await sharp({ create: { width: 700, height: 700, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const written = async (said: object) =>
      (await administrator.post('/api/core/v2/posts', { title: 'A', ...said })).body;
    const shown = async (picture: number): Promise<string | undefined> => {
      const { link } = await written({ status: 'publish', featured_media: picture });
      const { status, body } = await site.get(embed(link));
      assert.equal(status, 200);
      return body.thumbnail_url;
    };
    const uploaded = async (name: string, query = ''): Promise<number> =>
      (await send(site, 'administrator', name, bytes, query)).body.id;
    assert.match((await shown(await uploaded('open.png'))) ?? '', /open/);
    assert.equal(await shown(await uploaded('secret.png', '?status=private')), undefined);
    for (const status of ['draft', 'private']) {
      const { id } = await written({ status });
      assert.equal(await shown(await uploaded(`${status}.png`, `?post=${id}`)), undefined, status);
    }
  });
});
