// The words of a profile as they are kept: clean of tags, and with what is derived from them.
import { formatOf } from '#kernel/args/formats.ts';
import { fold } from '#lib/fold.ts';
import { withoutSteering } from '#lib/printable.ts';
import type { UserRow } from './rows.ts';
import type { Profile } from './user.ts';

const cleaner = (format: string, plain: (text: string) => string) => {
  const clean = formatOf(format, false)!.clean!;
  return (text: string): string => plain(clean(text)).trim();
};
const line = cleaner('text-field', withoutSteering);
const lines = cleaner('textarea-field', (text) =>
  text
    .split(/(?<=[\t\n\r])|(?=[\t\n\r])/)
    .map(butBreaks)
    .join(''),
);
const address = cleaner('uri', withoutSteering);
const butBreaks = (part: string): string => (/^[\t\n\r]$/.test(part) ? part : withoutSteering(part));

const cleaned = {
  name: line,
  first_name: line,
  last_name: line,
  nickname: line,
  url: address,
  description: lines,
  locale: line,
} as const;

type Words = { [K in keyof typeof cleaned]: string };

const cleanWords = (profile: Partial<Profile>): Partial<Words> =>
  Object.fromEntries(
    Object.entries(cleaned).flatMap(([field, clean]) => {
      const text = profile[field as keyof Words];
      return text === undefined ? [] : [[field, clean(text)]];
    }),
  );

const emailOf = (email: string) => ({ email, email_key: email === '' ? null : keyOf(email) });

/** As a login or an email address is compared. */
export const keyOf = (text: string): string => text.toLowerCase();

/** What a new row holds of these words. A name that is not given is made of the others. */
export function newWords(login: string, profile: Partial<Profile>) {
  const { first_name = '', last_name = '', ...words } = cleanWords(profile);
  const name = words.name || `${first_name} ${last_name}`.trim() || login;
  return {
    url: '',
    description: '',
    locale: '',
    ...words,
    nickname: words.nickname || login,
    first_name,
    last_name,
    name,
    name_key: fold(name),
    login,
    login_key: keyOf(login),
    ...emailOf(profile.email ?? ''),
  };
}

/** What changes in a row; only what is said, and a name that is taken away is made anew. */
export function changedWords(before: UserRow, profile: Partial<Profile>) {
  const words = cleanWords(profile);
  const email = profile.email === undefined ? {} : emailOf(profile.email);
  const nickname = words.nickname === '' ? { nickname: before.login } : {};
  if (words.name === undefined) return { ...words, ...nickname, ...email };
  const after = { ...before, ...words };
  const name = words.name || `${after.first_name} ${after.last_name}`.trim() || before.login;
  return { ...words, ...nickname, name, name_key: fold(name), ...email };
}
