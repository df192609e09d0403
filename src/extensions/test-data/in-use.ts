// Whether people have published something on a site.
import type { Content } from '#site/content/content.ts';
import type { ContentTables } from '#site/content/tables.ts';
import { attachment } from '#site/content/types.ts';
import type { Store } from '#store/store.ts';
import { mark } from './marks.ts';

interface Needs {
  readonly store: Store<ContentTables>;
  readonly content: Pick<Content, 'kinds'>;
}

export const createInUse =
  ({ store, content: { kinds } }: Needs) =>
  async (): Promise<boolean> => {
    const types = kinds.types.filter(({ viewable, guarded, name }) => viewable && !guarded && name !== attachment.name);
    const row = await store.db
      .selectFrom('posts')
      .leftJoin('post_meta', (on) => on.onRef('post_meta.post_id', '=', 'posts.id').on('post_meta.key', '=', mark))
      .select('posts.id')
      .where(
        'posts.type',
        'in',
        types.map(({ name }) => name),
      )
      .where('posts.status', '=', 'publish')
      .where('post_meta.key', 'is', null)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  };
