// Where the answers about who is asking differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';

type Topic = 'users' | 'application-passwords' | 'cookie-nonce-auth' | 'errors-auth-routing-body' | 'options';

interface Row extends Accepted {
  readonly topic: Topic;
}

export const accepted: readonly Row[] = [];
