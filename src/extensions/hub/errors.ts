// Errors of hub, each code once.
import { defineError } from '#kernel/problem.ts';

export const hubErrors = {
  hubSiteNotFound: defineError(404, 'hub_site_not_found', 'This hub knows no such site.'),
  hubIsFull: defineError(409, 'hub_is_full', (maxSites: number) => `A hub looks after ${maxSites} sites at most.`),
  hubSiteExists: defineError(409, 'hub_site_exists', (name: string) => `There is a site called ${name} already.`),
  hubReplayed: defineError(
    409,
    'hub_replayed',
    'This message came before, so nothing was changed. Please send a new one.',
  ),
  hubTooOften: defineError(
    429,
    'hub_too_often',
    (most: number, remembered: number) => `A site may send ${most} messages in ${remembered} minutes. Please wait.`,
  ),
  hubWrongTime: defineError(
    403,
    'hub_wrong_time',
    (off: number, how: string) =>
      `The clock of this site is ${off} seconds ${how} that of the hub. Please set it, and try again.`,
  ),
  /** A site that is told so forgets its key: nothing else is answered with 401. */
  invalidApiKey: defineError(
    401,
    'invalid_api_key',
    'This hub knows no site by this key. "gatehouse hub add" makes a new one.',
  ),
  /** Perhaps it was started with a wrong folder: sites keep their keys until it is back. */
  hubIsEmpty: defineError(
    503,
    'hub_is_empty',
    'This hub knows no site at all yet. "gatehouse hub add" makes a key for one.',
  ),
  hubWrongSignature: defineError(
    403,
    'hub_wrong_signature',
    'The signature of this message is not that of its key and its body.',
  ),
  alreadyRegistered: defineError(
    409,
    'already_registered',
    (address: string) =>
      `This key belongs to ${address}. A copy of that site needs a key of its own, by "gatehouse hub add". If the site itself has moved, "gatehouse hub remove" first, then "add" with a new key.`,
  ),
};
