// Which test pictures people show: whoever put one into a text, or in front of it, would miss it there.
import { sql } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import type { Content } from '#site/content/content.ts';
import { fileReferences } from '#site/content/media/file-references.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { ContentTables } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';
import { titled } from './called.ts';
import { markedAfter } from './marked.ts';
import { madeMark } from './marks.ts';
import { contentIn, type Write } from './real.ts';

interface Needs {
  readonly store: Store<ContentTables>;
  readonly content: Pick<Content, 'posts' | 'media'>;
}

/** By the number of the picture: a record in whose text it is. */
export type Shown = ReadonlyMap<number, number>;

/** So many are looked up together. */
const atOnce = 500;

/** Of all test data, or what one run made; every text is read once for it, and none where there is no picture. */
export async function shownOf({ store, content: { media } }: Needs, run: string | undefined): Promise<Shown> {
  const files = new Map<number, string>();
  for (let last = 0; ; ) {
    const ids = await markedAfter(store.db, 'posts', last, atOnce, run);
    for (const [id, { file }] of await media.files(ids)) files.set(id, file.replace(/^.*\//, ''));
    if (ids.length < atOnce) break;
    last = ids.at(-1)!;
  }
  const shown = new Map<number, number>();
  for await (const { file, record } of fileReferences(store, files)) if (!shown.has(file)) shown.set(file, record);
  return shown;
}

/** Throws for a picture that a record of people shows, whose number is `named` where it stands in a text. */
export async function refuseShown(tx: Write, { id }: Pick<Post, 'id'>, named: number | undefined): Promise<void> {
  const db = contentIn(tx);
  const records = db.selectFrom('posts').select(['posts.id', 'posts.type', 'posts.title']).limit(1);
  const said = named === undefined ? undefined : await records.where('id', '=', named).executeTakeFirst();
  const asMade = sql<boolean>`made.value = '"' || posts.modified_gmt || '"'`;
  const fronted = records
    .leftJoin('post_meta as made', (on) => on.onRef('made.post_id', '=', 'posts.id').on('made.key', '=', madeMark))
    .where('posts.featured_media', '=', id)
    // What is as it was made goes too.
    .where((is) => is.or([is('made.key', 'is', null), is.not(asMade)]));
  const found = said ?? (await fronted.orderBy('posts.id').executeTakeFirst());
  if (found === undefined) return;
  throw new Problem(409, 'shown_since', `What shows it: ${titled(found)}; take it out there first.`);
}
