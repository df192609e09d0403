// What programs may have the site do, told to them and done for them by name. Extensions bring it; here it is put on the wire.
import type { Entry } from '#site/extension.ts';
import { createRuns } from '#site/hooks/abilities/running.ts';
import type { Served } from './resource.ts';
import { routes } from './routes.ts';

export const abilities: Entry<Served> = (tools) => ({
  name: 'core-abilities',
  always: true,
  nouns: ({ abilities: known, events, identity: { doing } }) => ({
    abilities: known,
    runs: createRuns({ abilities: known, events, doing }),
  }),
  routes: { 'core-abilities/v1': routes(tools) },
});
