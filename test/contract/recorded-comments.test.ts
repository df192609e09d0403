// Comments as they were recorded, replayed.
import { type ContentTables, totalTopics } from '#site/content/tables.ts';
import { count, type TotalsTables } from '#site/platform/totals.ts';
import type { Store } from '#store/store.ts';
import { aPostRow } from '#test/post-rows.ts';
import type { TestSite } from '#test/site.ts';
import { accepted } from './accepted-comments.ts';
import { type Exchange, recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

const aboutComments = ({ request }: Exchange): boolean => /\/comments\b/.test(request.line);

/** The text that was left out of the recording. */
const whole = (exchange: Exchange): Exchange => {
  if (exchange.name !== 'content too long') return exchange;
  return { ...exchange, request: { ...exchange.request, body: { post: 80, content: 'x'.repeat(66_000) } } };
};

const exchanges = [
  ...recorded('comments').map(whole),
  ...[
    ...recorded('options'),
    ...recorded('pagination'),
    ...recorded('errors-400-params'),
    ...recorded('errors-auth-routing-body'),
  ].filter(aboutComments),
];

const posts = 80;
const comments = 2_001;
const held = 100;

/** Posts and comments with the numbers that those had, of a day before. */
async function seed(site: TestSite): Promise<void> {
  for (const role of ['administrator', 'editor', 'author', 'contributor', 'subscriber']) await site.caller(role);
  const store: Store<ContentTables & TotalsTables> = site.app.services.store;
  for (let at = 0; at < posts; at++) await aPostRow(store, { slug: `post-${at}` });
  const row = (at: number) => ({
    post_id: at === 617 || at === 1617 ? 76 : (at % 75) + 1,
    parent: 0,
    user_id: at >= comments - held ? 1 : 0,
    author_name: `Visitor ${at}`,
    author_email: `v${at}@example.test`,
    email_key: `v${at}@example.test`,
    author_url: 'http://example.test/',
    author_ip: '',
    author_user_agent: '',
    date: '2026-04-09T01:33:20',
    date_gmt: '2026-04-09T01:33:20',
    type: 'comment',
    status: at >= comments - held ? 'hold' : 'approved',
    status_before: null,
    trashed_at: null,
    content: `Candle nectar ${at}.`,
  });
  const rows = Array.from({ length: comments }, (_, at) => row(at));
  await store.write(async (tx) => {
    for (let from = 0; from < comments; from += 100)
      await tx
        .insertInto('comments')
        .values(rows.slice(from, from + 100))
        .execute();
    await count(tx, totalTopics.comments, { 'comment/approved': comments - held, 'comment/hold': held });
  });
}

replayed({ topic: 'comments', exchanges, accepted, seed });
