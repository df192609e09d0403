// What pages said of themselves, kept for an hour so that they are not asked again.
import { hash } from 'node:crypto';
import { hour } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import type { Details } from './page-head.ts';
import type { EditorTables } from './tables.ts';

export interface KeptDetails {
  find(url: string): Promise<Details | undefined>;
  keep(url: string, details: Details): Promise<void>;
}

const most = { pages: 1_000, longest: 65_536 };

const keyOf = (url: string): string => hash('sha256', url, 'base64url');

export function createKeptDetails(store: Store<EditorTables>, clock: Clock): KeptDetails {
  return {
    async find(url) {
      const row = await store.db
        .selectFrom('editor_pages')
        .select('details')
        .where('key', '=', keyOf(url))
        .where('until', '>', clock().toISOString())
        .executeTakeFirst();
      return row && JSON.parse(row.details);
    },
    async keep(url, said) {
      const details = JSON.stringify(said);
      if (details.length > most.longest) return;
      const now = clock();
      const until = new Date(now.getTime() + hour).toISOString();
      await store.write(async (tx) => {
        const gone = tx.deleteFrom('editor_pages');
        await gone.where('until', '<=', now.toISOString()).execute();
        await gone
          .where('until', '<=', (eb) =>
            eb.selectFrom('editor_pages').select('until').orderBy('until', 'desc').limit(1).offset(most.pages),
          )
          .execute();
        await tx
          .insertInto('editor_pages')
          .values({ key: keyOf(url), details, until })
          .onConflict((found) => found.column('key').doUpdateSet({ details, until }))
          .execute();
      });
    },
  };
}
