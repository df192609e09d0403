// Where the answers about who is asking differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';

type Topic = 'users' | 'application-passwords' | 'cookie-nonce-auth' | 'errors-auth-routing-body' | 'options';

interface Row extends Accepted {
  readonly topic: Topic;
}

const strict = 'Decision (2.5): credentials that are no good are refused everywhere, on public routes too';
const refused = ['status: 401 instead of 200', 'code: incorrect_password instead of none'];

/** What every record of an application password has besides. */
const limits = (where: string): string[] => [`${where}.enabled_for: more`, `${where}.rest_api_permissions: more`];
const limited = 'Beyond the document (suite, 9.2): an application password says what it may do';
const ofPasswords = (where: string, ...exchanges: readonly string[]): Row[] =>
  exchanges.map((exchange) => ({
    topic: 'application-passwords',
    exchange,
    differs: limits(where),
    why: limited,
  }));

const factNames = ['2fa', 'edit_user_link', 'last_seen', 'password_changed', 'password_strength', 'passwordless_login'];
/** What records of users have besides for those who may change them. */
export const suiteFacts = (where: string): string[] => factNames.map((name) => `${where}.secsuite_${name}: more`);
export const suiteAdds = 'Beyond the document (suite, 9.2): the suite adds to users';
/** Schemas do not list what is in `meta`. */
const ofSchemas = (where: string, ...exchanges: readonly string[]): Row[] =>
  exchanges.map((exchange) => ({ topic: 'options', exchange, differs: suiteFacts(where), why: suiteAdds }));
export const recordFacts = (where: string): string[] => [
  `${where}.meta._secsuite_primary_dashboard: more`,
  ...suiteFacts(where),
];
const ofUsers = (where: string, ...exchanges: readonly string[]): Row[] =>
  exchanges.map((exchange) => ({ topic: 'users', exchange, differs: recordFacts(where), why: suiteAdds }));

export const accepted: readonly Row[] = [
  ...ofUsers('body', 'me edit', 'one edit', 'create', 'update', 'update own name subscriber'),
  ...ofUsers('body[]', 'list edit'),
  ...ofSchemas('body.schema.properties', 'OPTIONS users', 'OPTIONS users/me'),
  ...ofPasswords('body', 'create', 'get', 'introspect', 'duplicate name', 'update', 'update empty', 'edit context'),
  ...ofPasswords('body[]', 'list'),
  ...ofPasswords('body.previous', 'delete one'),
  {
    topic: 'options',
    exchange: 'OPTIONS users/(id)/application-passwords',
    differs: limits('body.schema.properties'),
    why: limited,
  },
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
