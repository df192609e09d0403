// Conversions undone: the blocks and shortcodes of a post as they were before.
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import { momentAt } from '#lib/wall-time.ts';
import { keepFirstMeta, keepMeta, metaOf } from '#site/content/meta.ts';
import type { Changing, Post } from '#site/content/posts/post.ts';
import type { Writing } from '#site/content/tables.ts';
import type { Doing } from '#site/identity/doing.ts';
import { albumIn, idOf } from '../gallery-content.ts';
import { albumType, galleryType } from '../types.ts';
import { unlisted } from './convertible.ts';
import { convertErrors } from './errors.ts';
import { embeddedGalleriesIn, spliced } from './gallery-sources.ts';
import type { ConvertDeps } from './rights.ts';

const textsAtOnce = 20;
const backupPrefix = 'gallery_block_bkp_';

/** One gallery of a post before its conversion, as the backup of the post keeps it. */
interface ConvertedSource {
  readonly gallery: number;
  /** The block or shortcode as it was written. */
  readonly source: string;
}

/** Keeps what was there before, in the write that replaces it. */
export async function keepBackup({ content, clock }: ConvertDeps) {
  const day = momentAt(await content.zone(), clock())
    .wall.replaceAll(/[-:]/g, '')
    .replace('T', '_');
  return async (tx: Writing, post: number, sources: readonly ConvertedSource[]): Promise<void> => {
    const taken = (await metaOf(tx, [post])).get(post)!;
    const first = randomInt(1_000, 10_000);
    let digits = first;
    while (Object.hasOwn(taken, `${backupPrefix}${digits}_${day}`)) digits = digits === 9_999 ? 1_000 : digits + 1;
    await keepFirstMeta(tx, post, { [`${backupPrefix}${digits}_${day}`]: sources });
  };
}

export interface Reverted {
  /** Galleries that the post no longer shows. */
  readonly galleries: readonly number[];
  /** Those of them that went to the trash. */
  readonly trashed: readonly number[];
}

interface RevertingAs {
  readonly change: Changing;
  readonly trash: Doing<Post>;
  mayTrash(gallery: Post): boolean;
}

const isConvertedSource = (one: unknown): one is ConvertedSource =>
  typeof one === 'object' &&
  one !== null &&
  idOf((one as ConvertedSource).gallery) > 0 &&
  typeof (one as ConvertedSource).source === 'string';

export async function revert(
  deps: ConvertDeps,
  post: Post,
  { change, trash, mayTrash }: RevertingAs,
): Promise<Reverted> {
  const { content } = deps;
  const meta = (await content.metaOf([post.id])).get(post.id) ?? {};
  const backups = Object.entries(meta).flatMap(([key, value]) =>
    key.startsWith(backupPrefix) && Array.isArray(value) ? [{ key, sources: value.filter(isConvertedSource) }] : [],
  );
  const used = new Set<ConvertedSource>();
  const replacements: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const byGallery = Map.groupBy(
    backups.flatMap(({ sources }) => sources),
    ({ gallery }) => gallery,
  );
  for (const { start, end, id } of embeddedGalleriesIn(post.content)) {
    const converted = byGallery.get(id)?.find((one) => !used.has(one));
    if (converted === undefined) continue;
    used.add(converted);
    replacements.push({ start, end, text: converted.source });
  }
  if (replacements.length === 0) throw convertErrors.nothingToRevert(post.id);
  const left = Object.fromEntries(
    backups.map(({ key, sources }) => {
      const rest = sources.filter((one) => !used.has(one));
      return [key, rest.length === 0 ? null : rest];
    }),
  );
  const alongside = async (tx: Writing, { id }: Post): Promise<void> => void (await keepMeta(tx, id, left));
  await content.posts.change(post, { content: spliced(post.content, replacements) }, { ...change, alongside });
  const galleries = [...new Set([...used].map(({ gallery }) => gallery))];
  return { galleries, trashed: await trashUnused(deps, galleries, { trash, mayTrash }) };
}

/** Galleries that nothing shows any more go to the trash, from where they can be restored. */
async function trashUnused(
  deps: ConvertDeps,
  galleries: readonly number[],
  { trash, mayTrash }: Pick<RevertingAs, 'trash' | 'mayTrash'>,
): Promise<number[]> {
  const { posts } = deps.content;
  const found = [...(await posts.some(galleries)).values()].filter(
    (post) => post.type === galleryType.name && post.status !== 'trash' && mayTrash(post),
  );
  const shown = found.length === 0 ? new Set() : await shownGalleries(deps, found);
  const trashed: number[] = [];
  for (const gallery of found) {
    if (shown.has(gallery.id)) continue;
    try {
      await posts.trash(gallery, trash);
      trashed.push(gallery.id);
    } catch (error) {
      // On a site without a trash the gallery stays.
      if (!(error instanceof Problem)) throw error;
    }
  }
  return trashed;
}

function idsIn({ type, content }: Pick<Post, 'type' | 'content'>, bySlug: ReadonlyMap<string, number>): number[] {
  const embedded = embeddedGalleriesIn(content).map(({ id, slug }) => id || (bySlug.get(slug) ?? 0));
  const covers = type === albumType.name ? albumIn(content).entries.map(({ id }) => id) : [];
  return [...embedded, ...covers];
}

/** Those of these galleries that a text or an album shows. */
async function shownGalleries({ store: { db } }: ConvertDeps, galleries: readonly Post[]): Promise<Set<number>> {
  const shown = new Set<number>();
  const bySlug = new Map(galleries.map(({ slug, id }) => [slug, id]));
  const mentions = sql<boolean>`(content like '%gallery/embed%' or content like '%[site-gallery%' or type = ${albumType.name})`;
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('posts')
      .select(['id', 'type', 'content'])
      .where('id', '>', after)
      .where('status', 'not in', unlisted)
      .where(mentions)
      .orderBy('id')
      .limit(textsAtOnce)
      .execute();
    for (const row of rows) for (const id of idsIn(row, bySlug)) shown.add(id);
    if (rows.length < textsAtOnce) return shown;
    after = rows.at(-1)!.id;
  }
}
