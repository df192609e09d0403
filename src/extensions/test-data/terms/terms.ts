// Terms that mean nothing. Where they may lie below each other, some do.
import type { Faker } from '@faker-js/faker';
import { invalidParam } from '#kernel/errors.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import type { ContentTables } from '#site/content/tables.ts';
import type { OneOfMany } from '#site/content/terms/term.ts';
import type { Taxonomy } from '#site/content/types.ts';
import type { Store } from '#store/store.ts';
import { testDataErrors } from '../errors.ts';
import { lineOf, openFake } from '../fake.ts';
import type { Generator, Item } from '../generator.ts';
import { madeMark, madeOf, mark } from '../marks.ts';

export interface TermsWanted {
  readonly taxonomy: string;
}

interface Needs {
  readonly store: Store<ContentTables>;
  readonly content: Pick<Content, 'kinds' | 'terms'>;
}

/** So many are looked at for one to lie below. */
const mostAbove = 200;

export function createTerms({ store, content: { kinds, terms } }: Needs): Generator<TermsWanted> {
  /** Those that were made before, in the order of their numbers. */
  const madeBefore = async ({ name, hierarchical }: Taxonomy): Promise<number[]> => {
    if (!hierarchical) return [];
    const rows = await store.db
      .selectFrom('terms')
      .innerJoin('term_meta', 'term_meta.term_id', 'terms.id')
      .select('terms.id')
      .where('terms.taxonomy', '=', name)
      .where('term_meta.key', '=', mark)
      .orderBy('terms.id', 'desc')
      .limit(mostAbove)
      .execute();
    return rows.map(({ id }) => id).reverse();
  };

  return {
    one: 'term',
    many: 'terms',
    most: 1_000,
    async demand(wanted, maker) {
      const taxonomy = demandTaxonomy(kinds.taxonomy(wanted.taxonomy));
      const { manage, edit } = taxonomy.capabilities;
      const judge = (asker: Asker): void => {
        if (['manage_categories', manage, edit].every((one) => asker.can(one))) return;
        throw testDataErrors.insufficientPermissions(`manage these: ${taxonomy.labels}`);
      };
      judge(maker);
      return {
        base: taxonomy.base,
        async make(items) {
          const fakeOf = await openFake();
          const before = await madeBefore(taxonomy);
          const all = items.map((item) => drawn(item, fakeOf(item.draws), taxonomy, before));
          return (await terms.addMany(taxonomy.name, all, maker.doing(judge))).map(({ id }) => id);
        },
      };
    },
  };
}

function demandTaxonomy(taxonomy: Taxonomy | undefined): Taxonomy {
  if (taxonomy?.public) return taxonomy;
  const message = 'taxonomy must be the name of a public taxonomy.';
  throw invalidParam('taxonomy', { code: 'rest_invalid_param', message });
}

function drawn({ draws, meta }: Item, fake: Faker, { hierarchical }: Taxonomy, before: readonly number[]): OneOfMany {
  const [name, description] = [lineOf(fake, 3, 5), fake.lorem.sentence({ min: 5, max: 50 })];
  const [isBelow, which] = [hierarchical && draws.chance(0.3), draws.number()];
  const parentAmong = (made: readonly number[]): number => {
    const above = [...before, ...made].slice(-mostAbove);
    return isBelow && above.length > 0 ? above[Math.floor(which * above.length)]! : 0;
  };
  const metaOf: OneOfMany['metaOf'] = (made) => ({ ...meta, [madeMark]: madeOf.terms(made) });
  return { name, description, parentAmong, metaOf };
}
