// What records need to be shown, looked up for many at once, and only what was asked for.
import type { Caller } from '#kernel/caller.ts';
import type { Face } from '#kernel/faces.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Extra } from '#site/content/extending.ts';
import type { MetaValues } from '#site/content/meta.ts';
import type { Post, Wanted } from '#site/content/posts/post.ts';
import type { Shown, Source } from '#site/content/rendering/rendering.ts';
import { actionsOf } from './links.ts';
import { type Basis, isHidden, type ShownPost } from './shown-post.ts';

/** Who looks, how, and for what. */
export interface Look {
  readonly caller: Caller;
  /** As an editor: everything, and what may be done with it. */
  readonly editing: boolean;
  /** What was given as the password of the record. */
  readonly password?: string | undefined;
  readonly revealed?: boolean;
  readonly words?: number | undefined;
  /** On which face, where anybody who asks gets the same. */
  readonly anybody?: Face | undefined;
  wants(field: string): boolean;
}

const none = { count: 0, last: 0 };
const notShown: Shown = { html: '', rests: [] };

const sourceOf = (post: Post, forEditor: boolean): Source => ({
  key: `post ${post.id}`,
  content: post.content,
  of: post,
  forEditor,
});

export function createLoading(content: Content) {
  const { kinds, rights, postPasswords, rendering } = content;
  const bases = new Map<string, Basis>(
    kinds.types.map((type) => [
      type.name,
      { type, taxonomies: kinds.taxonomiesOf(type), rights, postPasswords, rendering },
    ]),
  );
  const basisOf = (type: string): Basis => bases.get(type)!;

  async function load(some: readonly Post[], look: Look, extra: Extra): Promise<ShownPost[]> {
    if (some.length === 0) return [];
    const found = await lookUp(content, basisOf, some, look, extra);
    return some.map((post, at) => shownPost(post, basisOf(post.type), found.contents?.[at] ?? notShown, found, look));
  }

  return { load, basisOf };
}

const when = <T>(asked: boolean, ask: () => Promise<T>): Promise<T | undefined> =>
  asked ? ask() : Promise.resolve(undefined);

type Lookups = Awaited<ReturnType<typeof lookUp>>;

/** Queries for all records at once what their answers need. */
async function lookUp(
  { posts, terms, revisions, metaOf, metaKeys, permalinks, rights, rendering, added }: Content,
  basisOf: (type: string) => Basis,
  some: readonly Post[],
  { caller, editing, wants }: Look,
  extra: Extra,
) {
  const ids = some.map(({ id }) => id);
  const of = (feature: (basis: Basis) => boolean): boolean => some.some(({ type }) => feature(basisOf(type)));
  const isLinked = wants('_links');
  const isSorted = of(({ taxonomies }) => taxonomies.some(({ base }) => wants(base) || wants('class_list')));
  const hasHistory = isLinked && of(({ type }) => type.supports.includes('revisions'));
  const isRendered = wants('content') || wants('description');
  const hasMeta = wants('meta') || wants('wp_pattern_sync_status');
  const [prose, contents, links, templates, slugs, sorts, metas, histories, pictures, extras] = await Promise.all([
    rendering.prose(),
    when(isRendered, () => rendering.contents(some.map((post) => sourceOf(post, editing)))),
    permalinks.of(some),
    when(editing && wants('permalink_template'), () => permalinks.templates(some)),
    when(editing && wants('generated_slug'), () => posts.slugsFor(some)),
    when(isSorted, () => terms.of(ids)),
    when(hasMeta, () => metaOf(ids)),
    when(hasHistory, () => revisions.histories(ids)),
    when(isLinked, () => readablePictures({ posts, rights }, some, caller)),
    extra.load(ids, wants, added),
  ]);
  const rests = extra.rests ?? [];
  return { prose, contents, links, templates, slugs, sorts, metas, metaKeys, histories, pictures, extras, rests };
}

function shownPost(post: Post, basis: Basis, shown: Shown, found: Lookups, look: Look): ShownPost {
  const { caller, editing, wants, words } = look;
  const revealed = editing || look.revealed === true;
  return {
    ...post,
    basis,
    link: found.links.get(post.id) ?? '',
    permalinkTemplate: found.templates?.get(post.id) ?? '',
    generatedSlug: found.slugs?.get(post.id) ?? '',
    terms: found.sorts?.get(post.id) ?? {},
    meta: found.metas ? shownMeta(post, found.metas.get(post.id) ?? {}, found.metaKeys, revealed) : {},
    history: found.histories?.get(post.id) ?? none,
    pictured: found.pictures?.has(post.featured_media) ?? false,
    revealed,
    words,
    prose: found.prose,
    shown,
    actions: editing && wants('_links') ? actionsOf(caller, basis) : [],
    extra: found.extras.get(post.id) ?? {},
    rests: [...shown.rests, ...found.rests],
  };
}

async function readablePictures(
  { posts, rights }: Pick<Content, 'posts' | 'rights'>,
  some: readonly Post[],
  caller: Caller,
): Promise<ReadonlySet<number>> {
  const ids = some.map(({ featured_media }) => featured_media).filter((id) => id > 0);
  if (ids.length === 0) return new Set();
  const pictures = [...(await posts.some(ids)).values()].filter(({ type }) => type === 'attachment');
  const may = await Promise.all(pictures.map((picture) => rights.mayRead(caller, picture)));
  return new Set(pictures.filter((_, at) => may[at]).map(({ id }) => id));
}

/** With the defaults where nothing is kept, or it is hidden with the text; keys that nobody registered stay unseen. */
function shownMeta(post: Post, values: MetaValues, keys: Content['metaKeys'], revealed: boolean): MetaValues {
  const hidden = isHidden({ ...post, revealed });
  return Object.fromEntries(
    keys.of(post.type).map(({ key, schema, ofText }) => {
      const value = hidden && ofText ? undefined : values[key];
      return [key, value ?? (schema as Schema).default];
    }),
  );
}

// The page of a list that somebody asked for.

export interface ListLook extends Look {
  /** How many records a page has: past the last one there is nothing. */
  readonly page: number;
  readonly perPage: number;
  /** Rows to leave out instead of pages. */
  readonly skips: boolean;
}

interface Listed<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

export function onPage<Row>(list: Listed<Row>, { offset }: Pick<Wanted, 'offset'>, look: ListLook): Listed<Row> {
  if (look.skips && offset >= list.total) return { items: [], total: 0 };
  if (list.total > 0 && look.page > Math.ceil(list.total / look.perPage)) throw contentErrors.postInvalidPageNumber();
  return list;
}
