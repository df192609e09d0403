// What was said last, about records that everybody may read.
import { sql } from 'kysely';
import { longest } from '../excerpts.ts';
import { live } from '../live.ts';
import { type Attributes, classOf, isSet, saidIn, textIn, wholeIn, worded } from './markup.ts';
import type { BlockNeeds } from './open-records.ts';
import { siteNow, type Told } from './site-now.ts';

interface Entry {
  readonly author: string;
  /** Theirs, where they gave one. */
  readonly home: string;
  readonly url: string;
  readonly title: string;
  readonly date: Told;
  readonly excerpt: string;
  readonly picture: string | undefined;
}

const most = { comments: 100, words: 20, read: 1000, text: 4000 };

export const latestComments = (needs: BlockNeeds) =>
  live<readonly Entry[]>({
    rests: ['comments', 'posts', 'settings'],
    reads: ['commentsToShow'],
    async find({ attributes: { commentsToShow } }) {
      const rows = await newest(needs, wholeIn(commentsToShow, [1, most.comments], 5));
      const records = await needs.records.some([...new Set(rows.map(({ post_id }) => post_id))]);
      const [now, links] = await Promise.all([siteNow(needs), needs.permalinks.of(records)]);
      const about = new Map(records.map((record) => [record.id, record]));
      return rows.flatMap((row) => {
        const record = about.get(row.post_id);
        if (record === undefined) return [];
        return {
          author: textIn(row.author_name.trim()) || 'Anonymous',
          home: /^https?:\/\//i.test(row.author_url) ? row.author_url : '',
          url: `${links.get(record.id)}#comment-${row.id}`,
          title: record.title,
          date: now.told(row),
          excerpt: beginningOf(row.content),
          picture: needs.avatarOf(row.author_email),
        };
      });
    },
    write({ attributes }, entries) {
      if (entries.length === 0)
        return `<div${classOf('latest-comments', attributes, 'no-comments')}>No comments to show.</div>`;
      const items = entries.map((entry) => item(entry, attributes)).join('');
      return `<ol${classOf('latest-comments', attributes, ...looks(attributes))}>${items}</ol>`;
    },
  });

/** Of the newest of all, those about what everybody may read. */
async function newest({ store, kinds }: BlockNeeds, limit: number) {
  const types = kinds.types.filter(({ viewable, guarded }) => viewable && guarded !== true).map(({ name }) => name);
  const numbers = await store.db
    .selectFrom((of) =>
      of
        .selectFrom('comments')
        .select(['id', 'post_id', 'date_gmt'])
        .where('status', '=', 'approved')
        .where('type', '=', 'comment')
        .orderBy('date_gmt', 'desc')
        .orderBy('id', 'desc')
        .limit(most.read)
        .as('said'),
    )
    .innerJoin('posts', 'posts.id', 'said.post_id')
    .select('said.id')
    .where('posts.status', '=', 'publish')
    .where('posts.password', '=', '')
    .where('posts.type', 'in', types)
    .orderBy('said.date_gmt', 'desc')
    .orderBy('said.id', 'desc')
    .limit(limit)
    .execute();
  return readComments(
    store.db,
    numbers.map(({ id }) => id),
  );
}

/** In the same order. */
async function readComments(db: BlockNeeds['store']['db'], ids: readonly number[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('comments')
    .select(['id', 'post_id', 'author_name', 'author_email', 'author_url', 'date', 'date_gmt'])
    .select(sql<string>`substr(content, 1, ${sql.lit(most.text)})`.as('content'))
    .where('id', 'in', ids)
    .orderBy('date_gmt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

function beginningOf(content: string): string {
  const words = saidIn(content).split(' ');
  const first = words.slice(0, most.words).join(' ');
  return words.length > most.words || first.length > longest.title ? `${textIn(first, longest.title)}…` : first;
}

const looks = ({ displayAvatar, displayDate, displayExcerpt }: Attributes): (string | false)[] => [
  isSet(displayAvatar, true) && 'has-avatars',
  isSet(displayDate, true) && 'has-dates',
  isSet(displayExcerpt, true) && 'has-excerpts',
];

const name = 'wp-block-latest-comments__comment';

function item(entry: Entry, { displayAvatar, displayDate, displayExcerpt }: Attributes): string {
  const { author, home, url, title, date, excerpt, picture } = entry;
  const who =
    home === ''
      ? `<span class="${name}-author">${worded(author)}</span>`
      : `<a class="${name}-author" href="${worded(home)}" rel="nofollow ugc">${worded(author)}</a>`;
  const when = `<time datetime="${date.exact}" class="${name}-date">${worded(date.said)}</time>`;
  return [
    `<li class="${name}">`,
    isSet(displayAvatar, true) && picture !== undefined && avatar(picture),
    `<article><footer class="${name}-meta">${who} on <a class="${name}-link" href="${worded(url)}">${title}</a>`,
    isSet(displayDate, true) && when,
    '</footer>',
    isSet(displayExcerpt, true) && `<div class="${name}-excerpt"><p>${worded(excerpt)}</p></div>`,
    '</article></li>',
  ]
    .filter((part) => part !== false)
    .join('');
}

const avatar = (address: string): string =>
  `<img alt="" src="${worded(address)}" class="avatar avatar-48 photo ${name}-avatar" height="48" width="48" />`;
