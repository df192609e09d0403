// What a site knows of the catalogue: what was signed by whom it trusts, and nothing of what was not.

import type { Operator, Catalogue as Place } from '#lib/operator.ts';
import type { Instant } from '#store/columns.ts';
import type { Clock } from '../platform/clock.ts';
import { BadCatalogue, readCatalogue } from './catalogue-document.ts';
import { type Listed, sourceOf } from './catalogue-entry.ts';
import { createIssues, OldCatalogue } from './catalogue-issues.ts';
import type { ExtensionsNeeds } from './needs.ts';

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
