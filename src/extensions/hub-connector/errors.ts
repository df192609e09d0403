// Errors of hub-connector, each code once; and refusals of the hub that stay until the operator does something.
import { defineError, type Problem } from '#kernel/problem.ts';
import { allowingLine } from '#site/outgoing/destination.ts';
import { outgoingErrors } from '#site/outgoing/errors.ts';

export const hubConnectorErrors = {
  hubNotConfigured: defineError(
    409,
    'hub_not_configured',
    'This site has no URL of a hub. Set `url` and `key` in the settings group `hub`.',
  ),
  notLoggedIn: defineError(409, 'not_logged_in', 'This site is not connected to a hub.'),
  invalidApiResponse: defineError(502, 'invalid_api_response', 'The answer of the hub is not valid.'),
  apiError: defineError(
    502,
    'api_error',
    (status: number, hint: string) => `The hub answered with an error (${status}).${hint}`,
  ),
  apiTimeout: defineError(
    504,
    'api_error',
    'Another report to the hub is running and takes too long. Try again in 1 minute.',
  ),
  invalidApiKeyOrExpired: defineError(
    409,
    'invalid_api_key_or_expired',
    'The hub no longer accepts the key of this site. Connect the site again with a new key.',
  ),
  apiStopping: defineError(
    503,
    'api_error',
    'The site is stopping, so the hub got no report. Try again in 30 seconds.',
    { headers: { 'Retry-After': '30' } },
  ),
  keyIsFixed: defineError(
    409,
    'key_is_fixed',
    'The key of the hub is set by an environment variable or a flag, so you can remove it only there.',
  ),
};

/** What is remembered of a refusal. A hub may say any code, but never with the status of the guard. */
export const whyOf = ({ status, code }: Problem): string => `${status} ${code}`;

/** The guard asks nobody at that address: neither the hub nor the key is at fault. */
export const unasked = '400 unsafe_url';
/** The hub knows the key as that of another address. */
export const othersKey = '502 already_registered';

export const unaskedRemedy = (url: string): string =>
  `If the URL is correct, start the site with ${allowingLine(url)}, and keep the other hosts of that variable.`;

export const notAsked = (url: string): Problem =>
  outgoingErrors
    .unsafeUrl()
    .saying(`This site does not contact the hub, because its URL is not on the public web. ${unaskedRemedy(url)}`);
