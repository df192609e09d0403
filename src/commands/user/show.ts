import { printable, printableJson } from '#lib/printable.ts';
import type { User } from '#site/identity/users/user.ts';
import { flagNames } from '../../config.ts';
import { type Command, json } from '../command.ts';
import { inSite } from '../opened.ts';
import { asked, login } from '../people.ts';
import { aligned } from '../table.ts';

const rows = (user: User, applicationPasswords: number): string[][] =>
  [
    ['Login', user.login],
    ['Name', user.name],
    ['Email address', user.email || 'none'],
    ['Roles', user.roles.join(', ') || 'none'],
    ['Since', user.registered_at],
    ['Slug', user.slug],
    ['Id', String(user.id)],
    ['Application passwords', String(applicationPasswords)],
  ].map((row) => row.map(printable));

export const command: Command = {
  name: 'user show',
  about: 'Shows what is known of somebody.',
  settings: flagNames,
  words: [login],
  options: { json },
  run: (ask) =>
    inSite(ask, async ({ identity: { users, applicationPasswords } }) => {
      const user = await asked(ask, users);
      if (ask.options.json !== undefined) return ask.out(printableJson(user));
      const { length } = await applicationPasswords.list(user);
      for (const line of aligned(rows(user, length))) ask.out(line);
    }),
};
