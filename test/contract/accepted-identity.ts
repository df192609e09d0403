// Where the answers about who is asking differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';

type Topic = 'users' | 'application-passwords' | 'cookie-nonce-auth' | 'errors-auth-routing-body' | 'options';

interface Row extends Accepted {
  readonly topic: Topic;
}

const strict = 'Decision (2.5): credentials that are no good are refused everywhere, on public routes too';
const refused = ['status: 401 instead of 200', 'code: incorrect_password instead of none'];

export const accepted: readonly Row[] = [
  { topic: 'errors-auth-routing-body', exchange: 'wrong application password', differs: refused, why: strict },
  { topic: 'errors-auth-routing-body', exchange: 'unknown user', differs: refused, why: strict },
  { topic: 'errors-auth-routing-body', exchange: 'basic with real account password', differs: refused, why: strict },
  { topic: 'errors-auth-routing-body', exchange: 'malformed basic', differs: refused, why: strict },
  {
    topic: 'errors-auth-routing-body',
    exchange: 'bearer',
    differs: [
      'code: incorrect_password instead of rest_not_logged_in',
      'Allow: none instead of GET',
      'without the header allow',
      'with the header cache-control',
    ],
    why: 'Decision (2.5): a Bearer credential is refused where no route declares one; refused credentials are not stored',
  },
];
