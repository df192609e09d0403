// What records need to be shown, looked up for many at once, and only what was asked for.
import type { Caller } from '#kernel/caller.ts';
import type { Face } from '#kernel/faces.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import type { Extra } from '#site/content/extending.ts';
import type { MetaValues } from '#site/content/meta.ts';
import type { Post } from '#site/content/posts/post.ts';
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

const sourceOf = (post: Post): Source => ({ key: `post ${post.id}`, content: post.content, of: post });

export function createLoading({
  posts,
  terms,
  revisions,
  metaOf,
  metaKeys,
  permalinks,
  kinds,
  rights,
  postPasswords,
  rendering,
  added,
}: Content) {
  const bases = new Map<string, Basis>(
    kinds.types.map((type) => [
      type.name,
      { type, taxonomies: kinds.taxonomiesOf(type), rights, postPasswords, rendering },
    ]),
  );
  const basisOf = (type: string): Basis => bases.get(type)!;

  const readable = async (some: readonly Post[], caller: Caller): Promise<ReadonlySet<number>> => {
    const ids = some.map(({ featured_media }) => featured_media).filter((id) => id > 0);
    if (ids.length === 0) return new Set();
    const pictures = [...(await posts.some(ids)).values()].filter(({ type }) => type === 'attachment');
    const may = await Promise.all(pictures.map((picture) => rights.mayRead(caller, picture)));
    return new Set(pictures.filter((_, at) => may[at]).map(({ id }) => id));
  };

  /** With the defaults where nothing is kept, or it is hidden with the text; keys that nobody registered stay unseen. */
  const shownMeta = (type: string, values: MetaValues, hidden: boolean): MetaValues =>
    Object.fromEntries(
      metaKeys.of(type).map(({ key, schema, ofText }) => {
        const value = hidden && ofText ? undefined : values[key];
        return [key, value ?? (schema as Schema).default];
      }),
    );

  async function load(some: readonly Post[], look: Look, extra: Extra): Promise<ShownPost[]> {
    const { caller, editing, wants } = look;
    if (some.length === 0) return [];
    const ids = some.map(({ id }) => id);
    const of = (feature: (basis: Basis) => boolean): boolean => some.some(({ type }) => feature(basisOf(type)));
    const linked = wants('_links');
    const when = <T>(asked: boolean, ask: () => Promise<T>): Promise<T | undefined> =>
      asked ? ask() : Promise.resolve(undefined);
    const sorted = of(({ taxonomies }) => taxonomies.some(({ base }) => wants(base) || wants('class_list')));
    const kept = wants('meta') || wants('wp_pattern_sync_status');
    const rendered = wants('content') || wants('description');
    const [prose, contents, links, templates, slugs, sorts, metas, histories, pictures, extras] = await Promise.all([
      rendering.prose(),
      when(rendered, () => rendering.contents(some.map(sourceOf))),
      permalinks.of(some),
      when(editing && wants('permalink_template'), () => permalinks.templates(some)),
      when(editing && wants('generated_slug'), () => posts.slugsFor(some)),
      when(sorted, () => terms.of(ids)),
      when(kept, () => metaOf(ids)),
      when(linked && of(({ type }) => type.supports.includes('revisions')), () => revisions.histories(ids)),
      when(linked, () => readable(some, caller)),
      extra.load(ids, wants, added),
    ]);
    return some.map((post, at) => {
      const basis = basisOf(post.type);
      const revealed = editing || look.revealed === true;
      return {
        ...post,
        basis,
        link: links.get(post.id) ?? '',
        permalinkTemplate: templates?.get(post.id) ?? '',
        generatedSlug: slugs?.get(post.id) ?? '',
        terms: sorts?.get(post.id) ?? {},
        meta: kept ? shownMeta(post.type, metas?.get(post.id) ?? {}, isHidden({ ...post, revealed })) : {},
        history: histories?.get(post.id) ?? none,
        pictured: pictures?.has(post.featured_media) ?? false,
        revealed,
        words: look.words,
        prose,
        shown: contents?.[at] ?? notShown,
        actions: editing && linked ? actionsOf(caller, basis) : [],
        extra: extras.get(post.id) ?? {},
      };
    });
  }

  return { load, basisOf };
}
