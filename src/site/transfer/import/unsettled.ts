// Records that are to be looked at when everything is here: for the first time, or again for what came only now.
import { sql } from 'kysely';
import type { Run } from './run.ts';
import type { ArrivedTable } from './tables.ts';

export interface Unsettled extends Pick<ArrivedTable, 'post_id' | 'theirs' | 'slug' | 'parent' | 'picture' | 'owed'> {
  /** What it lies below here, and the picture it is shown with here. */
  readonly above: number;
  readonly shown: number;
}

const atOnce = 200;

/** So many letters are looked through together. */
const mostLetters = 2 ** 22;

/** As many at a time as their texts are no more than there is room for, but one at least. */
export async function* unsettled(run: Run, isPlaced: boolean): AsyncGenerator<Unsettled[]> {
  for (let last = 0; ; ) {
    const rows = await unsettledAfter(run, last, isPlaced);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)!.post_id;
  }
}

async function unsettledAfter({ needs: { store }, options }: Run, last: number, isPlaced: boolean) {
  const rows = await store.db
    .selectFrom('arrived')
    .innerJoin('posts', 'posts.id', 'arrived.post_id')
    .select(['post_id', 'theirs', 'arrived.slug', 'arrived.parent', 'picture', 'owed'])
    .select(['posts.parent as above', 'posts.featured_media as shown'])
    .select(sql<number>`length(posts.content) + length(posts.excerpt)`.as('letters'))
    .where('unsettled', '=', 1)
    .where('source', '=', options.from)
    .where('post_id', '>', last)
    .$if(!isPlaced, (query) =>
      query.where(({ or, eb }) =>
        or([eb('arrived.parent', '>', 0), eb('picture', '>', 0), eb('arrived.slug', '<>', '')]),
      ),
    )
    .orderBy('post_id')
    .limit(atOnce)
    .execute();
  let letters = 0;
  const most = rows.findIndex((row, at) => {
    letters += Number(row.letters);
    return at > 0 && letters > mostLetters;
  });
  return most === -1 ? rows : rows.slice(0, most);
}
