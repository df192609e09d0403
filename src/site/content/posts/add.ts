// Making a record: the row, and everything that is its own from the start.
import { columnOf } from '#lib/objects.ts';
import { instant } from '#store/columns.ts';
import type { During } from '#store/writing.ts';
import { userLock } from '../../identity/users/guards.ts';
import { nobodys } from '../../identity/users/user.ts';
import type { More } from '../../platform/totals.ts';
import { keepFirstMeta, keepFirstMetaOf, type MetaValues } from '../meta.ts';
import { isNamed } from '../statuses.ts';
import type { PostsTable, Writing } from '../tables.ts';
import type { ContentType } from '../types.ts';
import { dated, saidDate } from './dates.ts';
import { refuseEmpty, refuseHiddenSticky, refuseParent, refuseUnknownAuthor, refuseUnknownTemplate } from './faults.ts';
import { indexNewPost, nowFindable, soonFindable, titleKey } from './found-by.ts';
import type { Defaults, WritingNeeds } from './needs.ts';
import { type Changing, type OneOfMany, type Post, postColumns } from './post.ts';
import { type Prepared, plainly } from './prepared.ts';
import { countNew, recount } from './rows.ts';
import { freeSlug, slugWanted, trashedSlug, unusedAmong } from './slugs.ts';
import { pictureOf, takeNear, takePictures, treeLock } from './tree.ts';

/** What a record begins with. */
export const initial = columnOf(postColumns, 'initial');

interface Making extends Prepared, Pick<Changing, 'by' | 'writer' | 'file' | 'alongside'> {
  readonly defaults: Defaults;
  /** For a record of which nobody said any. */
  readonly category: number | undefined;
}

/** A record before it has a number; one that comes from elsewhere may bring its own. */
export interface New extends Omit<Post, 'id'>, Partial<Pick<PostsTable, 'slug_before' | 'trashed_at'>> {
  readonly id?: number;
}

/** What else is its own from the start. */
export interface Own extends Pick<Making, 'type'> {
  readonly alongside?: Making['alongside'] | undefined;
  readonly terms: Readonly<Record<string, readonly number[]>>;
  readonly meta: MetaValues;
}

export async function insertPost(tx: Writing, during: During, making: Making, needs: WritingNeeds): Promise<Post> {
  const row = await soundRow(tx, during, making);
  const meta = making.metaKept();
  const slug = await slugOfNew(tx, during, making, row);
  const { said, category, file } = making;
  const terms = category === undefined ? said.terms : { category: [category], ...said.terms };
  const own = { type: making.type, alongside: making.alongside, terms: terms ?? {}, meta };
  return keepNew(tx, during, { ...row, slug, guid: file?.guid ?? '' }, own, needs);
}

/** Keeps a sound row, with everything that knows of it. Without a guid it gets its address. */
export async function keepNew(tx: Writing, during: During, row: New, own: Own, needs: WritingNeeds): Promise<Post> {
  const { post, terms } = await keepRecord(tx, during, row, own, needs, (post) => indexNewPost(tx, post));
  await recount(tx, undefined, post, terms);
  return post;
}

/** The same of one of many: who makes them has all of them found (`soonFindable`) and counted (`countNew`) at once. */
export const keepOneOfMany = (tx: Writing, during: During, row: New, own: Own, needs: WritingNeeds): Promise<Kept> =>
  keepRecord(tx, during, row, own, needs, async () => {});

interface Kept {
  readonly post: Post;
  /** What its terms count, not counted yet. */
  readonly terms: More;
}

