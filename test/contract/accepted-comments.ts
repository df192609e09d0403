// Where the answers about comments differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';

export const accepted: readonly Accepted[] = [
  {
    exchange: 'bad email',
    differs: ['Allow: GET instead of GET, POST'],
    why: 'Arguments that do not fit are not looked at: what the comment would be about is not known',
  },
  {
    exchange: 'OPTIONS comments',
    differs: [
      'body.endpoints[].args.content.type: list instead of string',
      'body.schema.properties.content.type: list instead of string',
    ],
    why: 'Decision (3.4): texts are sent as they are or as an object, and the descriptor says so',
  },
];
