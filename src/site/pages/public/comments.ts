// What was said about a record: what is approved, each answer below what it answers, the oldest first, a page of them at a time.
import { type Html, html, markup } from '#lib/html.ts';
import type { Comment } from '../../content/comments/comment.ts';
import type { Post } from '../../content/posts/post.ts';
import type { Prose } from '../../content/rendering/rendering.ts';
import { under } from './asked.ts';
import type { Ground } from './needs.ts';
import { ours } from './ours.ts';

/** So many that answer nothing are on a page, with so many answers in all; answers to answers stand no deeper than this. */
const most = { first: 50, answers: 500, rounds: 10, deep: 4 };

const shown = { statuses: ['approved'], type: 'comment', order: 'asc', orderBy: 'date_gmt' } as const;

interface Talk {
  readonly first: readonly Comment[];
  readonly answers: ReadonlyMap<number, readonly Comment[]>;
  /** In all, and the pages they fill. */
  readonly total: number;
  readonly pages: number;
}

async function talkOf({ content }: Ground, post: Post, page: number): Promise<Talk> {
  const about = { ...shown, posts: [post.id] };
  const offset = (page - 1) * most.first;
  const [all, first] = await Promise.all([
    content.comments.list({ ...about, limit: 1, offset: 0 }),
    content.comments.list({ ...about, parents: [0], limit: most.first, offset }),
  ]);
  const answers: Comment[] = [];
  let parents = first.items.map(({ id }) => id);
  for (let round = 0; round < most.rounds && parents.length > 0 && answers.length < most.answers; round++) {
    const { items } = await content.comments.list({
      ...about,
      parents,
      limit: most.answers - answers.length,
      offset: 0,
    });
    answers.push(...items);
    parents = items.map(({ id }) => id);
  }
  const byParent = Map.groupBy(answers, ({ parent }) => parent);
  return { first: first.items, answers: byParent, total: all.total, pages: Math.ceil(first.total / most.first) };
}

/** Nothing, where there is no such page of them. */
export async function comments(
  ground: Ground,
  post: Post,
  address: string,
  page: number,
): Promise<Html | 'none' | undefined> {
  const { content } = ground;
  if (content.kinds.type(post.type)?.supports.includes('comments') !== true) return page === 1 ? 'none' : undefined;
  const [talk, prose] = await Promise.all([talkOf(ground, post, page), content.rendering.prose()]);
  if (page > Math.max(1, talk.pages)) return undefined;
  if (talk.first.length === 0) return 'none';
  const heading = talk.total === 1 ? 'One comment' : `${talk.total} comments`;
  return html`<section aria-labelledby="comments">
<h2 id="comments"${ours(ground)}>${heading}</h2>
${thread({ ground, talk, prose, address }, talk.first, 1)}
${turning(ground, address, page, talk.pages)}</section>`;
}

interface Thread {
  readonly ground: Ground;
  readonly talk: Talk;
  readonly prose: Prose;
  readonly address: string;
}

/** Those that stand too deep come one after the other. */
function thread(within: Thread, some: readonly Comment[], depth: number): Html {
  const answersTo = ({ id }: Comment) => within.talk.answers.get(id) ?? [];
  const one = (comment: Comment): Html => {
    const below = answersTo(comment);
    if (below.length === 0 || depth < most.deep)
      return html`<li>${said(within, comment)}${below.length > 0 && thread(within, below, depth + 1)}</li>\n`;
    return html`<li>${said(within, comment)}</li>\n${below.map(one)}`;
  };
  return html`<ol class="talk">${some.map(one)}</ol>`;
}

function said({ ground, prose, address }: Thread, comment: Comment): Html {
  const { id, author_name, author_url, content } = comment;
  const { said: when, exact } = ground.told(comment);
  const name = html`<bdi>${author_name || 'Somebody'}</bdi>`;
  return html`<article id="comment-${id}">
<p class="about"><strong>${
    isWeb(author_url) ? html`<a href="${author_url}" rel="nofollow ugc external">${name}</a>` : name
  }</strong> · <a href="${address}#comment-${id}"><time datetime="${exact}">${when}</time></a></p>
${markup(prose.comment(content))}</article>`;
}

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

export const commentsPage = (address: string, page: number): string =>
  page === 1 ? address : under(address, `comment-page-${page}/`);

function turning(ground: Ground, address: string, page: number, pages: number): Html | undefined {
  if (pages < 2) return undefined;
  const to = (number: number, words: string): Html =>
    html`<a href="${commentsPage(address, number)}#comments">${words}</a>`;
  return html`<nav class="turn" aria-label="Pages of comments"${ours(ground)}>
<div>${page > 1 && to(page - 1, 'Older comments')}</div>
<div>Page ${page} of ${pages}</div>
<div>${page < pages && to(page + 1, 'Newer comments')}</div>
</nav>`;
}
