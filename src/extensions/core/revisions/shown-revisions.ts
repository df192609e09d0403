// What records were, and what is not saved of them yet, for those who may edit them.
import type { Caller } from '#kernel/caller.ts';
import type { Problem } from '#kernel/problem.ts';
import type { Content } from '#site/content/content.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { MetaKeys, MetaValues } from '#site/content/meta.ts';
import type { Post, PostInput } from '#site/content/posts/post.ts';
import type { Prose, Rendering } from '#site/content/rendering/rendering.ts';
import type { Revision, WantedRevisions } from '#site/content/revisions/revision.ts';
import type { ContentRights } from '#site/content/rights.ts';
import { type Credential, credentialOf } from '#site/identity/credential.ts';
import type { Doing } from '#site/identity/doing.ts';
import type { Identity } from '#site/identity/identity.ts';
import { previewPurpose } from '#site/identity/sessions/sessions.ts';
import { coreErrors } from '../errors.ts';
import { strippedRefusal, unfilteredHtml } from '../posts/refusals.ts';

interface Needs extends Pick<Content, 'posts' | 'revisions' | 'rights' | 'rendering' | 'permalinks' | 'kinds'> {
  readonly metaKeys: MetaKeys;
  readonly identity: Pick<Identity, 'doing' | 'sessions'>;
  /** The public address of the site. */
  readonly url: string;
}

export type ShownRevisions = ReturnType<typeof createShownRevisions>;

export function createShownRevisions(needs: Needs) {
  const { posts, revisions, rights, identity } = needs;
  const all = showing(needs);
  const shown = async (one: Revision, post: Post): Promise<ShownRevision> => (await all([one], post))[0]!;

  const found = async (id: number, type: string, missing: (id: number) => Problem): Promise<FoundParent> => {
    const post = await posts.find(id);
    if (post?.type !== type) throw missing(id);
    return { post, rights };
  };

  const doingFor = (caller: Caller) => {
    const unfiltered = caller.can(unfilteredHtml);
    const again = identity.doing<Post>(credentialOf(caller), (asker, target) => {
      if (target === undefined || !rights.mayEdit(asker, target)) throw contentErrors.cannotEdit();
      const refusal = strippedRefusal(asker, unfiltered);
      if (refusal !== undefined) throw refusal;
    });
    return { ...again, unfiltered, writer: caller.id };
  };

  /** Unless it is no such draft, or none any more once it is written: then nothing is. */
  const savedAtOnce = async (post: Post, said: PostInput, caller: Caller): Promise<Post | undefined> => {
    if (!isOwnDraft(post, caller)) return undefined;
    const { again, ...doing } = doingFor(caller);
    const stillOwn: Doing<Post>['again'] = async (tx, target) => {
      await again?.(tx, target);
      if (target === undefined || !isOwnDraft(target, caller)) throw noDraftAnyMore;
    };
    return posts.change(post, said, { ...doing, again: stillOwn }).catch((error: unknown) => {
      if (error === noDraftAnyMore) return undefined;
      throw error;
    });
  };

  return {
    parent: (id: number, type: string) => found(id, type, coreErrors.revisionInvalidParent),
    edited: (id: number, type: string) => found(id, type, contentErrors.postInvalidId),

    async list(parent: FoundParent, wanted: Omit<WantedRevisions, 'post'>) {
      const { items, total } = await revisions.list({ ...wanted, post: parent.post.id });
      return { total, items: await all(items, parent.post) };
    },

    async get({ post }: FoundParent, id: number): Promise<ShownRevision> {
      const one = await revisions.find(id);
      if (one === undefined || one.autosave === 1) throw contentErrors.postInvalidId(id, 'Revision');
      if (one.post_id !== post.id) throw coreErrors.revisionParentIdMismatch(mismatch);
      return shown(one, post);
    },

    async autosaves({ post }: FoundParent): Promise<ShownRevision[]> {
      return all(await revisions.autosaves(post.id), post);
    },

    async autosaved({ post }: FoundParent, id: number): Promise<ShownRevision> {
      const one = await revisions.find(id);
      if (one === undefined || one.autosave === 0 || one.post_id !== post.id) throw coreErrors.postNoAutosave();
      return shown(one, post);
    },

    /** What is nobody else's and not published yet is simply saved. */
    async autosave({ post }: FoundParent, said: PostInput, caller: Caller): Promise<ShownRevision> {
      const preview_link = await previewLink(needs, post, caller);
      const saved = await savedAtOnce(post, said, caller);
      if (saved !== undefined) return { ...(await ofRecord(saved, said, needs.rendering)), preview_link };
      const kept = await revisions.autosave(post, said, caller.id, doingFor(caller));
      return { ...(await shown(kept, post)), preview_link };
    },
  };
}

