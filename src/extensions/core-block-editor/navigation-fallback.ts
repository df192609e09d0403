// The navigation of a site that nobody made one for.
import type { Caller } from '#kernel/caller.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Post } from '#site/content/posts/post.ts';
import { navigation } from '#site/content/types.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { AnyStore } from '#store/store.ts';

export interface NavigationFallback {
  /** The one made last, or the first one, made now. */
  get(caller: Caller): Promise<Pick<Post, 'id'>>;
}

interface Needs {
  readonly content: Pick<Content, 'posts'>;
  readonly identity: Pick<Identity, 'doing'>;
  readonly store: Pick<AnyStore, 'db'>;
}

/** All pages, as they come and go. */
const first = { title: 'Navigation', content: '<!-- wp:page-list /-->', status: 'publish' };

/** Somebody made one meanwhile. */
class Made extends Error {}

export function createNavigationFallback({ content, identity, store }: Needs): NavigationFallback {
  const make = (caller: Caller): Promise<Post> => {
    const doing = identity.doing<Post>(credentialOf(caller), demand);
    return content.posts.add(navigation.name, first, {
      ...doing,
      writer: caller.id,
      unfiltered: caller.can('unfiltered_html'),
      alone: 'navigation.fallback',
      async again(tx, target) {
        await doing.again(tx, target);
        if ((await newest(tx)) !== undefined) throw new Made();
      },
    });
  };
  const get = async (caller: Caller): Promise<Pick<Post, 'id'>> => {
    const found = await newest(store.db);
    if (found !== undefined) return found;
    try {
      return await make(caller);
    } catch (error) {
      if (!(error instanceof Made)) throw error;
      return get(caller);
    }
  };
  return { get };
}

export const demand = (asker: Asker): void => {
  if (!asker.can(navigation.capabilities.create) || !asker.can(navigation.capabilities.publish))
    throw contentErrors.cannotCreate('create navigation menus');
};

const newest = (db: Pick<AnyStore['db'], 'selectFrom'>): Promise<Pick<Post, 'id'> | undefined> =>
  db
    .selectFrom('posts')
    .select('id')
    .where('type', '=', navigation.name)
    .where('status', '=', 'publish')
    .orderBy('date', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
