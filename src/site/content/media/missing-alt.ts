// Pictures without an alternative text: screen readers have nothing to say of them.
import { sql } from 'kysely';
import type { Also, Post, Posts } from '../posts/post.ts';
import { attachment } from '../types.ts';
import type { MediaLibrary } from './media.ts';

/** A condition on `posts`. */
export const missingAlt: Also = sql`(posts.mime_type like 'image/%' and exists
  (select 1 from media where media.post_id = posts.id and trim(media.alt_text) = ''))`;

const pageSize = 200;

export interface PictureWithoutAlt {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly date: string;
}

/** By id. */
export async function* picturesWithoutAlt(
  posts: Pick<Posts, 'list'>,
  media: Pick<MediaLibrary, 'files' | 'urlOf'>,
): AsyncGenerator<PictureWithoutAlt> {
  for (let after = 0; ; ) {
    const { items } = await posts.list({
      types: [attachment.name],
      statuses: ['inherit', 'private', 'publish'],
      limit: pageSize,
      offset: 0,
      order: 'asc',
      orderBy: 'id',
      also: [missingAlt, sql`posts.id > ${after}`],
    });
    const files = await media.files(items.map(({ id }) => id));
    for (const post of items) yield described(post, media.urlOf(files.get(post.id)?.file ?? ''));
    if (items.length < pageSize) return;
    after = items.at(-1)!.id;
  }
}

const described = ({ id, title, date }: Post, url: string): PictureWithoutAlt => ({ id, title, url, date });
