// Plugins as they were recorded, replayed.
import { type Accepted, recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

const names = 'the plugins of this site have other names';
const blank = 'the recording left the description blank';
const absent = 'code: rest_plugin_not_found instead of';

const accepted: readonly Accepted[] = [
  { exchange: 'one', differs: ['status: 404 instead of 200', `${absent} none`], why: names },
  { exchange: 'install (blocked)', differs: ['status: 404 instead of 500'], why: 'what nobody has is not found' },
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
