// Why the hub was told in vain, where asking again does not help.
import { Problem } from '#kernel/problem.ts';
import { portOf } from '#site/outgoing/destination.ts';

/** What is remembered of a refusal. A hub may say any code, but never with the status of the guard. */
export const whyOf = ({ status, code }: Problem): string => `${status} ${code}`;

/** The guard asks nobody at that address: neither the hub nor the key is at fault. */
export const unasked = '400 unsafe_url';
/** The hub knows the key as that of another address. */
export const othersKey = '502 already_registered';

/** The line of the environment that lets a site ask the hub at this address. */
export function leaveFor(url: string): string {
  const address = new URL(url);
  return `GATEHOUSE_FETCH_ALLOW_HOSTS=${address.hostname}:${portOf(address)}`;
}

export const unaskedRemedy = (url: string): string =>
  `If the address is right, start the site with ${leaveFor(url)}, beside what that variable names already.`;

export const notAsked = (url: string): Problem =>
  new Problem(
    400,
    'unsafe_url',
    `This site asks nobody at the address of the hub, because it is not on the public web. ${unaskedRemedy(url)}`,
  );
