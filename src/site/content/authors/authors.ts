// Who has published something: everybody may see them, whoever else may not be seen.
import { sql } from 'kysely';
import type { Store } from '#store/store.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import type { Also } from '../posts/post.ts';
import { type ContentTables, totalTopics } from '../tables.ts';
import type { Kinds } from '../types.ts';

export interface Authors {
  /** On `users`: those who have published a record of one of these types; of any that everybody may look at, without them. */
  published(types?: readonly string[]): Also;
  /** The same, where nothing is told of types that not everybody may look at. */
  publishedOpenly(types?: readonly string[]): Also;
  /** A record of a type that everybody may look at. */
  hasPublished(author: number): Promise<boolean>;
}

interface AuthorsNeeds {
  readonly store: Store<ContentTables & TotalsTables>;
  readonly kinds: Kinds;
}

const status = 'publish';

export function createAuthors({ store, kinds }: AuthorsNeeds): Authors {
  const open = kinds.types.filter(({ viewable }) => viewable).map(({ name }) => name);
  return {
    published: (types = open) => writing(types.filter((name) => kinds.type(name) !== undefined)),
    publishedOpenly: (types = open) => writing(types.filter((name) => open.includes(name))),
    async hasPublished(author) {
      const counted = store.db.selectFrom('totals').select('total').where('topic', '=', totalTopics.authors);
      const keys = open.map((type) => `${author}/${type}/${status}`);
      return (await counted.where('key', 'in', keys).where('total', '>', 0).executeTakeFirst()) !== undefined;
    },
  };
}

/** From author to author by the index: there are far fewer than users, and than records. */
function writing(types: readonly string[]): Also {
  if (types.length === 0) return sql`1 = 0`;
  return sql`users.id in (
    with recursive authors (id) as (
      select min(author) from posts
      union all
      select (select min(author) from posts where author > authors.id) from authors where authors.id is not null
    )
    select id from authors where exists (
      select 1 from posts where author = authors.id and type in (${sql.join(types)}) and status = ${status}
    )
  )`;
}
