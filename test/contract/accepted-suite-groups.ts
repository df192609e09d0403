// Where the answers about groups of users differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';
import { each } from './recorded-suite.ts';

export const accepted: readonly Accepted[] = [
  ...each(
    ['OPTIONS user-groups', 'OPTIONS user-groups/x'],
    ['body.schema.properties.label.required: missing'],
    'that something must be sent is said by the arguments',
  ),
  {
    exchange: 'OPTIONS user-matchables',
    differs: ['body.schema: more'],
    why: 'what is answered has a published schema',
  },
  ...each(
    ['OPTIONS user-matchable-settings', 'OPTIONS user-matchable-settings/x'],
    ['body.endpoints[].args.pro-two-factor: missing', 'body.schema.properties.pro-two-factor: missing'],
    'Decision (5.3): what extends a module is part of it',
  ),
  ...each(
    ['OPTIONS user-matchable-settings', 'OPTIONS user-matchable-settings/x'],
    ['body.schema.additionalProperties: missing', 'body.schema.links: missing'],
    'a published schema says what is in a record; no other says that there is nothing else, or where it lies',
  ),
  ...each(
    ['OPTIONS user-matchable-settings/x', 'settings one missing'],
    ['Allow: GET, PUT instead of none', 'with the header allow'],
    'who may is known though nothing is there',
  ),
  {
    exchange: 'matchables _embed',
    differs: ['body[]._embedded.secsuite:user-matchable-settings[].pro-two-factor: missing'],
    why: 'Decision (5.3): what extends a module is part of it',
  },
  {
    exchange: 'settings list',
    differs: [
      'body.ee359bdf-1878-48cb-8dd8-ab9a27daafbc.pro-two-factor: missing',
      'body.efc93480-fa09-413e-aecb-b8b0d74fff43.pro-two-factor: missing',
      'body.everybody-else.pro-two-factor: missing',
    ],
    why: 'Decision (5.3): what extends a module is part of it',
  },
  {
    exchange: 'settings list include',
    differs: ['body.efc93480-fa09-413e-aecb-b8b0d74fff43.pro-two-factor: missing'],
    why: 'Decision (5.3): what extends a module is part of it',
  },
  {
    exchange: 'settings list include',
    differs: ['body.ee359bdf-1878-48cb-8dd8-ab9a27daafbc: missing', 'body.everybody-else: missing'],
    why: 'Decision (12.5): `include` is honoured',
  },
  ...each(
    ['settings one', 'settings put one', 'settings put unknown'],
    ['body.pro-two-factor: missing'],
    'Decision (5.3): what extends a module is part of it',
  ),
  {
    exchange: 'settings patch many',
    differs: ['body[].response.pro-two-factor: missing'],
    why: 'Decision (5.3): what extends a module is part of it',
  },
  {
    exchange: 'delete',
    differs: ['Allow: GET, PUT, DELETE instead of none', 'with the header allow'],
    why: 'who may is known though nothing is there',
  },
];
