// Whether sites tell this hub how they are.
import { hour } from '#lib/spans.ts';
import type { Toolkit } from '#site/extension.ts';
import type { OwnCheck } from '#site/health/check.ts';
import type { Hub } from './routes.ts';
import { patience } from './site.ts';

export const silence = ({ seen }: Pick<Toolkit<Hub>, 'seen'>): OwnCheck<Hub> => ({
  name: 'hub-silence',
  what: 'The sites of this hub',
  about: 'Sites tell the hub twice a day how they are. One that is silent may be away, or may have lost its key.',
  badge: 'Performance',
  look: async ({ sites }) => {
    const { all, silent } = await sites.tally();
    if (all === 0) return seen.note('are yet to come', 'Add one: gatehouse hub add NAME.');
    if (silent === 0)
      return seen.ok(all === 1 ? 'tell how they are: the one there is' : `tell how they are: all ${all}`);
    const told = `${silent} of ${all} told nothing for ${patience / hour} hours`;
    return seen.warning(
      told,
      'See at /hub which, and look whether they run; pause or remove those that are gone for good.',
    );
  },
});
