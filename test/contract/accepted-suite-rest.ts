// Where the answers about the rest of the suite differ from those recorded, and why. A row that is true no longer fails the test.
import { acceptedGets, acceptedWrites } from './accepted-suite-scans.ts';
import { transferRoutes } from './accepted-suite-transfer.ts';
import type { Accepted } from './recorded.ts';
import { each } from './recorded-suite.ts';

const allGet: readonly Accepted[] = [
  {
    exchange: 'OPTIONS /secsuite/rpc/global/detect-ip',
    differs: ['body.endpoints[].args.args.default: object instead of list'],
    why: 'Decision (0.3): a map is a map, when it is empty as well',
  },
  ...each(
    [
      'GET /secsuite/rpc/notification-center/notifications',
      'GET context=edit /secsuite/rpc/notification-center/notifications',
    ],
    ['body.automatic-updates-debug: missing'],
    '13.1: told while something updates itself, which nothing does here',
  ),
  ...each(
    ['GET /secsuite/v1', 'GET context=edit /secsuite/v1'],
    ['body.roles.parish_admin: more'],
    'this deployment has a role of its own',
  ),
  ...each(
    ['GET /secsuite/v1', 'GET context=edit /secsuite/v1'],
    [
      'body.requirements_info.server.php: missing',
      'body.requirements_info.server.runtime: more',
      'body.supports: an empty list instead of a list of some',
      'body.has_feed: missing',
      'body.is_lw_customer: missing',
      'body.has_virtual_patching: more',
    ],
    '0.5: what is told of a site and its server',
  ),
  {
    exchange: 'GET anonymous /secsuite/v1',
    differs: ['body.supports: an empty list instead of a list of some'],
    why: '0.5: what is told of a site and its server',
  },
  ...each(
    ['OPTIONS /secsuite/v1/site-types', 'OPTIONS /secsuite/v1/site-types/(?P<id>[\\w-]+)'],
    [
      'body.schema.properties.next_question.type: list instead of string',
      'body.schema.properties.next_question.properties.description: more',
      'body.schema.properties.answers.items.properties.disabled: more',
      'body.schema.properties.recommended: more',
    ],
    '7.1 and 7.3: the record, and the question that comes first',
  ),
  ...each(
    ['GET /secsuite/v1/site-types', 'GET context=edit /secsuite/v1/site-types'],
    [
      'body[].next_question.answer_schema.type: list instead of string',
      'body[].next_question.answer_schema.default: missing',
    ],
    '7.1 and 7.3: the record, and the question that comes first',
  ),
  {
    exchange: 'OPTIONS /secsuite/v1/site-types/(?P<id>[\\w-]+)',
    differs: ['body.endpoints[].args.answers.items.properties.disabled: more'],
    why: 'the contract names the arguments so',
  },
  {
    exchange: 'OPTIONS /secsuite/v1/tools/(?P<tool>[\\w\\-]+)',
    differs: ['body.endpoints[].args: object instead of list', 'body.endpoints[].args.tool: more'],
    why: 'the contract names the arguments so',
  },
  {
    exchange: 'OPTIONS /secsuite/v1/user-actions',
    differs: [
      'body.endpoints[].args.query.properties: missing',
      'body.endpoints[].args.actions.properties.delete: missing',
      'body.endpoints[].args.actions.properties.send-2fa-reminder: missing',
      'body.schema.properties.query.properties: missing',
      'body.schema.properties.actions.properties.delete: missing',
      'body.schema.properties.actions.properties.send-2fa-reminder: missing',
    ],
    why: 'the contract names the arguments so',
  },
  {
    exchange: 'OPTIONS /secsuite/v1/logs',
    differs: ['body.endpoints[].args.type.items.enumNames: missing'],
    why: 'the contract names the arguments so',
  },
  ...each(
    ['OPTIONS /secsuite/v1/logs', 'OPTIONS /secsuite/v1/logs/(?P<id>[\\d]+)'],
    ['body.schema.properties.ip.properties.details: missing'],
    '10.1: what is told of an address',
  ),
  ...each(
    ['OPTIONS /secsuite/v1/logs', 'OPTIONS /secsuite/v1/logs/(?P<id>[\\d]+)'],
    ['body.schema.$schema: more', 'body.schema.title: more'],
    'what is answered has a published schema',
  ),
  { exchange: 'GET /secsuite/v1/logs', differs: ['with the header link'], why: 'there is more than a page here' },
  {
    exchange: 'GET /secsuite/v1/logs',
    differs: ['body[]._links.secsuite:geolocate: missing', 'body[]._links.curies: missing'],
    why: '10.1: where an address is, is told of public ones',
  },
  {
    exchange: 'GET /secsuite/v1/logs',
    differs: [
      'body[].code.raw.data: an empty list instead of a list of some',
      'body[]._links.secsuite:firewall-rule: missing',
    ],
    why: 'other things happened here',
  },
  {
    exchange: 'GET /secsuite/v1/logs/(?P<id>[\\d]+)',
    differs: ['body.code.raw.data: an empty list instead of a list of some'],
    why: 'other things happened here',
  },
  {
    exchange: 'GET /secsuite/v1/logs/(?P<id>[\\d]+)',
    differs: ['body._links.secsuite:geolocate: missing', 'body._links.curies: missing'],
    why: '10.1: where an address is, is told of public ones',
  },
  ...each(
    ['GET /secsuite/v1/geolocate/(?P<ip>.+)', 'GET context=edit /secsuite/v1/geolocate/(?P<ip>.+)'],
    ['status: 404 instead of 500'],
    '11.1: an address for examples is known to nobody, which is a 404',
  ),
  ...each(
    ['GET /secsuite/v1/admin-notices', 'GET context=edit /secsuite/v1/admin-notices'],
    ['body: an empty list instead of a list of some'],
    'there is nothing to tell here',
  ),
  {
    exchange: 'OPTIONS /secsuite/v1/admin-notices/(?P<notice>[\\w\\-\\.]+)/(?P<action>[\\w\\-]+)',
    differs: ['Allow: POST, PUT, PATCH instead of none', 'with the header allow'],
    why: '16.2: who may is known though no such notice is there',
  },
  ...each(
    [
      'OPTIONS /secsuite/v1/admin-notices/(?P<notice>[\\w\\-\\.]+)/(?P<action>[\\w\\-]+)',
      'OPTIONS /secsuite/v1/actors/(?P<type>[\\w\\-\\_]+)/search',
    ],
    ['body.endpoints[].args: object instead of list'],
    'the contract names the arguments so',
  ),
  {
    exchange: 'OPTIONS /secsuite/v1/admin-notices/settings',
    differs: ['body.schema.properties.muted_highlights.additionalProperties: missing'],
    why: '16.4: the kinds are listed',
  },
  {
    exchange: 'OPTIONS /secsuite/v1/admin-notices/settings',
    differs: ['body.schema.$schema: more'],
    why: 'what is answered has a published schema',
  },
  {
    exchange: 'OPTIONS /secsuite/v1/actors',
    differs: ['body.schema: more'],
    why: 'what is answered has a published schema',
  },
];

