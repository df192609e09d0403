// Plugins as they were recorded, replayed on both faces and both stores.
import { type Accepted, recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

const names = 'the plugins of this site have other names';
const writes = 'plugins are switched on and off once extensions are known by their slugs';
const blank = 'the recording left the description blank';
const read = ['Allow: GET instead of GET, POST'];
const noWrites = (recorded: string, status: number) => [
  `code: rest_no_route instead of ${recorded}`,
  `status: 404 instead of ${status}`,
];

const accepted: readonly Accepted[] = [
  { exchange: 'list', differs: read, why: writes },
  { exchange: 'plugins', differs: read, why: writes },
  {
    exchange: 'one',
    differs: ['status: 404 instead of 200', 'code: rest_plugin_not_found instead of none'],
    why: names,
  },
  { exchange: 'activate regenerate-thumbnails', differs: noWrites('none', 200), why: writes },
  { exchange: 'bad status', differs: noWrites('rest_invalid_param', 400), why: writes },
  { exchange: 'delete active', differs: noWrites('rest_cannot_delete_active_plugin', 400), why: writes },
  { exchange: 'install (blocked)', differs: noWrites('plugins_api_failed', 500), why: writes },
  { exchange: 'OPTIONS plugins', differs: read, why: writes },
  {
    exchange: 'OPTIONS plugins',
    differs: [
      'body.schema.properties.description.context: list instead of string',
      'body.schema.properties.description.properties: object instead of string',
      'body.schema.properties.description.readonly: boolean instead of string',
    ],
    why: blank,
  },
];

replayed({
  topic: 'plugins',
  exchanges: [
    ...recorded('plugins'),
    ...recorded('other-core').filter(({ name }) => name === 'plugins'),
    ...recorded('options').filter(({ name }) => name === 'OPTIONS plugins'),
  ],
  accepted,
});
