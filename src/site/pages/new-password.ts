// A new password, typed twice because nobody sees it.
import { type Html, html } from '#lib/html.ts';
import type { Identity } from '../identity/identity.ts';
import type { User } from '../identity/users/user.ts';
import { field, textOf } from './forms.ts';

export interface PasswordFaults {
  readonly pass1?: string;
  readonly pass2?: string;
}

type Chosen = { readonly password: string } | { readonly faults: PasswordFaults };

type Rule = Pick<Identity, 'passwordRule'>;
type Owner = Pick<User, 'roles'>;

export async function newPassword(
  sent: Readonly<Record<string, unknown>>,
  { roles }: Owner,
  { passwordRule }: Rule,
): Promise<Chosen> {
  const password = textOf(sent, 'pass1');
  const fault = await passwordRule.fault(password, roles);
  if (fault !== undefined) return { faults: { pass1: fault } };
  if (password === textOf(sent, 'pass2')) return { password };
  return { faults: { pass2: 'The two passwords differ. Please type both again.' } };
}

const hintFor = (shortest: number): string =>
  `At least ${shortest} characters. A few words in a row are easy to remember and hard to guess.`;

export const passwordFields = (
  { pass1, pass2 }: PasswordFaults,
  focus: boolean,
  { roles }: Owner,
  { passwordRule }: Rule,
): Html => html`
${field({ name: 'pass1', label: 'New password', type: 'password', autocomplete: 'new-password', hint: hintFor(passwordRule.shortestFor(roles)), fault: pass1, focus: focus || pass1 !== undefined || pass2 !== undefined })}
${field({ name: 'pass2', label: 'New password again', type: 'password', autocomplete: 'new-password', fault: pass2 })}`;
