// What a user's details may be. One list, for whoever is told about it: a client by argument, a person at the command line.

import { invalidParam } from '#kernel/errors.ts';
import type { Reason } from '#kernel/problem.ts';
import { keysOf } from '#lib/objects.ts';
import { defaultLanguage } from '#lib/site-settings.ts';
import { emailFault, longerThan, maxEmailLength } from '../../platform/field-faults.ts';
import type { Checks } from '../checks.ts';
import type { PasswordRule } from '../passwords/rule.ts';
import type { NewUser, User } from './user.ts';

/** Letters of other scripts look like these and are not: a name to sign in with has none of them. */
const loginSigns = /^[A-Za-z0-9 _.@-]{1,60}$/;
const blanks = /^ | $| {2}/;

export function loginFault(login: string): Reason | undefined {
  if (loginSigns.test(login) && !blanks.test(login)) return undefined;
  const message = 'A user name can have 1 to 60 characters: letters a to z, digits, _ . @ - and single spaces.';
  return { code: 'rest_user_invalid_username', message, data: { status: 400 } };
}

const maxLengths = {
  name: 250,
  first_name: 250,
  last_name: 250,
  nickname: 250,
  slug: 100,
  url: 100,
  email: maxEmailLength,
  description: 20_000,
} as const;

export type BoundedField = keyof typeof maxLengths;

export const lengthFault = (field: BoundedField, text: string): Reason | undefined =>
  longerThan(maxLengths[field], field, text);

const bounded = keysOf(maxLengths);

export const passwordReason = (message: string): Reason => ({
  code: 'rest_user_invalid_password',
  message,
  data: { status: 400 },
});

interface Speaking {
  readonly language: string;
}
/** What the site says of itself, now. */
export type Spoken = () => Speaking | Promise<Speaking>;

interface Judges {
  readonly passwordRule: PasswordRule;
  readonly checks: Checks;
  readonly about: Spoken;
}

/** Throws what is wrong with any of it. `whose`: the user it becomes part of. */
export async function demandSound(
  user: Partial<NewUser>,
  { passwordRule, checks, about }: Judges,
  whose?: Pick<User, 'id' | 'roles'>,
): Promise<void> {
  const { login, email, name, roles, password, locale = '' } = user;
  if (login !== undefined) refuse('username', loginFault(login));
  if (email !== undefined) refuse('email', emailFault(email));
  const fault =
    password === undefined
      ? undefined
      : ((await passwordRule.fault(password, roles ?? whose?.roles ?? [])) ??
        (await checks.password({ password, id: whose?.id, login, email, name, roles })));
  if (fault !== undefined) refuse('password', passwordReason(fault));
  if (!['', defaultLanguage].includes(locale) && locale !== (await about()).language)
    refuse('locale', { code: 'rest_not_in_enum', message: 'locale must be a language of this site.' });
  for (const field of bounded) refuse(field, lengthFault(field, user[field] ?? ''));
}

function refuse(param: string, fault: Reason | undefined): void {
  if (fault !== undefined) throw invalidParam(param, fault);
}
