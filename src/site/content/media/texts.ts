// All texts there are, read little by little: a few long ones are as much as thousands of others.
import { sql } from 'kysely';
import type { Store } from '#store/store.ts';
import type { ContentTables } from '../tables.ts';
import { attachment } from '../types.ts';

interface Weighed {
  readonly id: number;
  /** In bytes. */
  readonly weight: number;
}

/** So many records are weighed at once, and so many bytes are read. */
const most = { records: 200, bytes: 1024 * 1024 };

const weight = sql<number>`octet_length(posts.content) + octet_length(posts.excerpt)`.as('weight');

/** What is said in one record, and its number. */
interface Text {
  readonly id: number;
  readonly text: string;
}

export function createTexts({ db }: Pick<Store<ContentTables>, 'db'>) {
  const after = (last: number): Promise<Weighed[]> =>
    db
      .selectFrom('posts')
      .select(['id', weight])
      .where('id', '>', last)
      .where('type', '<>', attachment.name)
      .orderBy('id')
      .limit(most.records)
      .execute();

  return {
    weighed: (ids: readonly number[]): Promise<Weighed[]> =>
      db.selectFrom('posts').select(['id', weight]).where('id', 'in', ids).orderBy('id').execute(),

    /** Whatever people wrote, in whatever state it is: what lies in the trash can come back. */
    async *all(): AsyncGenerator<Text> {
      for (let last = 0; ; ) {
        const heads = await after(last);
        for (const ids of byWeight(heads)) {
          const rows = await db
            .selectFrom('posts')
            .select(['id', 'content', 'excerpt'])
            .where('id', 'in', ids)
            .execute();
          for (const { id, content, excerpt } of rows) yield { id, text: `${content} ${excerpt}` };
        }
        if (heads.length < most.records) return;
        last = heads.at(-1)!.id;
      }
    },
  };
}

/** In groups that are read together: each of one record, or of no more than so many bytes. */
export function byWeight(some: readonly Weighed[]): number[][] {
  const groups: number[][] = [];
  let left = 0;
  for (const one of some) {
    const fits = groups.length > 0 && one.weight <= left;
    if (fits) groups.at(-1)!.push(one.id);
    else groups.push([one.id]);
    left = (fits ? left : most.bytes) - one.weight;
  }
  return groups;
}
