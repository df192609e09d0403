// A whole extension, as small as one can be and still use everything a resource has.
import type { Entry } from '#site/extension.ts';
import { createGreetings } from './greetings.ts';
import { type Hello, routes } from './routes.ts';
import { tables } from './tables.ts';

export const hello: Entry<Hello> = (tools) => ({
  name: 'hello',
  tables,
  capabilities: ['hello_write', 'hello_edit'],
  nouns: ({ store, clock }) => ({ greetings: createGreetings({ store, clock, tools }) }),
  routes: { 'hello/v1': routes(tools) },
});
