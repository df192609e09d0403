// Where the answers about who is kept out differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';
import { each } from './recorded-suite.ts';

const firewall: readonly Accepted[] = [
  ...each(
    ['OPTIONS', 'OPTIONS one'],
    [
      'body.endpoints[].args.config.properties.rules.items.properties.parameter.type: list instead of string',
      'body.endpoints[].args.config.properties.rules.items.properties.parameter.items: more',
      'body.schema.properties.config.properties.rules.items.properties.parameter.type: list instead of string',
      'body.schema.properties.config.properties.rules.items.properties.parameter.items: more',
    ],
    'Decision (part 2, 5.1): a text or several',
  ),
  ...each(
    ['OPTIONS', 'OPTIONS one'],
    [
      'body.schema.properties.name.required: missing',
      'body.schema.properties.config.properties.rules.items.properties.parameter.required: missing',
      'body.schema.properties.config.properties.rules.required: missing',
      'body.schema.properties.config.properties.type.required: missing',
      'body.schema.properties.config.required: missing',
    ],
    'that something must be sent is said by the arguments',
  ),
  ...each(
    ['OPTIONS', 'OPTIONS one'],
    ['body.schema.$schema: more', 'body.schema.title: more'],
    'what is answered has a published schema',
  ),
  { exchange: 'OPTIONS one', differs: ['body.endpoints[].args.id: more'], why: 'the contract names the arguments so' },
  ...each(
    ['create bad parameter', 'POST /wp-json/secsuite/v1/firewall/rules, 2'],
    ['status: 400 instead of 201', 'code: rest_invalid_param instead of none'],
    'Decision (part 2, 5.1): what could never run is refused',
  ),
  {
    exchange: 'page 2',
    differs: [
      'body[].config.rules[].match.value: string instead of number',
      'body[].paused_at: string instead of null',
    ],
    why: 'another rule is there: see above',
  },
  {
    exchange: 'GET /blocked-capture-path',
    differs: ['with the header cross-origin-opener-policy', 'with the header x-frame-options'],
    why: 'as on every page',
  },
];

const firewallBlock: readonly Accepted[] = [
  {
    exchange: 'GET /blocked-capture-path',
    differs: ['with the header cross-origin-opener-policy', 'with the header x-frame-options'],
    why: 'as on every page',
  },
  {
    exchange: 'logs firewall',
    differs: ['body[]._links.secsuite:geolocate: missing'],
    why: '10.1: where an address is, is told of public ones',
  },
];

const blockEffects: readonly Accepted[] = [
  ...each(
    ['rule hit, html', 'wp-login failed 1', 'wp-login failed 2', 'wp-login failed 3', 'wp-login failed 4'],
    ['with the header cross-origin-resource-policy', 'with the header x-frame-options'],
    'as on every page',
  ),
  {
    exchange: 'rule hit, REST',
    differs: ['status: 403 instead of 500', 'code: secsuite_firewall_blocked instead of wp_die'],
    why: 'Decision (part 2, 5.7): JSON to programs, with 403',
  },
  ...each(
    ['banned address, REST', 'GET /wp-json/wp/v2/posts?per_page=1&_fields=id'],
    ['status: 403 instead of 500', 'code: secsuite_host_locked_out instead of wp_die'],
    'Decision (3.5): JSON to programs, with 403',
  ),
  {
    exchange: 'banned address, html',
    differs: ['with the header cross-origin-resource-policy', 'with the header x-frame-options'],
    why: 'as on every page',
  },
  {
    exchange: 'banned address, html',
    differs: ['with the header set-cookie'],
    why: '3.5: whoever is locked out is signed out',
  },
  ...each(
    ['wp-login failed 5', 'wp-login failed 6', 'wp-login failed 7'],
    ['status: 403 instead of 500', 'code: none instead of wp_die'],
    'Decision (3.5): a page to people, with 403',
  ),
  {
    exchange: 'top blocked ips',
    differs: ['body: a list of some instead of an empty list'],
    why: 'Decision (§4): lockouts count as soon as they happen',
  },
  {
    exchange: 'logs lockout',
    differs: ['body[]._links.secsuite:geolocate: missing', 'body[]._links.curies: missing'],
    why: '10.1: where an address is, is told of public ones',
  },
];

export const accepted: Readonly<Record<string, readonly Accepted[]>> = {
  firewall,
  'firewall-block': firewallBlock,
  'block-effects': blockEffects,
};
