// Where the answers about scans and versions differ from those recorded, and why.
import type { Accepted } from './recorded.ts';
import { each } from './recorded-suite.ts';

const hidden = [
  'body.endpoints: an empty list instead of a list of some',
  'body.methods: an empty list instead of a list of some',
] as const;
const isHidden = 'beyond the document: served, and not described';
const published = 'what is answered has a published schema';
const oneIssue = 'OPTIONS /secsuite/v1/site-scanner/scans/(?P<scan_id>\\d+)/issues/(?P<issue_id>[\\w_-]+)';
const vulnerabilities = 'OPTIONS /secsuite/v1/site-scanner/vulnerabilities';
const oneVulnerability = `${vulnerabilities}/(?P<id>[\\w-]+)`;
const oldSites = 'OPTIONS /secsuite/v1/version-management/old-site-scan';

export const acceptedGets: readonly Accepted[] = [
  ...each(
    [oldSites, ...['mute', 'unmute'].map((action) => `${oldSites}/(?P<id>[a-f0-9]+)/${action}`)],
    ['body.schema: more'],
    published,
  ),
  ...each(
    ['mute', 'unmute'].map((action) => `${oldSites}/(?P<id>[a-f0-9]+)/${action}`),
    ['body.endpoints[].args: object instead of list'],
    'the contract names the arguments so',
  ),
  ...each(
    ['GET /secsuite/rpc/version-management/packages', 'GET context=edit /secsuite/rpc/version-management/packages'],
    ['body[].active: more', 'body[].update: more', 'body[].version: more'],
    'Decision (4.1): versions are told',
  ),
  ...each(
    [
      'OPTIONS /secsuite/v1/site-scanner/scans',
      'OPTIONS /secsuite/v1/site-scanner/scans/(?P<id>\\d+)',
      'OPTIONS /secsuite/v1/site-scanner/scans/(?P<scan_id>\\d+)/issues',
      oneIssue,
      'OPTIONS /secsuite/v1/site-scanner/muted-issues',
      'OPTIONS /secsuite/v1/site-scanner/muted-issues/(?P<id>[\\w-]+)',
      vulnerabilities,
      oneVulnerability,
    ],
    ['body.schema.title: more'],
    published,
  ),
  ...each(
    ['OPTIONS /secsuite/v1/site-scanner/scans/(?P<scan_id>\\d+)/issues', oneIssue],
    ['body.schema.properties.meta.additionalProperties: missing', 'body.schema.properties.meta.properties: missing'],
    'an object says that it may hold anything by saying nothing',
  ),
  ...each(
    [
      `${oneIssue}/fix`,
      'OPTIONS /secsuite/v1/site-scanner/muted-issues',
      'OPTIONS /secsuite/v1/site-scanner/muted-issues/(?P<id>[\\w-]+)',
      vulnerabilities,
      oneVulnerability,
      ...['mute', 'unmute', 'fix', 'deactivate-software'].map((action) => `${oneVulnerability}/${action}`),
    ],
    hidden,
    isHidden,
  ),
  ...each(
    [`${oneIssue}/fix`, ...['fix', 'deactivate-software'].map((action) => `${oneVulnerability}/${action}`)],
    ['Allow: POST instead of none', 'with the header allow'],
    'who may is known though no such record is there',
  ),
  ...each(
    ['mute', 'unmute', 'fix', 'deactivate-software'].map((action) => `${oneVulnerability}/${action}`),
    ['body.schema: more'],
    published,
  ),
  ...each(
    [vulnerabilities, oneVulnerability],
    [
      'body.schema.$schema: more',
      'body.schema.properties.first_seen_diff: more',
      'body.schema.properties.last_seen_diff: more',
      'body.schema.properties.resolved_by.properties.name.readonly: missing',
    ],
    '7.8: the record',
  ),
  {
    exchange: 'OPTIONS /secsuite/v1/site-scanner/verify-scan',
    differs: ['Allow: none instead of POST', 'body: list instead of object', 'without the header allow'],
    why: 'Decision (7.9): no scanner elsewhere looks at the site, so none has to be verified',
  },
];

export const acceptedWrites: readonly Accepted[] = [
  {
    exchange: 'site scan (blocked)',
    differs: [
      'body.entries: a list of some instead of an empty list',
      'body.errors: an empty list instead of a list of some',
      'code: clean instead of scan-failure-client-error',
    ],
    why: 'Decision (7.6): the site scans itself',
  },
  {
    exchange: 'scans',
    differs: [
      'body[].entries: a list of some instead of an empty list',
      'body[].errors: an empty list instead of a list of some',
    ],
    why: 'Decision (7.6): the site scans itself',
  },
  ...each(['muted create', 'muted create dup'], ['status: 404 instead of 500'], '7.9: what is not there is a 404'),
  {
    exchange: 'POST /wp-json/secsuite/v1/site-scanner/muted-issues',
    differs: ['code: rest_missing_callback_param instead of internal_server_error', 'status: 400 instead of 500'],
    why: 'Decision (0): what the client caused is a 400',
  },
];
