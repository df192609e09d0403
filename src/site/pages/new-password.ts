// A new password, typed twice because nobody sees it.
import { type Html, html } from '#lib/html.ts';
import { faultChosen } from '../identity/passwords/passwords.ts';
import { field, textOf } from './forms.ts';

export interface PasswordFaults {
  readonly pass1?: string;
  readonly pass2?: string;
}

type Chosen = { readonly password: string } | { readonly faults: PasswordFaults };

export function newPassword(sent: Readonly<Record<string, unknown>>): Chosen {
  const password = textOf(sent, 'pass1');
  const fault = faultChosen(password);
  if (fault !== undefined) return { faults: { pass1: fault } };
  if (password === textOf(sent, 'pass2')) return { password };
  return { faults: { pass2: 'This is not the same as above. Please type both again.' } };
}

const hint = 'At least eight characters. A few words in a row are easy to keep in mind and hard to guess.';

export const passwordFields = ({ pass1, pass2 }: PasswordFaults, focus: boolean): Html => html`
${field({ name: 'pass1', label: 'New password', type: 'password', autocomplete: 'new-password', hint, fault: pass1, focus: focus || pass1 !== undefined || pass2 !== undefined })}
${field({ name: 'pass2', label: 'New password again', type: 'password', autocomplete: 'new-password', fault: pass2 })}`;
