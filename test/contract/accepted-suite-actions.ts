// Where the answers about what is done with many users differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';

export const accepted: readonly Accepted[] = [
  {
    exchange: 'send-2fa-reminder',
    differs: ['status: 400 instead of 204', 'code: rest_invalid_param instead of none'],
    why: '§9: the contract knows no such action',
  },
  {
    exchange: 'actions and _fields',
    differs: ['status: 204 instead of 500', 'code: none instead of internal_server_error'],
    why: 'this broke there',
  },
  {
    exchange: 'PUT /wp-json/secsuite/v1/user-matchable-settings/819e1b94-036d-4f69-bb82-f828df6f16c8',
    differs: ['body.pro-two-factor: missing'],
    why: 'Decision (5.3): what extends a module is part of it',
  },
];
