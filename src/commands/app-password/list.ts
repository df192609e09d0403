import { printable, printableJson } from '#lib/printable.ts';
import type { ApplicationPassword } from '#site/identity/application-passwords/application-passwords.ts';
import { flagNames } from '../../config.ts';
import { type Command, json } from '../command.ts';
import { inSite } from '../opened.ts';
import { asked, login } from '../people.ts';
import { aligned } from '../table.ts';

const heads = ['UUID', 'NAME', 'MADE', 'LAST USED', 'FROM'];

const cells = ({ uuid, name, created_at, last_used, last_ip }: ApplicationPassword): string[] =>
  [uuid, name, created_at.slice(0, 10), last_used?.slice(0, 10) ?? 'never', last_ip ?? ''].map(printable);

export const command: Command = {
  name: 'app-password list',
  about: 'Lists the application passwords of a user, the oldest first. A use is written down once a day.',
  settings: flagNames,
  words: [login],
  options: { json },
  run: (ask) =>
    inSite(ask, async ({ identity: { users, applicationPasswords } }) => {
      const user = await asked(ask, users);
      const all = await applicationPasswords.list(user);
      if (ask.options.json !== undefined) return ask.out(printableJson(all));
      if (all.length === 0) return ask.note(`${user.login} has no application passwords.`);
      for (const line of aligned([heads, ...all.map(cells)])) ask.out(line);
    }),
};
