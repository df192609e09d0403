// Where the answers about import and export differ from those recorded, and why. A row that is true no longer fails the test.
import { dashboard } from './accepted-suite-dashboard.ts';
import type { Accepted } from './recorded.ts';
import { each } from './recorded-suite.ts';

const importExport: readonly Accepted[] = [
  ...each(['sources'], ['body[].options.uiSchema: missing'], 'a list with a choice of items needs no hint'),
  {
    exchange: 'OPTIONS import-export/exports',
    differs: [
      'body.endpoints[].args.context.description: missing',
      'body.endpoints[].args.context.type: missing',
      'body.endpoints[].args.options.default: object instead of list',
      'body.schema: object instead of list',
    ],
    why: '2.1: the context has no type there and filters; a map is a map, when it is empty as well',
  },
  {
    exchange: 'OPTIONS import-export/exports/x',
    differs: [
      'body.endpoints[].args.context.enum: more',
      'body.endpoints[].args.id: more',
      'body.schema: object instead of list',
    ],
    why: 'the document lists the path and the contexts, and a record has a schema',
  },
  {
    exchange: 'OPTIONS import-export/sources',
    differs: ['body.schema: more'],
    why: 'a record has a schema',
  },
  {
    exchange: 'OPTIONS import-export/sources/x',
    differs: ['body.endpoints[].args.slug: more', 'body.schema: more'],
    why: 'the document lists the path, and a record has a schema',
  },
  {
    exchange: 'source',
    differs: ['body.options.uiSchema: missing'],
    why: 'a list with a choice of items needs no hint',
  },
  ...each(
    ['create export', 'create export default'],
    ['body.sources.modules.pro-two-factor: missing'],
    'that module only extends another, and travels with it',
  ),
  ...each(
    ['exports after', 'exports edit'],
    ['body[].sources.modules.pro-two-factor: missing'],
    'that module only extends another, and travels with it',
  ),
  ...each(
    ['get export', 'get export edit'],
    ['body.sources.modules.pro-two-factor: missing'],
    'that module only extends another, and travels with it',
  ),
  ...each(
    ['create export default', 'POST /wp-json/secsuite/v1/import-export/exports'],
    ['body._links: missing', 'without the header location'],
    'Decision (2.3): an export without a title is not kept, so it has no address',
  ),
  {
    exchange: 'create export default',
    differs: [
      'body.sources.dashboard: an empty list instead of a list of some',
      'body.sources.database-bans: an empty list instead of a list of some',
      'body.sources.user-groups: more',
    ],
    why: 'the sites held different bans, dashboards and groups',
  },
  {
    exchange: 'POST /wp-json/secsuite/v1/import-export/exports',
    differs: ['body.sources: object instead of list', 'with the header x-messages-warning'],
    why: 'Decision (2.3): unknown sources are named; a map is a map, when it is empty as well',
  },
  ...each(
    ['validate empty', 'validate bad', 'validate id missing', 'validate wrapped'],
    ['code: rest_invalid_param instead of rest_property_required', 'status: 400 instead of 500'],
    'Decision (0): what the client caused is 400',
  ),
  ...each(
    ['OPTIONS transform', 'OPTIONS run'],
    [
      'body.endpoints[].args.user_map.patternProperties.\\d+: missing',
      'body.endpoints[].args.user_map.patternProperties.^\\d+$: more',
    ],
    'the document says that keys are digits from end to end',
  ),
];

export const accepted: Readonly<Record<string, readonly Accepted[]>> = { 'import-export': importExport, dashboard };

/** Of the exchanges that look at each route of the suite. */
export const transferRoutes: readonly Accepted[] = [
  ...each(
    ['OPTIONS /secsuite/v1/import-export/sources'],
    ['body.schema: more'],
    'the document lists the path, and a record has a schema',
  ),
  ...each(
    ['GET /secsuite/v1/import-export/sources'],
    ['body[].options.uiSchema: missing'],
    'a list with a choice of items needs no hint',
  ),
  ...each(
    ['GET context=edit /secsuite/v1/import-export/sources'],
    [
      'body[].options.uiSchema: missing',
      'body[].schema.items.properties.canonical.items.enum: more',
      'body[].schema.items.properties.canonical.required: more',
      'body[].schema.items.properties.cards: missing',
      'body[].schema.items.properties.cards: more',
      'body[].schema.items.properties.comment: missing',
      'body[].schema.items.properties.comment: more',
      'body[].schema.items.properties.created_at.required: more',
      'body[].schema.items.properties.created_by: missing',
      'body[].schema.items.properties.created_by: more',
      'body[].schema.items.properties.host: missing',
      'body[].schema.items.properties.host: more',
      'body[].schema.items.properties.id.pattern: more',
      'body[].schema.items.properties.id.required: more',
      'body[].schema.items.properties.id: missing',
      'body[].schema.items.properties.id: more',
      'body[].schema.items.properties.label.minLength: more',
      'body[].schema.items.properties.label.required: more',
      'body[].schema.items.properties.label: missing',
      'body[].schema.items.properties.label: more',
      'body[].schema.items.properties.layout: missing',
      'body[].schema.items.properties.min_role.required: more',
      'body[].schema.items.properties.roles.items.$ref: missing',
      'body[].schema.items.properties.roles.items.properties: more',
      'body[].schema.items.properties.roles.items.type: more',
      'body[].schema.items.properties.roles.required: more',
      'body[].schema.items.properties.shares: missing',
      'body[].schema.items.properties.shares: more',
      'body[].schema.items.properties.users.items.$ref: missing',
      'body[].schema.items.properties.users.items.properties: more',
      'body[].schema.items.properties.users.items.type: more',
      'body[].schema.items.properties.users.required: more',
      'body[].transform_map.roles: a list of some instead of an empty list',
      'body[].transform_map.roles: an empty list instead of a list of some',
      'body[].transform_map.users: a list of some instead of an empty list',
      'body[].transform_map.users: an empty list instead of a list of some',
    ],
    '2.2: sources stand in the order of import, and their schemas say what an import takes',
  ),
  ...each(
    ['OPTIONS /secsuite/v1/import-export/sources/(?P<slug>[\\w\\-]+)'],
    ['body.endpoints[].args.slug: more', 'body.schema: more'],
    'the document lists the path, and a record has a schema',
  ),
  ...each(
    [
      'GET /secsuite/v1/import-export/sources/(?P<slug>[\\w\\-]+)',
      'GET context=edit /secsuite/v1/import-export/sources/(?P<slug>[\\w\\-]+)',
    ],
    ['body.options.uiSchema: missing'],
    'a list with a choice of items needs no hint',
  ),
  ...each(
    ['OPTIONS /secsuite/rpc/import/transform', 'OPTIONS /secsuite/rpc/import/run'],
    [
      'body.endpoints[].args.user_map.patternProperties.\\d+: missing',
      'body.endpoints[].args.user_map.patternProperties.^\\d+$: more',
    ],
    'the document says that keys are digits from end to end',
  ),
];
