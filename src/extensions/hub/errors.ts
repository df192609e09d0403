// Errors of hub, each code once.
import { defineError } from '#kernel/problem.ts';

export const hubErrors = {
  hubSiteNotFound: defineError(404, 'hub_site_not_found', (id: number) => `Site ${id} does not exist on this hub.`),
  hubIsFull: defineError(409, 'hub_is_full', (maxSites: number) => `A hub can have at most ${maxSites} sites.`),
  hubSiteExists: defineError(409, 'hub_site_exists', (name: string) => `A site with the name ${name} exists already.`),
  hubReplayed: defineError(
    409,
    'hub_replayed',
    'The hub got this message before, so nothing was changed. Send a new message.',
  ),
  hubTooOften: defineError(
    429,
    'hub_too_often',
    (most: number, remembered: number) =>
      `A site can send at most ${most} messages in ${remembered} minutes. Please wait.`,
  ),
  hubWrongTime: defineError(
    403,
    'hub_wrong_time',
    (off: number, how: string) =>
      `The clock of this site is ${off} seconds ${how} that of the hub. Correct the clock and try again.`,
  ),
  /** A site that is told so forgets its key: nothing else is answered with 401. */
  invalidApiKey: defineError(
    401,
    'invalid_api_key',
    'The key is not valid on this hub. Create a new key with "gatehouse hub add".',
  ),
  /** Perhaps it was started with a wrong folder: sites keep their keys until it is back. */
  hubIsEmpty: defineError(503, 'hub_is_empty', 'This hub has no sites yet. Add a site with "gatehouse hub add".'),
  hubWrongSignature: defineError(
    403,
    'hub_wrong_signature',
    'The signature does not match the key and the body of this message.',
  ),
  alreadyRegistered: defineError(
    409,
    'already_registered',
    (address: string) =>
      `This key belongs to ${address}. For a copy of that site, create a key with "gatehouse hub add". If the site itself has moved, run "gatehouse hub remove" first, then "gatehouse hub add".`,
  ),
};
