// Pages elsewhere that speak about a record and told the site so: those that were approved, apart from what people said.
import { type Html, html } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import type { Comment } from '../../content/comments/comment.ts';
import type { Post } from '../../content/posts/post.ts';
import type { Ground } from './needs.ts';
import { ours } from './ours.ts';
import { isWeb } from './web.ts';

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
${all.length > most && html`<p class="about"${ours(ground)}>Older mentions are not listed.</p>\n`}</section>
`;
}

/** Programs send what it is called as they have it in their pages. */
function told(ground: Ground, one: Comment): Html {
  const { said: when, exact } = ground.told(one);
  const name = html`<bdi>${readText(one.author_name).trim() || 'Somebody'}</bdi>`;
  const link = isWeb(one.author_url) ? html`<a href="${one.author_url}" rel="nofollow ugc external">${name}</a>` : name;
  return html`${link} · <time datetime="${exact}">${when}</time>`;
}
