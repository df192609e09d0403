import { type Ask, type Command, Failed, type Family, given, json, WrongUse } from '#cli/command.ts';
import { consentOf, yes } from '#cli/consent.ts';
import { asked, login } from '#cli/people.ts';
import { aligned } from '#cli/table.ts';
import { typed } from '#cli/typed.ts';
import { printable, printableJson } from '#lib/printable.ts';
import type { ApplicationPassword } from '#site/identity/application-passwords/application-passwords.ts';
import { envOf } from '../config.ts';

const oneOf = ({ words }: Ask): string => {
  if (words.UUID !== undefined) return words.UUID;
  throw new WrongUse('Give the UUID of one, as "gatehouse app-password list" shows it, or --all.');
};

async function revokeAll(ask: Ask): Promise<number> {
  if (ask.words.UUID !== undefined) throw new WrongUse('Give UUID or --all, not both.');
  const consent = consentOf(ask);
  return ask.inSite(async ({ identity: { users, applicationPasswords } }) => {
    const user = await asked(ask, users);
    const { length } = await applicationPasswords.list(user);
    if (length > 0) await consent(`Revoke all ${length} application passwords of ${user.login}?`);
    ask.out(`Revoked: ${await applicationPasswords.revokeAll(user)}.`);
  });
}

async function revokeOne(ask: Ask): Promise<number> {
  const uuid = oneOf(ask);
  return ask.inSite(async ({ identity: { users, applicationPasswords } }) => {
    const { name } = await applicationPasswords.revoke(await asked(ask, users), uuid);
    ask.out(`Revoked: ${name}.`);
  });
}

const revoke: Command = {
  name: 'app-password revoke',
  about: 'Revokes an application password. A running site refuses it at once. This cannot be undone.',
  words: [
    login,
    {
      name: 'UUID',
      meaning: 'UUID of the application password, as "gatehouse app-password list" shows it',
      optional: true,
    },
  ],
  options: {
    all: { meaning: 'Revoke all application passwords of this user' },
    yes: { ...yes, meaning: 'With --all: do not ask for confirmation' },
  },
  run: (ask) => (ask.options.all === undefined ? revokeOne(ask) : revokeAll(ask)),
};

const heads = ['UUID', 'NAME', 'MADE', 'LAST USED', 'FROM'];

const cells = ({ uuid, name, created_at, last_used, last_ip }: ApplicationPassword): string[] =>
  [uuid, name, created_at.slice(0, 10), last_used?.slice(0, 10) ?? 'never', last_ip ?? ''].map(printable);

const list: Command = {
  name: 'app-password list',
  about: 'Lists the application passwords of a user, oldest first. The last use is updated once a day.',
  words: [login],
  options: { json },
  run: (ask) =>
    ask.inSite(async ({ identity: { users, applicationPasswords } }) => {
      const user = await asked(ask, users);
      const all = await applicationPasswords.list(user);
      if (ask.options.json !== undefined) return ask.out(printableJson(all));
      if (all.length === 0) return ask.note(`${user.login} has no application passwords.`);
      for (const line of aligned([heads, ...all.map(cells)])) ask.out(line);
    }),
};

const create: Command = {
  name: 'app-password create',
  about: `Creates an application password and prints only it to standard output. It cannot be shown again. Apps send it
with the login as Basic credentials, with or without the spaces.`,
  words: [login],
  options: {
    name: { value: 'text', meaning: 'Name of the password, for example the name of the app', required: true },
  },
  run: (ask) =>
    ask.inSite(async ({ identity: { users, applicationPasswords } }, config) => {
      const user = await asked(ask, users);
      if (!applicationPasswords.available) {
        const allow = `${envOf('allowInsecureCredentials')}=on`;
        throw new Failed(`Application passwords do not work at ${config.url} because it is not https; see ${allow}.`);
      }
      const { password, uuid } = await applicationPasswords.add(user, { name: given(ask.options, 'name') });
      ask.out(password);
      const revoke = typed(`app-password revoke ${user.login} ${uuid}`, config, ask.io.cwd);
      ask.note(`It is for ${user.login} and shown this once. To revoke it: ${revoke}`);
    }),
};

export const command: Family = {
  name: 'app-password',
  about:
    'Manages application passwords. Each lets one app act for a user. These commands work whether or not the site is running.',
  members: [
    { name: 'create', summary: 'Create an application password and print only it', command: create },
    { name: 'list', summary: 'List the application passwords of a user', command: list },
    { name: 'revoke', summary: 'Revoke one application password, or all of a user', command: revoke },
  ],
};
