// Which catalogue of a publisher is the newest that this site has had: an earlier one is signed as well, and whoever shows it again
// would bring back what was mended since.
import { day } from '#lib/spans.ts';
import { type Instant, instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import type { Clock } from '../platform/clock.ts';
import { BadCatalogue } from './catalogue-document.ts';
import type { ExtensionsNeeds } from './needs.ts';
import type { PackageTables } from './tables.ts';

/** It is signed as it should be, and the site had a later one. */
export class OldCatalogue extends BadCatalogue {}

export interface Issues {
  newest(): Promise<Instant | undefined>;
  /** Remembers it; throws where it is older than the newest, or of a day that is still to come. */
  accept(issued: Date | undefined): Promise<Instant | undefined>;
  /** Why one of that moment, which was accepted, is not to be used any more; nothing while it is the newest. */
  overtaken(issued: Instant | undefined): Promise<string | undefined>;
}

/** How far clocks may be apart. */
const most = day;

export function createIssues(
  { store, clock }: Pick<ExtensionsNeeds, 'store'> & { readonly clock: Clock },
  key: string,
): Issues {
  const newest = async (db: Reads<PackageTables>): Promise<Instant | undefined> =>
    (await db.selectFrom('extension_catalogues').select('issued').where('key', '=', key).executeTakeFirst())?.issued;
  return {
    newest: () => newest(store.db),
    async accept(said) {
      const issued = said && instant(said);
      if (said !== undefined && said.getTime() > clock().getTime() + most) throw early(said);
      const before = await newest(store.db);
      refuseOlder(issued, before);
      if (issued === undefined || issued === before) return issued;
      await store.write(async (tx, during) => {
        await during.lock('extensions.catalogue');
        refuseOlder(issued, await newest(tx));
        await tx
          .insertInto('extension_catalogues')
          .values({ key, issued })
          .onConflict((on) => on.column('key').doUpdateSet({ issued }))
          .execute();
      });
      return issued;
    },
    async overtaken(issued) {
      const now = await newest(store.db);
      if (!isOlder(issued, now)) return undefined;
      const its = issued === undefined ? 'has no date' : `is of ${shown(issued)}`;
      return `The one that is known here ${its}, and this site has had one of ${shown(now)}, which cannot be read here just now. Please try again in a few minutes.`;
    },
  };
}

const isOlder = (issued: Instant | undefined, newest: Instant | undefined): newest is Instant =>
  newest !== undefined && (issued === undefined || issued < newest);

function refuseOlder(issued: Instant | undefined, newest: Instant | undefined): void {
  if (!isOlder(issued, newest)) return;
  const its = issued === undefined ? 'It has no date' : `It is of ${shown(issued)}`;
  throw new OldCatalogue(
    `${its}, and this site has had one of ${shown(newest)}: somebody may be showing it an old one. If it is meant, whoever publishes it has to sign it again.`,
  );
}

const early = (issued: Date): BadCatalogue =>
  new BadCatalogue(
    `It is of ${shown(instant(issued))}, which is still to come: its clock is wrong, or that of this site.`,
  );

const shown = (moment: Instant): string => `${moment.slice(0, 19).replace('T', ' ')} UTC`;
