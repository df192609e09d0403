// The list of packages that may be installed, as the publisher whom the operator trusts signed it.
import { type AskingNeeds, createAsking } from './catalogue-asking.ts';
import type { Listed } from './catalogue-entry.ts';
import { createTrusted } from './catalogue-trusted.ts';
import type { ExtensionsNeeds } from './needs.ts';
import { untrusted } from './refusals.ts';

export interface Catalogue {
  /** Empty where there is none, and while it cannot be trusted. */
  entries(): Promise<readonly Listed[]>;
  find(slug: string): Promise<Listed | undefined>;
  /** The same of what may be installed here. Throws where an old catalogue that has it is shown in the place of the newest. */
  findFree(slug: string): Promise<Listed | undefined>;
  /** Those of so many milliseconds ago will do, and nobody waits long. */
  latest(age: number): Promise<Latest>;
}

export interface Latest {
  readonly entries: readonly Listed[];
  /** Why they may not be those of now, as a sentence. */
  readonly fault?: string;
}

type Needs = AskingNeeds & Pick<ExtensionsNeeds, 'store'>;

export function createCatalogue(needs: Needs): Catalogue {
  const { catalogue: place } = needs.operator;
  if (place === undefined) return none;
  const trusted = createTrusted(needs, place);
  const asking = createAsking(needs, place, trusted);
  const find = async (slug: string): Promise<Listed | undefined> => {
    await asking.look();
    return trusted.entries.find((one) => one.slug === slug);
  };
  return {
    async entries() {
      await asking.look();
      return trusted.entries;
    },
    find,
    async findFree(slug) {
      const one = await find(slug);
      const { old } = trusted;
      if (old?.slugs.has(slug)) throw untrusted(old.why);
      return one?.type === 'free' ? one : undefined;
    },
    async latest(age) {
      const fault = await asking.lately(age);
      return { entries: trusted.entries, ...(fault !== undefined && { fault }) };
    },
  };
}

const none: Catalogue = {
  entries: async () => [],
  find: async () => undefined,
  findFree: async () => undefined,
  latest: async () => ({ entries: [] }),
};