const miscWrite: readonly Accepted[] = [
  {
    exchange: 'discover own',
    differs: ['status: 502 instead of 200', 'code: secsuite.discover.cannot-connect instead of none'],
    why: '§15: a site behind no public address is not asked',
  },
  { exchange: 'discover not url', differs: ['status: 502 instead of 500'], why: '§15: 502, where nothing answers' },
  {
    exchange: 'tool run identify',
    differs: ['body.data: object instead of null'],
    why: 'as everywhere, the status stands in the body too',
  },
  {
    exchange: 'tool toggle',
    differs: ['status: 400 instead of 500'],
    why: 'Decision (8.2): what cannot be done is the fault of who asks',
  },
  {
    exchange: 'admin notices',
    differs: ['body[].meta: object instead of list'],
    why: 'Decision (0.3): a map is a map, when it is empty as well',
  },
  {
    exchange: 'admin notices',
    differs: ['body[].actions.configure.uri: null instead of string'],
    why: '16.1: there is no page for it',
  },
  {
    exchange: 'admin notices',
    differs: ['body[untrusted-proxy-header]: more'],
    why: 'Decision (1.5): one more notice, of a proxy that nobody named; it can be put off and nothing else',
  },
  {
    exchange: 'POST /wp-json/secsuite/v1/admin-notices/zzz/dismiss',
    differs: ['Allow: POST, PUT, PATCH instead of none', 'with the header allow'],
    why: '16.2: who may is known though no such notice is there',
  },
  ...each(
    ['logs', 'logs order'],
    ['body[]._links.secsuite:geolocate: missing', 'body[]._links.curies: missing'],
    '10.1: where an address is, is told of public ones',
  ),
  {
    exchange: 'logs order',
    differs: [
      'body[].code.raw.data: an empty list instead of a list of some',
      'body[]._links.secsuite:firewall-rule: missing',
    ],
    why: 'other things happened here',
  },
  {
    exchange: 'log one',
    differs: ['body._links.secsuite:geolocate: missing', 'body._links.curies: missing'],
    why: '10.1: where an address is, is told of public ones',
  },
  {
    exchange: 'actor search',
    differs: ['body: a list of some instead of an empty list'],
    why: 'Decision (§17): parts of names are found',
  },
  {
    exchange: 'site types',
    differs: [
      'body[].next_question.answer_schema.type: list instead of string',
      'body[].next_question.answer_schema.default: missing',
    ],
    why: '7.1 and 7.3: the record, and the question that comes first',
  },
  ...each(
    ['site type', 'site type answers'],
    [
      'body.next_question.answer_schema.type: list instead of string',
      'body.next_question.answer_schema.default: missing',
    ],
    '7.1 and 7.3: the record, and the question that comes first',
  ),
];

export const accepted: Readonly<Record<string, readonly Accepted[]>> = {
  'all-get': [...allGet, ...transferRoutes, ...acceptedGets],
  'misc-write': [...miscWrite, ...acceptedWrites],
};
