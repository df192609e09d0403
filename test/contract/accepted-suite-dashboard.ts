// Where the answers about dashboards differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';
import { each } from './recorded-suite.ts';

export const dashboard: readonly Accepted[] = [
  ...each(
    ['OPTIONS dashboards', 'OPTIONS dashboards/1', 'OPTIONS dashboards/1/layout', 'OPTIONS dashboards/1/cards'],
    ['body: object instead of list'],
    'a hidden route answers an empty object, as an empty map is written everywhere',
  ),
  ...each(
    ['OPTIONS dashboard-available-cards'],
    ['body.schema: more'],
    '3.3, 3.6: records have a schema, and counts are described where they are answered',
  ),
  ...each(
    ['OPTIONS dashboard/events'],
    ['body.schema: missing'],
    '3.3, 3.6: records have a schema, and counts are described where they are answered',
  ),
  ...each(
    ['create', 'create preset', 'create missing label', 'get', 'get edit', 'update'],
    ['body._links.create-form[].targetHints: missing'],
    'a form says by its title what it makes',
  ),
  ...each(
    ['list after'],
    ['body[]._links.create-form[].targetHints: missing'],
    'a form says by its title what it makes',
  ),
  ...each(
    ['available cards'],
    [
      'body[].query_args.roles.default: missing',
      'body[].query_args.search.minLength: more',
      'body[].query_args: object instead of list',
      'body[].settings: object instead of list',
    ],
    'Decision (0): a map is a map, when it is empty as well',
  ),
  ...each(
    ['available card'],
    ['body.query_args: object instead of list', 'body.settings: object instead of list'],
    'Decision (0): a map is a map, when it is empty as well',
  ),
  ...each(
    ['available card missing'],
    ['Allow: none instead of GET', 'without the header allow'],
    'a path that leads to nothing allows nothing',
  ),
  ...each(
    [
      'create card banned-users',
      'get card banned-users',
      'GET /wp-json/secsuite/v1/dashboards/1162/cards/banned-users/1175?context=edit',
    ],
    [
      'body.data.blacklist-brute_force: missing',
      'body.data.blacklist-brute_force_admin_user: missing',
      'body.data.blacklist-recaptcha: missing',
      'body.data.data.blacklist-brute_force.data: a list of some instead of an empty list',
      'body.data.data.blacklist-brute_force_admin_user.data: a list of some instead of an empty list',
      'body.data.data.blacklist-recaptcha.data: a list of some instead of an empty list',
    ],
    'Decision (3.2): the points of a slice stand in the slice',
  ),
  ...each(
    [
      'create card lockout',
      'get card lockout',
      'GET /wp-json/secsuite/v1/dashboards/1162/cards/lockout/1178?context=edit',
    ],
    [
      'body.data.circle_sum: number instead of string',
      'body.data.data.lockout-host.data: a list of some instead of an empty list',
      'body.data.data.lockout-user.data: a list of some instead of an empty list',
      'body.data.data.lockout-username.data: a list of some instead of an empty list',
      'body.data.lockout-host: missing',
      'body.data.lockout-user: missing',
      'body.data.lockout-username: missing',
    ],
    'Decision (3.2): the points of a slice stand in the slice, and a count is a number',
  ),
  ...each(
    [
      'create card version-management',
      'get card version-management',
      'GET /wp-json/secsuite/v1/dashboards/1162/cards/version-management/1181?context=edit',
    ],
    ['body._links.curies: missing', 'body._links.secsuite:logs: missing'],
    'the page of updates is not part of this service',
  ),
  ...each(
    [
      'create card database-backup',
      'get card database-backup',
      'GET /wp-json/secsuite/v1/dashboards/1162/cards/database-backup/1184?context=edit',
    ],
    ['body._links.secsuite:logs: missing'],
    'the page of the log is not part of this service',
  ),
  ...each(
    ['cards'],
    [
      'body[]._links.curies: missing',
      'body[]._links.secsuite:logs: missing',
      'body[].data.blacklist-brute_force: missing',
      'body[].data.blacklist-brute_force_admin_user: missing',
      'body[].data.blacklist-recaptcha: missing',
      'body[].data.circle_sum: number instead of string',
      'body[].data.data.blacklist-brute_force.data: a list of some instead of an empty list',
      'body[].data.data.blacklist-brute_force_admin_user.data: a list of some instead of an empty list',
      'body[].data.data.blacklist-recaptcha.data: a list of some instead of an empty list',
      'body[].data.data.lockout-host.data: a list of some instead of an empty list',
      'body[].data.data.lockout-user.data: a list of some instead of an empty list',
      'body[].data.data.lockout-username.data: a list of some instead of an empty list',
      'body[].data.lockout-host: missing',
      'body[].data.lockout-user: missing',
      'body[].data.lockout-username: missing',
    ],
    'as of each card by itself',
  ),
  ...each(
    ['cards embed'],
    ['body._embedded.author[].avatar_urls.128: missing', 'body._links.create-form[].targetHints: missing'],
    'a form says by its title what it makes',
  ),
  ...each(
    ['layout with cards', 'layout PUT'],
    ['body.cards[].position: object instead of list', 'body.cards[].size: object instead of list'],
    'Decision (0): a map is a map, when it is empty as well',
  ),
  ...each(
    ['card DELETE', 'delete'],
    ['Allow: GET, PUT, DELETE instead of none', 'with the header allow'],
    'what may be done there is said, where the record is gone as well',
  ),
  ...each(
    ['events bad period'],
    ['code: rest_invalid_param instead of secsuite-dashboard-events-invalid-period', 'status: 400 instead of 500'],
    'Decision (0): what the client caused is 400',
  ),
];
