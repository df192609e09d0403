// Making a record: the row, and everything that is its own from the start.
import type { During } from '#store/writing.ts';
import { nobodys } from '../../identity/users/user.ts';
import type { More } from '../../platform/totals.ts';
import { keepFirstMeta, type MetaValues } from '../meta.ts';
import { isNamed } from '../statuses.ts';
import type { PostsTable, Writing } from '../tables.ts';
import type { ContentType } from '../types.ts';
import { recount } from './counted.ts';
import { dated, saidDate } from './dates.ts';
import { refuseEmpty, refuseHiddenSticky, refuseParent, refuseUnknownAuthor, refuseUnknownTemplate } from './faults.ts';
import { pictureOf } from './featured.ts';
import { indexNewPost, titleKey } from './indexed.ts';
import type { Defaults, WritingNeeds } from './needs.ts';
import type { Changing, Post } from './post.ts';
import { type Prepared, plainly } from './prepared.ts';
import { freeSlug, slugWanted } from './slugs.ts';
import { takeNear, treeLock } from './tree.ts';

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
    author: making.writer ?? making.by ?? nobodys,
    parent: said.parent ?? 0,
    menu_order: 0,
    slug: '',
    modified: modified.wall,
    modified_gmt: modified.utc,
    password: '',
    comment_status: isOpen(type, 'comments') ? defaults.default_comment_status : 'closed',
    ping_status: isOpen(type, 'trackbacks') ? defaults.default_ping_status : 'closed',
    template: '',
    format: '',
    sticky: 0,
    featured_media: 0,
    mime_type: file?.mime_type ?? '',
    guid: '',
    version: 1,
    status_before: null,
    title: '',
    excerpt: '',
    content: '',
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
