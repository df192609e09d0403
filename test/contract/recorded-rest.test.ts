// What was recorded of all that is common to the routes (fields, embeds, envelopes, methods, bodies, batches), replayed.
import assert from 'node:assert/strict';
import type { TestSite } from '#test/site.ts';
import { accepted } from './accepted-rest.ts';
import { type Exchange, recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

const elsewhere = /\/(?:posts|pages|comments|categories|tags|users)\b/;

const errors = recorded('errors-auth-routing-body').filter(
  ({ name, request }) =>
    !/user|auth|password|basic|bearer/.test(name) && !/\/(?:comments|categories)\b/.test(request.line),
);

/** Lists that were shortened are as long again. */
const whole = (exchange: Exchange): Exchange => {
  const body = exchange.request.body as { requests?: unknown[] } | undefined;
  const more = /^<(\d+) more like it>$/.exec(String(body?.requests?.[1]))?.[1];
  if (more === undefined) return exchange;
  const requests = Array.from({ length: Number(more) + 1 }, () => body!.requests![0]);
  return { ...exchange, request: { ...exchange.request, body: { ...body, requests } } };
};

const exchanges = [
  ...recorded('errors-400-params').filter(({ request }) => !elsewhere.test(request.line)),
  ...recorded('errors-400-params').filter(({ name }) => /^(?:user|app password) /.test(name)),
  ...recorded('fields-embed-envelope-method'),
  ...recorded('pagination').filter(({ name }) => /^(?:media|users) /.test(name)),
  ...recorded('options').filter(({ name }) => /^OPTIONS (?:media|unknown route)$/.test(name)),
  ...errors,
  ...recorded('batch').map(whole),
];

const left: Readonly<Record<string, string | Uint8Array>> = {
  '<600 nested arrays>': `${'['.repeat(600)}${']'.repeat(600)}`,
  '<14 bytes>': Buffer.from('{"title":"\xff"}', 'latin1'),
};

/** A post with an author, a category and a comment, one with a password, and a page, with the numbers they had. */
async function seed(site: TestSite): Promise<void> {
  for (const role of ['administrator', 'editor', 'subscriber']) await site.caller(role);
  for (let at = 1; at <= 9; at++)
    await site.user({ login: `user${at}`, email: `user${at}@example.test`, roles: ['subscriber'] });
  const admin = site.as('administrator');
  const add = async (path: string, said: object): Promise<number> => {
    const { status, body, text } = await admin.post(`/api/core/v2/${path}`, said);
    assert.equal(status, 201, text);
    return body.id;
  };
  const published = { content: '<!-- wp:paragraph -->\n<p>Words.</p>\n<!-- /wp:paragraph -->', status: 'publish' };
  assert.equal(await add('posts', { ...published, title: 'Hello world!', date: '2025-01-10T09:00:00' }), 1);
  assert.equal(await add('pages', { ...published, title: 'A page' }), 2);
  await add('posts', { ...published, title: 'Older', date: '2024-01-10T09:00:00' });
  await add('posts', { ...published, title: 'Password post', password: 'sesame' });
  const visitor = { author: 0, author_name: 'Somebody', author_email: 'somebody@example.test' };
  await add('comments', { ...visitor, post: 1, content: 'Said.', author_url: 'http://example.test/' });
  for (let author = 4; author <= 9; author++)
    await add('posts', { ...published, title: `By ${author}`, author, date: '2024-01-10T09:00:00' });
  const { posts } = site.app.services.content;
  const file = { mime_type: 'image/png', guid: 'http://site.test/a.png' };
  await posts.add('attachment', { title: 'a', status: 'inherit' }, { unfiltered: true, file });
}

replayed({ topic: 'the rest', exchanges, accepted, seed, body: (placeholder) => left[placeholder]! });
