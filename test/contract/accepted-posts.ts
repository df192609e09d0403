// Where the answers about posts differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';

const refused = 'Decision (3.4): texts of other types are refused';
const cleared =
  'core.md 3.4: the usual category is given only where nothing was said of categories when the post was made';
const numbered = 'that nobody chooses the number of what is new is judged after permission, which Allow tells of';
const jsonp = 'Decision (1.7): answers are never scripts';

export const accepted: readonly Accepted[] = [
  {
    exchange: 'create unknown category',
    differs: ['code: rest_invalid_param instead of none', 'status: 400 instead of 201'],
    why: 'a term that does not exist is refused: dropped without a word, its author never learns of it',
  },
  {
    exchange: 'after feb 30',
    differs: ['code: rest_invalid_param instead of none', 'status: 400 instead of 200'],
    why: 'a day that the month does not have is refused and not taken for another',
  },
  {
    exchange: 'OPTIONS blocks',
    differs: [
      'body.endpoints[].args.meta.properties.wp_pattern_sync_status.title: missing',
      'body.schema.properties.meta.properties.wp_pattern_sync_status.title: missing',
      'body.schema.properties.wp_pattern_sync_status: more',
    ],
    why: 'a field that blocks have (3.6) is in their schema, and titles are for people',
  },
  {
    exchange: 'OPTIONS posts/(id)/revisions',
    differs: ['date', 'date_gmt'].map((name) => `body.schema.properties.${name}.type: list instead of string`),
    why: 'an autosave of a draft has no date (3.7)',
  },
  { exchange: '_jsonp', differs: ['body: list instead of undefined'], why: jsonp },
  {
    exchange: '_jsonp bad',
    differs: ['status: 200 instead of 400', 'code: none instead of rest_callback_invalid'],
    why: jsonp,
  },
  { exchange: 'create existing id', differs: ['Allow: GET, POST instead of GET'], why: numbered },
  { exchange: 'create id in body', differs: ['Allow: GET, POST instead of GET'], why: numbered },
  {
    exchange: 'delete -> trash',
    differs: ['body.categories: an empty list instead of a list of some'],
    why: cleared,
  },
  {
    exchange: 'untrash by status',
    differs: ['body.categories: an empty list instead of a list of some'],
    why: cleared,
  },
  {
    exchange: 'delete force',
    differs: ['body.previous.categories: an empty list instead of a list of some'],
    why: cleared,
  },
  ...['int', 'true'].map((kind) => ({
    exchange: `create title ${kind}`,
    differs: ['code: rest_invalid_param instead of empty_content', 'body.data.details: more', 'body.data.params: more'],
    why: refused,
  })),
  {
    exchange: 'create content int',
    differs: ['status: 400 instead of 201', 'code: rest_invalid_param instead of none'],
    why: refused,
  },
  {
    exchange: 'create categories null',
    differs: ['body.categories: a list of some instead of an empty list'],
    why: 'null is as good as not sent where it is no value (1.5), so the post gets the usual category',
  },
];