/** The browser that an app opens has no session, so the link itself lets it in, until it expires or the app's password is revoked. */
function previewToken(
  { token, linkToken }: Needs['identity']['sessions'],
  credential: Credential | undefined,
  purpose: string,
): string {
  if (credential?.kind === 'session') return token({ ...credential.session, user: credential.user }, purpose);
  return credential?.kind === 'application_password' ? linkToken(credential, purpose) : '';
}

async function previewLink(
  { permalinks, identity, url }: Pick<Needs, 'permalinks' | 'identity' | 'url'>,
  post: Post,
  caller: Caller,
): Promise<string> {
  const link = (await permalinks.of([post])).get(post.id) ?? url;
  const token = previewToken(identity.sessions, credentialOf(caller), previewPurpose(post.id));
  return `${link}${link.includes('?') ? '&' : '?'}preview_id=${post.id}&preview_nonce=${token}&preview=true`;
}

const isOwnDraft = ({ status, author }: Post, { id }: Caller): boolean =>
  (status === 'draft' || status === 'auto-draft') && author === id;

const noDraftAnyMore = new Error('This record is no longer a draft of this user.');

const mismatch = 'This revision belongs to another record.';

type Showing = Pick<Needs, 'rendering' | 'metaKeys' | 'url'>;

const showing =
  ({ rendering, metaKeys, url }: Showing) =>
  async (some: readonly Revision[], post: Post): Promise<ShownRevision[]> => {
    const sources = some.map(({ id, content }) => ({ key: `revision ${id}`, content, of: post, forEditor: true }));
    const [prose, contents] = await Promise.all([rendering.prose(), rendering.contents(sources)]);
    return some.map(({ meta, post_id, autosave, author, ...one }, at) => ({
      ...one,
      author,
      modified: one.date,
      modified_gmt: one.date_gmt,
      parent: post_id,
      of: post_id,
      slug: `${post_id}-${autosave === 1 ? 'autosave' : 'revision'}-v1`,
      guid: `${url}/?p=${post_id}`,
      meta: metaShown(metaKeys, post.type, meta),
      rendering,
      prose,
      shown: contents[at]!.html,
    }));
  };

/** What was not kept is as it is when nothing is said. */
const metaShown = (keys: MetaKeys, type: string, meta: MetaValues): MetaValues =>
  Object.fromEntries(
    keys.of(type).map(({ key, schema }) => [key, meta[key] ?? (schema as { default?: unknown }).default]),
  );

async function ofRecord(post: Post, { meta = {} }: PostInput, rendering: Needs['rendering']): Promise<ShownRevision> {
  const { id, author, modified, modified_gmt, slug, guid, title, content, excerpt } = post;
  const isFloating = post.date_gmt === null;
  const date = isFloating ? null : post.date;
  const texts = { title, content, excerpt, slug, guid };
  const [shown] = await rendering.contents([{ key: `post ${id}`, content, of: post, forEditor: true }]);
  return {
    id,
    author,
    date,
    date_gmt: post.date_gmt,
    modified,
    modified_gmt,
    parent: 0,
    of: id,
    ...texts,
    meta,
    rendering,
    prose: await rendering.prose(),
    shown: shown!.html,
  };
}

/** The record that a path names, for the rules. */
interface FoundParent {
  readonly post: Post;
  readonly rights: ContentRights;
}

export interface ShownRevision {
  readonly id: number;
  readonly author: number;
  /** Nothing while the date of the record itself floats. */
  readonly date: string | null;
  readonly date_gmt: string | null;
  readonly modified: string;
  readonly modified_gmt: string;
  /** What it was; 0 where it is the record itself. */
  readonly parent: number;
  readonly of: number;
  readonly slug: string;
  readonly guid: string;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly rendering: Pick<Rendering, 'title'>;
  readonly prose: Prose;
  /** Its content, as HTML. */
  readonly shown: string;
  readonly preview_link?: string;
}
