// Errors of hub-connector, each code once; and refusals of the hub that stay until the operator does something.
import { defineError, type Problem } from '#kernel/problem.ts';
import { allowingLine } from '#site/outgoing/destination.ts';
import { outgoingErrors } from '#site/outgoing/errors.ts';

export const hubConnectorErrors = {
  hubNotConfigured: defineError(409, 'hub_not_configured', 'Nobody has said yet where the hub is.'),
  notLoggedIn: defineError(409, 'not_logged_in', 'This site is not connected to a hub.'),
  invalidApiResponse: defineError(502, 'invalid_api_response', 'The hub answered something that makes no sense.'),
  apiError: defineError(
    502,
    'api_error',
    (status: number, hint: string) => `The hub answered with an error (${status}).${hint}`,
  ),
  apiTimeout: defineError(
    504,
    'api_error',
    'The hub is being asked already, and that takes too long. Please try again later.',
  ),
  invalidApiKeyOrExpired: defineError(
    409,
    'invalid_api_key_or_expired',
    'The hub does not take the key of this site any more. Please connect it again with a new one.',
  ),
  apiStopping: defineError(
    503,
    'api_error',
    'The site is just stopping, and did not wait for the hub. Please try again in a moment.',
    { headers: { 'Retry-After': '30' } },
  ),
  keyIsFixed: defineError(
    409,
    'key_is_fixed',
    'The key of the hub was laid down where this site is started, and is taken away only there.',
  ),
};

/** What is remembered of a refusal. A hub may say any code, but never with the status of the guard. */
export const whyOf = ({ status, code }: Problem): string => `${status} ${code}`;

/** The guard asks nobody at that address: neither the hub nor the key is at fault. */
export const unasked = '400 unsafe_url';
/** The hub knows the key as that of another address. */
export const othersKey = '502 already_registered';

export const unaskedRemedy = (url: string): string =>
  `If the address is right, start the site with ${allowingLine(url)}, beside what that variable names already.`;

export const notAsked = (url: string): Problem =>
  outgoingErrors
    .unsafeUrl()
    .saying(
      `This site asks nobody at the address of the hub, because it is not on the public web. ${unaskedRemedy(url)}`,
    );
