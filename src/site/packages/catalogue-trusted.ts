// What a site knows of the catalogue: what was signed by whom it trusts, and nothing of what was not.
import type { Operator, Catalogue as Place } from '#lib/operator.ts';
import { day } from '#lib/spans.ts';
import { type Instant, instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import type { Clock } from '../platform/clock.ts';
import { BadCatalogue, type Listed, readCatalogue, sourceOf } from './catalogue-document.ts';
import type { ExtensionsNeeds } from './needs.ts';
import type { PackageTables } from './tables.ts';

interface Needs extends Pick<ExtensionsNeeds, 'store'> {
  readonly operator: Pick<Operator, 'catalogueKey'>;
  readonly clock: Clock;
}

export interface Trusted {
  readonly entries: readonly Listed[];
  /** What an old catalogue lists that was shown in the place of this one, and why that is not used. */
  readonly old: { readonly slugs: ReadonlySet<string>; readonly why: string } | undefined;
  /** Of which moment the newest was, whichever process had it. */
  newest(): Promise<string>;
  /** Answers of which moment it is, or nothing where it does not say. What cannot be trusted leaves nothing of what was known. */
  take(bytes: Uint8Array): Promise<string>;
  /** Whether it could be taken. */
  takes(bytes: Uint8Array): Promise<boolean>;
  /** Whether no process has had a later one meanwhile: what is not of the newest is not known any more. */
  holds(): Promise<boolean>;
}

interface Known {
  readonly entries: readonly Listed[];
  readonly issued: Instant | undefined;
}

const nothing: Known = { entries: [], issued: undefined };

export function createTrusted({ store, clock, operator: { catalogueKey } }: Needs, place: Place): Trusted {
  const issues = createIssues({ store, clock }, catalogueKey ?? '');
  let known = nothing;
  let old: Trusted['old'];
  const accepted = async (bytes: Uint8Array): Promise<Known> => {
    const said = readCatalogue(bytes, catalogueKey);
    const issued = await issues.accept(said.issued).catch((error) => {
      if (error instanceof OldCatalogue) old = { slugs: slugsOf(said), why: error.message };
      throw error;
    });
    return { issued, entries: said.entries.map((entry) => ({ ...entry, source: sourceOf(entry, place) })) };
  };
  const take = async (bytes: Uint8Array): Promise<string> => {
    old = undefined;
    known = await accepted(bytes).catch((error) => {
      if (error instanceof BadCatalogue) known = nothing;
      throw error;
    });
    return known.issued ?? '';
  };
  return {
    get entries() {
      return known.entries;
    },
    get old() {
      return old;
    },
    newest: async () => (await issues.newest()) ?? '',
    take,
    takes: (bytes) =>
      take(bytes).then(
        () => true,
        () => false,
      ),
    async holds() {
      const looked = known;
      const why = looked === nothing ? undefined : await issues.overtaken(looked.issued);
      if (why === undefined || looked !== known) return why === undefined;
      old = { slugs: slugsOf(looked), why };
      known = nothing;
      return false;
    },
  };
}

const slugsOf = ({ entries }: { readonly entries: readonly { readonly slug: string }[] }): ReadonlySet<string> =>
  new Set(entries.map(({ slug }) => slug));

// The site remembers the newest catalogue of each publisher. An earlier one is signed as well, so an attacker could show it again
// to bring back packages with known faults.

/** It is signed as it should be, and the site had a later one. */
class OldCatalogue extends BadCatalogue {}

interface Issues {
  newest(): Promise<Instant | undefined>;
  /** Remembers it; throws where it is older than the newest, or of a day that is still to come. */
  accept(issued: Date | undefined): Promise<Instant | undefined>;
  /** Why one of that moment, which was accepted, is not to be used any more; nothing while it is the newest. */
  overtaken(issued: Instant | undefined): Promise<string | undefined>;
}

/** How far clocks may be apart. */
const most = day;

function createIssues(
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
      const its = issued === undefined ? 'has no date' : `has the date ${shown(issued)}`;
      return `The catalogue on this machine ${its}, but this site knows a newer catalogue of ${shown(now)}, which cannot be read at the moment. Try again in a few minutes.`;
    },
  };
}

const isOlder = (issued: Instant | undefined, newest: Instant | undefined): newest is Instant =>
  newest !== undefined && (issued === undefined || issued < newest);

function refuseOlder(issued: Instant | undefined, newest: Instant | undefined): void {
  if (!isOlder(issued, newest)) return;
  const its = issued === undefined ? 'It has no date' : `Its date is ${shown(issued)}`;
  throw new OldCatalogue(
    `${its}, but this site knows a newer catalogue of ${shown(newest)}. It may be an old copy. To use it, its publisher must sign it again.`,
  );
}

const early = (issued: Date): BadCatalogue =>
  new BadCatalogue(
    `Its date is ${shown(instant(issued))}, which is in the future. Check the clocks of the publisher and of this site.`,
  );

const shown = (moment: Instant): string => `${moment.slice(0, 19).replace('T', ' ')} UTC`;
