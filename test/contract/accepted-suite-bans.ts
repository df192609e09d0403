// Where the answers about bans differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';
import { each } from './recorded-suite.ts';

const bans: readonly Accepted[] = [
  ...each(
    ['OPTIONS bans', 'OPTIONS bans/database', 'OPTIONS bans/database/1'],
    [
      'body.schema.properties.id.readonly: more',
      'body.schema.properties.source.readonly: more',
      'body.schema.properties.label.readonly: more',
      'body.schema.properties.created_by.readonly: more',
      'body.schema.properties.created_at.readonly: more',
      'body.schema.properties.comment.readonly: more',
    ],
    'what cannot be set is said to be so',
  ),
  ...each(
    ['OPTIONS bans', 'OPTIONS bans/database', 'OPTIONS bans/database/1'],
    ['body.schema.properties.created_by.properties.id.type: string instead of list'],
    '2.1: the number of whoever made it is a text',
  ),
  ...each(
    ['OPTIONS bans', 'OPTIONS bans/database', 'OPTIONS bans/database/1'],
    ['body.schema.links[].title: more'],
    'each form has a title',
  ),
  {
    exchange: 'create empty',
    differs: ['status: 400 instead of 500', 'code: rest_missing_callback_param instead of secsuite_save_ban_failed'],
    why: 'Decision (2.3): a ban has to say whom',
  },
  {
    exchange: 'create host int',
    differs: ['body.data.details.host.data: object instead of null'],
    why: 'as everywhere, what the details are about is named',
  },
  ...each(
    ['per_page=1', 'created_after'],
    ['with the header link'],
    'Decision (2.2): what follows is told wherever more follows',
  ),
  {
    exchange: 'add-many missing',
    differs: ['status: 400 instead of 200', 'code: rest_missing_callback_param instead of none'],
    why: 'Decision (2.5): bans have to be sent',
  },
];

const bansMore: readonly Accepted[] = [
  ...each(
    ['create duplicate', 'create duplicate exact'],
    ['status: 409 instead of 500'],
    '2.3: what is there already is a conflict',
  ),
  {
    exchange: 'create missing host',
    differs: ['status: 400 instead of 500', 'code: rest_missing_callback_param instead of secsuite_save_ban_failed'],
    why: 'Decision (2.3): a ban has to say whom',
  },
  {
    exchange: 'create host int',
    differs: ['body.data.details.host.data: object instead of null'],
    why: 'as everywhere, what the details are about is named',
  },
  {
    exchange: 'list per_page=2',
    differs: ['with the header link'],
    why: 'Decision (2.2): what follows is told wherever more follows',
  },
];

export const accepted: Readonly<Record<string, readonly Accepted[]>> = { bans, 'bans-more': bansMore };
