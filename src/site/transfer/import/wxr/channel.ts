// What stands before the records: the site, who wrote them, and by what they are sorted.
import type { Reads } from '#store/handles.ts';
import type { ContentTables } from '../../../content/tables.ts';
import type { IdentityTables } from '../../../identity/tables.ts';
import { mailTimeOf, numberIn, textIn, version, within } from './names.ts';
import { isChosen, type Selection } from './selection.ts';

export type Db = Reads<ContentTables & IdentityTables>;

/** The site as it tells of itself. */
export interface Origin {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly language: string;
  /** Now, by the clock of the world. */
  readonly utc: string;
}

export const siteOf = ({ title, url, description, language, utc }: Origin): string =>
  [
    textIn('title', title),
    textIn('link', url),
    textIn('description', description),
    `<pubDate>${mailTimeOf(utc)}</pubDate>`,
    textIn('language', language),
    `<wp:wxr_version>${version}</wp:wxr_version>`,
    textIn('wp:base_site_url', url),
    textIn('wp:base_blog_url', url),
  ].join('\n');

const atOnce = 200;

/** Those who wrote what is moved out or speak in it, and nobody else. */
export async function* authorsOf(db: Db, selection: Selection): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const some = await db
      .selectFrom('users')
      .select(['id', 'login', 'email', 'name', 'first_name', 'last_name'])
      .where('id', '>', last)
      .where(({ or, exists, selectFrom }) => {
        const wrote = selectFrom('posts').select('posts.id').whereRef('posts.author', '=', 'users.id');
        const said = selectFrom('comments')
          .select('comments.id')
          .whereRef('comments.user_id', '=', 'users.id')
          .where('comments.status', '<>', 'spam')
          .where(({ exists, selectFrom }) => {
            const about = selectFrom('posts').select('posts.id').whereRef('posts.id', '=', 'comments.post_id');
            return exists(about.where(isChosen(selection)));
          });
        return or([exists(wrote.where(isChosen(selection))), exists(said)]);
      })
      .orderBy('id')
      .limit(atOnce)
      .execute();
    for (const user of some) yield authorOf(user);
    if (some.length < atOnce) return;
    last = some.at(-1)!.id;
  }
}

type Author = Pick<IdentityTables['users'], 'login' | 'email' | 'name' | 'first_name' | 'last_name'>;

const authorOf = ({ id, login, email, name, first_name, last_name }: Author & { readonly id: number }): string =>
  within('wp:author', [
    numberIn('wp:author_id', id),
    textIn('wp:author_login', login),
    textIn('wp:author_email', email),
    textIn('wp:author_display_name', name),
    textIn('wp:author_first_name', first_name),
    textIn('wp:author_last_name', last_name),
  ]);

/** Of one taxonomy, those above before those below. */
export async function* termsOf(db: Db, taxonomy: string): AsyncGenerator<string> {
  // Their numbers alone are held all at once.
  const all = await db.selectFrom('terms').select(['id', 'parent']).where('taxonomy', '=', taxonomy).execute();
  const ids = downwards(all);
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce);
    const rows = await db
      .selectFrom('terms')
      .leftJoin('terms as above', 'above.id', 'terms.parent')
      .select(['terms.id', 'terms.slug', 'terms.name', 'terms.description', 'above.slug as parent'])
      .where('terms.id', 'in', some)
      .execute();
    const byNumber = new Map(rows.map((row) => [row.id, row]));
    for (const id of some) yield termOf(taxonomy, byNumber.get(id)!);
  }
}

interface Placed {
  readonly id: number;
  readonly parent: number;
}

/** From the top, level by level; what hangs in a circle comes last. */
function downwards(all: readonly Placed[]): number[] {
  const there = new Set(all.map(({ id }) => id));
  const below = Map.groupBy(all, ({ parent }) => (there.has(parent) ? parent : 0));
  const ordered = new Set<number>();
  const add = ({ id }: Placed) => ordered.add(id);
  below.get(0)?.sort(byNumber).forEach(add);
  for (const id of ordered) below.get(id)?.sort(byNumber).forEach(add);
  all.forEach(add);
  return [...ordered];
}

const byNumber = (one: Placed, other: Placed): number => one.id - other.id;

interface TermRow {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** The slug of the one above. */
  readonly parent: string | null;
}

/** The two oldest taxonomies have elements of their own. */
function termOf(taxonomy: string, { id, slug, name, description, parent }: TermRow): string {
  if (taxonomy === 'category')
    return within('wp:category', [
      numberIn('wp:term_id', id),
      textIn('wp:category_nicename', slug),
      textIn('wp:category_parent', parent ?? ''),
      textIn('wp:cat_name', name),
      textIn('wp:category_description', description),
    ]);
  if (taxonomy === 'post_tag')
    return within('wp:tag', [
      numberIn('wp:term_id', id),
      textIn('wp:tag_slug', slug),
      textIn('wp:tag_name', name),
      textIn('wp:tag_description', description),
    ]);
  return within('wp:term', [
    numberIn('wp:term_id', id),
    textIn('wp:term_taxonomy', taxonomy),
    textIn('wp:term_slug', slug),
    textIn('wp:term_parent', parent ?? ''),
    textIn('wp:term_name', name),
    textIn('wp:term_description', description),
  ]);
}
