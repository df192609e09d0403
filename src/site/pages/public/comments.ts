// What was said about a record: what is approved, each answer below what it answers, the oldest first, a page of them at a time.
import { type Html, html, markup } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import type { Comment } from '../../content/comments/comment.ts';
import { commentsPage } from '../../content/comments/threads.ts';
import type { Post } from '../../content/posts/post.ts';
import type { Prose } from '../../content/rendering/rendering.ts';
import type { Ground } from './needs.ts';
import { ours } from './needs.ts';

/** Answers to answers stand no deeper than this. */
const deepest = 4;

/** Nothing, where there is no such page of them. */
export async function comments(
  ground: Ground,
  post: Post,
  address: string,
  page: number,
): Promise<Html | 'none' | undefined> {
  const { content } = ground;
  if (content.kinds.type(post.type)?.supports.includes('comments') !== true) return page === 1 ? 'none' : undefined;
  const [talk, prose] = await Promise.all([content.threads.page(post.id, page), content.rendering.prose()]);
  if (page > Math.max(1, talk.pages)) return undefined;
  if (talk.items.length === 0) return 'none';
  const { first, answers } = placed(talk.items);
  const heading = talk.total === 1 ? 'One comment' : `${talk.total} comments`;
  return html`<section aria-labelledby="comments">
<h2 id="comments"${ours(ground)}>${heading}</h2>
${thread({ ground, prose, address: commentsPage(address, page), answers }, first, 1)}
${turning(ground, address, page, talk.pages)}</section>`;
}

/** Below what they answer, where that stands before them. */
function placed(items: readonly Comment[]): Pick<Thread, 'answers'> & { readonly first: readonly Comment[] } {
  const first: Comment[] = [];
  const answers = new Map<number, Comment[]>();
  for (const one of items) {
    (answers.get(one.parent) ?? first).push(one);
    answers.set(one.id, []);
  }
  return { first, answers };
}

interface Thread {
  readonly ground: Ground;
  readonly prose: Prose;
  /** Of this page of them. */
  readonly address: string;
  readonly answers: ReadonlyMap<number, readonly Comment[]>;
}

/** Those that stand too deep come one after the other. */
function thread(within: Thread, some: readonly Comment[], depth: number): Html {
  const answersTo = ({ id }: Comment) => within.answers.get(id) ?? [];
  const one = (comment: Comment): Html => {
    const below = answersTo(comment);
    if (below.length === 0 || depth < deepest)
      return html`<li>${said(within, comment)}${below.length > 0 && thread(within, below, depth + 1)}</li>\n`;
    return html`<li>${said(within, comment)}</li>\n${below.map(one)}`;
  };
  return html`<ol class="talk">${some.map(one)}</ol>`;
}

function said({ ground, prose, address, answers }: Thread, comment: Comment): Html {
  const { id, author_name, author_url, content } = comment;
  const { said: when, exact } = ground.told(comment);
  const isAlone = comment.parent !== 0 && !answers.has(comment.parent);
  const name = html`<bdi>${author_name || 'Anonymous'}</bdi>`;
  return html`<article id="comment-${id}">
<p class="about"><strong>${
    isWeb(author_url) ? html`<a href="${author_url}" rel="nofollow ugc external">${name}</a>` : name
  }</strong> · <a href="${address}#comment-${id}"><time datetime="${exact}">${when}</time></a></p>
${isAlone && html`<p class="about"${ours(ground)}>Reply to a comment that is not on this page</p>\n`}${markup(prose.comment(content))}</article>`;
}

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

// Pages elsewhere that speak about a record and told the site so: those that were approved, apart from what people said.

/** More of them nobody looks through. */
const most = 50;

/** The newest first; nothing where there is none. */
export async function mentions(ground: Ground, { id, type }: Post): Promise<Html | undefined> {
  const { threads, kinds } = ground.content;
  const all = kinds.type(type)?.supports.includes('comments') === true ? await threads.mentions(id, most + 1) : [];
  if (all.length === 0) return undefined;
  return html`<section aria-labelledby="mentions">
<h2 id="mentions"${ours(ground)}>Mentioned elsewhere</h2>
<ul class="plain">${all.slice(0, most).map((one) => html`<li id="comment-${one.id}">${told(ground, one)}</li>\n`)}</ul>
${all.length > most && html`<p class="about"${ours(ground)}>This list shows only the newest mentions.</p>\n`}</section>
`;
}

/** Programs send what it is called as they have it in their pages. */
function told(ground: Ground, one: Comment): Html {
  const { said: when, exact } = ground.told(one);
  const name = html`<bdi>${readText(one.author_name).trim() || 'Anonymous'}</bdi>`;
  const link = isWeb(one.author_url) ? html`<a href="${one.author_url}" rel="nofollow ugc external">${name}</a>` : name;
  return html`${link} · <time datetime="${exact}">${when}</time>`;
}

/** Whether what somebody sent is the address of a page, which others may be led to. */
const isWeb = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);
