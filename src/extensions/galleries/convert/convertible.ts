// Which posts have galleries of an earlier form.
import { sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import { convertErrors } from './errors.ts';
import { gallerySourcesIn } from './gallery-sources.ts';
import type { ConvertDeps } from './rights.ts';

const maxFound = 5_000;
const pageSize = 200;
const textsAtOnce = 20;
/** Statuses of content that is not converted. */
export const unlisted = ['auto-draft', 'trash'];

export async function convertible(deps: ConvertDeps, named: unknown, caller: Caller) {
  const { content } = deps;
  const name = typeof named === 'string' ? named.trim() : '';
  if (name === '') throw convertErrors.missingPostType();
  const type = content.kinds.type(name);
  if (type === undefined) throw convertErrors.unknownPostType(name);
  if (!caller.can(type.capabilities.edit)) throw kernelErrors.forbidden(`change ${type.labels.toLowerCase()}`);
  const posts: number[] = [];
  let isRefused = false;
  for await (const post of candidates(deps, name)) {
    const mayEdit = content.rights.mayEdit(caller, post);
    if (mayEdit && posts.length === maxFound) return { posts, truncated: true };
    if (mayEdit) posts.push(post.id);
    else isRefused = true;
  }
  if (posts.length > 0) return { posts };
  if (isRefused) throw kernelErrors.forbidden(`change these ${type.labels.toLowerCase()}`);
  const any = deps.store.db
    .selectFrom('posts')
    .select('id')
    .where('type', '=', name)
    .where('status', 'not in', unlisted);
  throw (await any.limit(1).executeTakeFirst()) === undefined
    ? convertErrors.noItems(name)
    : convertErrors.noGalleries(name);
}

/** Content of a type that has a gallery of an earlier form, by id. */
async function* candidates({ store: { db } }: ConvertDeps, type: string) {
  const mentions = sql<boolean>`(content like '%<!-- wp:gallery %' or content like '%[gallery%' or content like '%wp:core/gallery %')`;
  for (let after = 0; ; ) {
    const heads = await db
      .selectFrom('posts')
      .select(['id', 'type', 'status', 'author', 'parent', 'status_before'])
      .where('type', '=', type)
      .where('status', 'not in', unlisted)
      .where('id', '>', after)
      .where(mentions)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    for (let at = 0; at < heads.length; at += textsAtOnce) {
      const some = heads.slice(at, at + textsAtOnce);
      const ids = some.map(({ id }) => id);
      const rows = await db.selectFrom('posts').select(['id', 'content']).where('id', 'in', ids).execute();
      const texts = new Map(rows.map(({ id, content }) => [id, content]));
      for (const post of some) if (gallerySourcesIn(texts.get(post.id) ?? '').length > 0) yield post;
    }
    if (heads.length < pageSize) return;
    after = heads.at(-1)!.id;
  }
}
