// Making many records of one type in one write: what is looked up and written for all of them together, around what each needs for
// itself. They come from the program, so their texts and their status are kept as they stand.
import { instant } from '#store/columns.ts';
import type { During } from '#store/writing.ts';
import { userLock } from '../../identity/users/guards.ts';
import { keepFirstMetaOf } from '../meta.ts';
import { isNamed } from '../statuses.ts';
import type { Writing } from '../tables.ts';
import type { ContentType } from '../types.ts';
import { keepOneOfMany, type New } from './add.ts';
import { countNew } from './counted.ts';
import { refuseUnknownAuthor } from './faults.ts';
import { pictureOf } from './featured.ts';
import { nowFindable, soonFindable } from './found-by.ts';
import type { WritingNeeds } from './needs.ts';
import type { OneOfMany, Post } from './post.ts';
import { freeSlug, slugWanted, trashedSlug, unusedAmong } from './slugs.ts';
import { takePictures } from './tree.ts';

/** What others may not change meanwhile, in the order in which others take it. */
export async function holdAuthors(tx: Writing, { share }: During, all: readonly OneOfMany[]): Promise<void> {
  const authors = [...new Set(all.map(({ author }) => author))].sort((one, other) => one - other);
  for (const author of authors) await share(userLock(author));
  for (const author of authors) await refuseUnknownAuthor(tx, author);
}

export async function insertMany(
  tx: Writing,
  during: During,
  type: ContentType,
  all: readonly OneOfMany[],
  needs: WritingNeeds,
): Promise<Post[]> {
  const pictures = await takePictures(tx, all);
  const rows = all.map((one) => rowOf(type, one, pictures, needs));
  const wanted = rows.map(({ slug }) => slug);
  const unused = await unusedAmong(tx, during, wanted, needs.kinds);
  const findable = await soonFindable(tx, rows);
  const posts: Post[] = [];
  for (const row of rows) {
    const isFree = row.slug === '' || unused.delete(row.slug);
    const slug = isFree ? row.slug : await freeSlug(tx, during, row.slug, { id: 0, type, parent: 0 });
    const own = { type, terms: {}, meta: {}, alongside: undefined };
    posts.push((await keepOneOfMany(tx, during, { ...row, slug }, own, needs)).post);
  }
  const made = posts.map((post, at) => ({ post, id: post.id, ...all[at]!, ...findable[at]! }));
  await nowFindable(tx, made);
  const counted = await needs.terms.givenMany(tx, made);
  await keepFirstMetaOf(tx, made);
  await countNew(
    tx,
    posts.map((post, at) => ({ post, terms: counted[at]! })),
  );
  return posts;
}

function rowOf(
  type: ContentType,
  one: OneOfMany,
  pictures: Awaited<ReturnType<typeof takePictures>>,
  { clock }: Pick<WritingNeeds, 'clock'>,
): New {
  const { moment, terms: _, meta: __, ...said } = one;
  const slug = isNamed(one.status) ? slugWanted(undefined, one.title) : '';
  return {
    ...said,
    type: type.name,
    parent: 0,
    menu_order: 0,
    slug,
    date: moment.wall,
    date_gmt: moment.utc,
    modified: moment.wall,
    modified_gmt: moment.utc,
    password: '',
    template: '',
    format: '',
    sticky: 0,
    featured_media: pictureOf(pictures, one.featured_media, 0),
    mime_type: '',
    guid: '',
    version: 1,
    status_before: null,
    ...(one.status === 'trash' && trashed(slug, clock())),
  };
}

/** As if it had been published before. */
const trashed = (slug: string, at: Date) => ({
  slug: slug && trashedSlug(slug),
  status_before: 'publish',
  slug_before: slug,
  trashed_at: instant(at),
});
