// Where the answers about who is asking differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';

type Topic = 'users' | 'application-passwords' | 'cookie-nonce-auth' | 'errors-auth-routing-body' | 'options';

interface Row extends Accepted {
  readonly topic: Topic;
}

const strict = 'Decision (2.5): credentials that are no good are refused everywhere, on public routes too';
const published = 'visibility by published posts comes with content';
const posts = 'posts come with content';
const refused = ['status: 401 instead of 200', 'code: incorrect_password instead of none'];
const noneListed = ['body: an empty list instead of a list of some'];

export const accepted: readonly Row[] = [
  { topic: 'users', exchange: 'list anonymous', differs: noneListed, why: published },
  { topic: 'users', exchange: 'has_published_posts', differs: noneListed, why: published },
  { topic: 'users', exchange: 'slug', differs: noneListed, why: published },
  {
    topic: 'users',
    exchange: 'one anonymous',
    differs: ['status: 401 instead of 200', 'code: rest_user_cannot_view instead of none'],
    why: published,
  },
  {
    topic: 'cookie-nonce-auth',
    exchange: 'create with nonce',
    differs: ['status: 404 instead of 201', 'code: rest_no_route instead of none'],
    why: posts,
  },
  {
    topic: 'cookie-nonce-auth',
    exchange: 'create without nonce',
    differs: ['status: 404 instead of 401', 'code: rest_no_route instead of rest_cannot_create'],
    why: posts,
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
