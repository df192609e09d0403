// The file that a record stands for, as its page shows it.
import { type Html, html, markup } from '#lib/html.ts';
import type { MediaFile } from '../../content/media/media.ts';
import type { Post } from '../../content/posts/post.ts';
import { balanced } from '../../content/rendering/balanced.ts';
import { pictureHtml, shownPictures } from '../../content/rendering/dynamic/pictures.ts';
import type { Ground } from './needs.ts';
import { titleOf } from './page-tree.ts';

export async function fileShown(ground: Ground, post: Post): Promise<Html | undefined> {
  const { media } = ground.content;
  const file = post.type === 'attachment' ? (await media.files([post.id])).get(post.id) : undefined;
  if (file === undefined) return undefined;
  const url = media.urlOf(file.file);
  const prose = await ground.content.rendering.prose();
  const caption =
    post.excerpt.trim() === ''
      ? undefined
      : html`<figcaption>${markup(balanced(prose.caption(post.excerpt)))}</figcaption>`;
  return html`<figure class="lead">${await shown(ground, post, file, url)}${caption}</figure>`;
}

async function shown(ground: Ground, post: Post, file: MediaFile, url: string): Promise<Html> {
  const { media } = ground.content;
  const kind = post.mime_type.split('/')[0];
  if (kind === 'audio') return html`<audio controls preload="metadata" src="${url}"></audio>`;
  if (kind === 'video') return html`<video controls preload="metadata" src="${url}"></video>`;
  const picture = (await shownPictures({ ...ground, media }, [post.id], 'large')).get(post.id);
  if (picture === undefined) return html`<a href="${url}">${file.file.replace(/^.*\//, '')}</a>`;
  return html`<a href="${url}">${markup(foremost(pictureHtml({ ...picture, alt: picture.alt || titleOf(ground, post.title) }, 'size-large')))}</a>`;
}

/** Of the picture that people wait for. */
export const foremost = (img: string): string => img.replace('<img ', '<img fetchpriority="high" ');
