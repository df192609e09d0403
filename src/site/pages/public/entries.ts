// Records as lists of them show each: the title, when and by whom, a picture and how it begins.
import { type Html, html, markup } from '#lib/html.ts';
import type { Post } from '../../content/posts/post.ts';
import { balanced } from '../../content/rendering/balanced.ts';
import { authorNames, shownTitle } from '../../content/rendering/dynamic/open-records.ts';
import { pictureHtml, shownPictures } from '../../content/rendering/dynamic/pictures.ts';
import type { Ground } from './needs.ts';
import { ours } from './needs.ts';

/** A title as what leads to its record. */
export const headed = ({ content }: Pick<Ground, 'content'>, title: string): Html =>
  markup(shownTitle(content.rendering.title(title)));

export async function entries(ground: Ground, posts: readonly Post[]): Promise<Html> {
  const { content } = ground;
  const shown = posts.filter(({ password }) => password === '');
  const [links, names, pictures, prose] = await Promise.all([
    content.permalinks.of(posts),
    authorNames(ground, posts),
    shownPictures(
      { ...ground, media: content.media },
      shown.map(({ featured_media }) => featured_media),
      'medium',
    ),
    content.rendering.prose(),
  ]);
  return html`${posts.map((post) => {
    const picture = pictures.get(post.featured_media);
    const isClosed = post.password !== '';
    return html`<article class="entry">
<h2><a href="${links.get(post.id)}">${headed(ground, post.title)}</a></h2>
${about(ground, post, names.get(post.author))}
${!isClosed && picture && html`<div class="lead">${markup(pictureHtml(picture, 'size-medium'))}</div>\n`}${
  isClosed ? closed(ground) : markup(balanced(prose.excerpt(post)))
}</article>
`;
  })}`;
}

const closed = (ground: Ground): Html => html`<p${ours(ground)}>A password is needed to read this.</p>`;

/** When, and by whom; of pages that goes without saying. */
export function about(ground: Ground, post: Post, name: string | undefined, link?: string): Html | undefined {
  if (post.type !== 'post') return undefined;
  const { said, exact } = ground.told(post);
  const who =
    link === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${link}" rel="author"><bdi>${name}</bdi></a>`;
  return html`<p class="about"><time datetime="${exact}">${said}</time>${name !== undefined && html` · ${who}`}</p>`;
}
