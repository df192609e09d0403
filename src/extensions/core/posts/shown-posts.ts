// Records with what they show, for whoever looks: for a whole page of them at once.
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Telling, Told } from '#kernel/told.ts';
import type { Content } from '#site/content/content.ts';
import { contentErrors } from '#site/content/errors.ts';
import { along, type Extra, noExtras } from '#site/content/extending.ts';
import { isPostPassword } from '#site/content/post-passwords/post-passwords.ts';
import type { Post, PostInput, Wanted } from '#site/content/posts/post.ts';
import type { ContentType } from '#site/content/types.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { RecordForm, Versioned } from '#site/platform/cache/records.ts';
import { coreErrors } from '../errors.ts';
import { createLoading, type ListLook, type Look, onPage } from './loading.ts';
import { narrowedFor, publishRefusal, refusalOf, strippedRefusal, unfilteredHtml } from './refusals.ts';
import type { FoundPost, ShownPost } from './shown-post.ts';

export type ShownPosts = ReturnType<typeof createShownPosts>;

export function createShownPosts(content: Content, { doing }: Pick<Identity, 'doing'>) {
  const { posts, rights } = content;
  const { load, basisOf } = createLoading(content);
  const changing = createChanging(content, doing);
  const telling = createTelling({ ...content, load });

  const shown = async (post: Post, look: Look, extra: Extra): Promise<ShownPost> =>
    (await load([post], look, extra))[0]!;

  const deleting = (post: Post, caller: Caller) =>
    doing<Post>(credentialOf(caller), (asker, target = post) => {
      if (!rights.mayDelete(asker, target)) throw contentErrors.cannotDelete();
    });

  const wantedBy = (asker: Asker, type: ContentType, asked: Wanted): Wanted => ({
    ...asked,
    ...narrowedFor(asker, asked, [type], content),
  });

  return {
    /** For the rules; nobody has looked yet. */
    async get(id: number, type: string): Promise<FoundPost> {
      return { ...(await posts.get(id, type)), basis: basisOf(type) };
    },

    async shown(post: Post, look: Look, extra: Extra): Promise<ShownPost | ToldPost> {
      const form = formFor(look, extra);
      if (form !== undefined) return telling.one(post, form, look, extra);
      return shown(post, { ...look, revealed: look.editing || isPostPassword(look.password ?? '', post) }, extra);
    },

    all: (some: readonly Post[], look: Look, extra: Extra): Promise<ShownPost[]> => load(some, look, extra),

    async list(type: ContentType, asked: Wanted, look: ListLook, extra: Extra) {
      const wanted = wantedBy(look.caller, type, asked);
      const form = formFor(look, extra);
      if (type.guarded && !look.caller.can(type.capabilities.edit)) return { items: [], total: 0 };
      if (form !== undefined) {
        const { items, total } = onPage(await posts.listVersions(wanted), wanted, look);
        return { total, items: await telling.all(items, form, look, extra) };
      }
      const { items, total } = onPage(await posts.list(wanted), wanted, look);
      return { total, items: await load(await telling.seen(items, look), look, extra) };
    },

    /** The first of a list, with no more than their addresses looked up. */
    async found(type: ContentType, asked: Wanted, caller: Caller): Promise<ShownPost[]> {
      if (type.guarded && !caller.can(type.capabilities.edit)) return [];
      const look = { caller, editing: false, wants: () => false };
      const { items } = await posts.list(wantedBy(caller, type, asked));
      return load(await telling.seen(items, look), look, noExtras(type.name));
    },

    async add(type: ContentType, said: PostInput, look: Look, extra: Extra, sent: object): Promise<ShownPost> {
      const how = await changing(type, said, look.caller);
      return shown(await posts.add(type.name, said, { ...how, ...along(extra, sent, look.caller) }), look, extra);
    },

    async change(post: FoundPost, said: PostInput, look: Look, extra: Extra, sent: object): Promise<ShownPost> {
      const how = await changing(post.basis.type, said, look.caller, post);
      return shown(await posts.change(post, said, { ...how, ...along(extra, sent, look.caller) }), look, extra);
    },

    async trash(post: FoundPost, look: Look, extra: Extra): Promise<ShownPost> {
      return shown(await posts.trash(post, deleting(post, look.caller)), look, extra);
    },

    /** As it was while it was there. */
    async erase(post: FoundPost, look: Look, extra: Extra): Promise<ShownPost> {
      const before = await shown(post, look, extra);
      await posts.erase(post, deleting(post, look.caller));
      return before;
    },
  };
}

