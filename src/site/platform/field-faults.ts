// Faults of text fields that more than one noun has: accounts and the settings of the site both hold an email address.
import { formatOf } from '#kernel/args/formats.ts';
import type { Reason } from '#kernel/problem.ts';

export const maxEmailLength = 100;

export const noEmail: Reason = { code: 'rest_invalid_email', message: 'email must be an email address.' };

export function emailFault(email: string): Reason | undefined {
  if (email === '' || formatOf('email', false)!.accepts!(email)) return longerThan(maxEmailLength, 'email', email);
  return noEmail;
}

/** Counts characters as people see them, and no more of them than it needs to know. */
export function longerThan(most: number, field: string, text: string): Reason | undefined {
  if ([...text.slice(0, 2 * most + 1)].length <= most) return undefined;
  return { code: 'rest_too_long', message: `${field} must have at most ${most} characters.` };
}