async function keepRecord(
  tx: Writing,
  during: During,
  row: New,
  own: Own,
  needs: WritingNeeds,
  index: (post: Post) => Promise<void>,
): Promise<Kept> {
  const isKnown = row.guid === '' && row.status === 'publish' && row.slug !== '' && !needs.permalinks.areNumbered;
  const named = { ...row, guid: isKnown ? await addressOf({ ...row, id: -1 }, needs) : row.guid };
  const { id } = await tx
    .insertInto('posts')
    .values({ ...named, title_key: titleKey(row.title) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { slug_before: _, trashed_at: __, ...seen } = named;
  const post = await namedById(tx, during, { ...seen, id }, own.type, needs);
  // New words first, then terms: so writers never wait in a ring.
  const [terms] = await Promise.all([
    index(post).then(() => needs.terms.given(tx, post, own.terms)),
    keepFirstMeta(tx, post.id, own.meta),
  ]);
  await own.alongside?.(tx, post);
  return { post, terms };
}

async function soundRow(tx: Writing, { lock }: During, making: Making): Promise<New> {
  const { type, said } = making;
  const row = rowOf(making);
  if (said.author !== undefined) await refuseUnknownAuthor(tx, row.author);
  refuseHiddenSticky(row);
  if (row.parent !== 0) await lock(treeLock);
  const near = await takeNear(tx, { parent: row.parent, featured_media: said.featured_media ?? 0 });
  refuseParent(near, row.parent, type);
  refuseEmpty(type, row);
  refuseUnknownTemplate(said.template);
  return { ...row, featured_media: pictureOf(near, said.featured_media, 0) };
}

function rowOf(making: Making): New {
  const { type, said, now, defaults, file } = making;
  const spoken = saidDate(said, now.zone);
  const modified = spoken ?? now;
  return {
    type: type.name,
    ...initial,
    author: making.writer ?? making.by ?? nobodys,
    parent: said.parent ?? initial.parent,
    modified: modified.wall,
    modified_gmt: modified.utc,
    comment_status: isOpen(type, 'comments') ? defaults.default_comment_status : 'closed',
    ping_status: isOpen(type, 'trackbacks') ? defaults.default_ping_status : 'closed',
    mime_type: file?.mime_type ?? initial.mime_type,
    ...plainly(making),
    ...dated(said.status ?? (type.name === 'attachment' ? 'inherit' : 'draft'), spoken, now),
  };
}

/** Nobody expects to be talked to on a page. */
const isOpen = ({ supports, hierarchical }: ContentType, what: 'comments' | 'trackbacks'): boolean =>
  supports.includes(what) && !hierarchical;

async function slugOfNew(tx: Writing, during: During, { type, said }: Making, row: New): Promise<string> {
  const wanted = isNamed(row.status) ? slugWanted(said.slug, row.title) : slugWanted(said.slug, '');
  return wanted && freeSlug(tx, during, wanted, { id: 0, type, parent: row.parent });
}

/** What only its number can give: the slug of a record without a title, the address of one that is not published. */
async function namedById(
  tx: Writing,
  during: During,
  post: Post,
  type: ContentType,
  needs: WritingNeeds,
): Promise<Post> {
  if (post.guid !== '' && post.slug !== '') return post;
  const isNameless = post.slug === '' && isNamed(post.status);
  const slug = isNameless ? await freeSlug(tx, during, `${post.id}`, { ...post, type }) : post.slug;
  const guid = post.guid || (await addressOf({ ...post, slug }, needs));
  await tx.updateTable('posts').set({ slug, guid }).where('id', '=', post.id).execute();
  return { ...post, slug, guid };
}

/** Where it is found when nothing is said of its publication, that is its number. */
async function addressOf(post: Post, { permalinks }: WritingNeeds): Promise<string> {
  const status = post.status === 'publish' ? post.status : 'draft';
  return (await permalinks.of([{ ...post, status }])).get(post.id)!;
}

// Making many records of one type in one write: what is looked up and written for all of them together, around what each needs for itself.
// They come from the program, so their texts and their status are kept as they stand.

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
  const rows = all.map((one) => newRowOf(type, one, pictures, needs));
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

function newRowOf(
  type: ContentType,
  one: OneOfMany,
  pictures: Awaited<ReturnType<typeof takePictures>>,
  { clock }: Pick<WritingNeeds, 'clock'>,
): New {
  const { moment, terms: _, meta: __, ...said } = one;
  const slug = isNamed(one.status) ? slugWanted(undefined, one.title) : '';
  return {
    ...initial,
    ...said,
    type: type.name,
    slug,
    date: moment.wall,
    date_gmt: moment.utc,
    modified: moment.wall,
    modified_gmt: moment.utc,
    featured_media: pictureOf(pictures, one.featured_media, 0),
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