function createChanging({ rights, kinds, terms }: Content, doing: Identity['doing']) {
  /** Rights are asked once more in the write: by then the record, and what they may, can be other than they were. */
  const judgeOf =
    (type: ContentType, said: PostInput, unfiltered: boolean, sorting: readonly string[]) =>
    (asker: Asker, target: Post | undefined): void => {
      const refusal =
        refusalOf(asker, rights, type, said, target) ??
        publishRefusal(asker, rights, type, said, target) ??
        strippedRefusal(asker, unfiltered);
      if (refusal !== undefined) throw refusal;
      if (!sorting.every((assign) => asker.can(assign))) throw coreErrors.cannotAssignTerm();
    };

  /** By which rights they sort it: they must still have them in the write. Terms that are not there take none. */
  const sortingBy = async (asker: Asker, { terms: said = {} }: PostInput): Promise<string[]> => {
    const needed: string[] = [];
    for (const [taxonomy, ids] of Object.entries(said)) {
      const assign = kinds.taxonomy(taxonomy)?.capabilities.assign;
      if (assign === undefined || ids.length === 0) continue;
      if (asker.can(assign) || (await areThere(taxonomy, ids))) needed.push(assign);
    }
    return needed;
  };

  /** Terms that do not exist would be dropped without a word. */
  const demandTerms = async ({ terms: said = {} }: PostInput): Promise<void> => {
    const params: Record<string, string> = {};
    for (const [taxonomy, ids] of Object.entries(said)) {
      const base = kinds.taxonomy(taxonomy)?.base;
      if (base === undefined || ids.length === 0) continue;
      const all = { limit: ids.length, offset: 0, order: 'asc', orderBy: 'id' } as const;
      const found = new Set((await terms.list({ taxonomy, include: ids, ...all })).items.map(({ id }) => id));
      const missing = ids.filter((id) => !found.has(id));
      if (missing.length > 0) params[base] = `${base} must be ids that exist; not found: ${missing.join(', ')}.`;
    }
    const [message] = Object.values(params);
    if (message !== undefined) throw kernelErrors.invalidParam(message).with({ params, details: [] });
  };

  const areThere = async (taxonomy: string, include: readonly number[]): Promise<boolean> => {
    const one = { limit: 1, offset: 0, order: 'asc', orderBy: 'id' } as const;
    return (await terms.list({ taxonomy, include, ...one })).total > 0;
  };

  return async (type: ContentType, said: PostInput, caller: Caller, post?: Post) => {
    const sorting = await sortingBy(caller, said);
    if (!sorting.every((assign) => caller.can(assign))) throw coreErrors.cannotAssignTerm();
    const unfiltered = caller.can(unfilteredHtml);
    const judge = judgeOf(type, said, unfiltered, sorting);
    judge(caller, post);
    await demandTerms(said);
    return { ...doing<Post>(credentialOf(caller), judge), writer: caller.id, unfiltered };
  };
}

type ToldPost = Told | Telling<ShownPost>;

interface TellingNeeds extends Pick<Content, 'posts' | 'rights' | 'told'> {
  readonly load: ReturnType<typeof createLoading>['load'];
}

/** Records with an added field are cached only when the field says which tables it reads. */
const formFor = ({ anybody: face, password = '', words }: Look, { fields, rests }: Extra): RecordForm | undefined =>
  face !== undefined && password === '' && words === undefined && rests !== undefined
    ? { face, added: Object.keys(fields).join(' ') }
    : undefined;

function createTelling({ posts, rights, told, load }: TellingNeeds) {
  /** Those of them that this caller may see, or may edit. */
  const seen = async (some: readonly Post[], { caller, editing }: Look): Promise<Post[]> => {
    const may = await Promise.all(
      some.map((post) => (editing ? rights.mayEdit(caller, post) : rights.mayRead(caller, post))),
    );
    return some.filter((_, at) => may[at]);
  };

  return {
    seen,

    async one(post: Post, form: RecordForm, look: Look, extra: Extra): Promise<ToldPost> {
      const telling = told.telling(form);
      const [known] = told.known(form, [post]);
      return known ?? telling((await load([post], look, extra))[0]!);
    },

    async all(some: readonly Versioned[], form: RecordForm, look: Look, extra: Extra): Promise<ToldPost[]> {
      const telling = told.telling(form);
      const known = told.known(form, some);
      const missing = some.filter((_, at) => known[at] === undefined);
      if (missing.length === 0) return known.filter((one) => one !== undefined);
      const found = await posts.some(missing.map(({ id }) => id));
      const made = await load(await seen([...found.values()], look), look, extra);
      const byId = new Map(made.map((post) => [post.id, telling(post)]));
      return some.map(({ id }, at) => known[at] ?? byId.get(id)).filter((one) => one !== undefined);
    },
  };
}
