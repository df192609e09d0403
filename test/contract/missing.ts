// What the contract asks for and nothing serves yet. Written by remember.ts; contract.test.ts fails when it is out of date.
import type { Deployment, Missing } from './checker.ts';

const both = {
  namespaces: ['imgopt/v1'],
  routes: ['/imgopt/v1', '/imgopt/v1/preset_configs'],
};

export const missing: Readonly<Record<Deployment, Missing>> = {
  a: {
    authentication: false,
    namespaces: both.namespaces,
    routes: both.routes,
  },
  b: {
    authentication: false,
    namespaces: both.namespaces,
    routes: both.routes,
  },
};
