// Recommends further extensions, and has them installed and switched on by their names.

import type { Entry } from '#site/extension.ts';
import { config } from './config.ts';
import { createRecommended, crossSellErrors } from './recommended.ts';
import { type CrossSell, routes } from './routes.ts';

const name = 'cross-sell';

export const crossSell: Entry<CrossSell> = (tools) => ({
  name,
  config,
  errors: crossSellErrors,
  title: 'Cross-sell',
  about: 'Recommends other extensions, which users can install and turn on from the recommendation.',
  nouns: ({ extensions, identity }) => ({
    recommended: createRecommended({ extensions, doing: identity.doing, own: name }),
  }),
  routes: { 'xsell_pcs/v1': routes(tools) },
});
