// By what a letter is told from any other, in the form of an address: the moment first, so that files sort as they were written.
import { isIPv4 } from 'node:net';

/** `20261120T120000000Z` */
export const stamp = (date: Date): string => date.toISOString().replace(/[-:.]/g, '');

export const letterId = (date: Date, rest: string, host: string): string => `${stamp(date)}-${rest}@${host}`;

export const localPart = (id: string): string => id.slice(0, id.lastIndexOf('@'));

/** The host of a site as an email address has it: a number instead of a name stands in brackets. */
export function mailHost(url: string): string {
  const { hostname } = new URL(url);
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1)}`;
  return isIPv4(hostname) ? `[${hostname}]` : hostname;
}
