import { flagNames } from '../../config.ts';
import { type Ask, type Command, WrongUse } from '../command.ts';
import { consentOf, yes } from '../consent.ts';
import { inSite } from '../opened.ts';
import { asked, login } from '../people.ts';

const oneOf = ({ words }: Ask): string => {
  if (words.UUID !== undefined) return words.UUID;
  throw new WrongUse('Say which: UUID, as "gatehouse app-password list" shows it, or --all.');
};

async function revokeAll(ask: Ask): Promise<number> {
  if (ask.words.UUID !== undefined) throw new WrongUse('Give UUID or --all, not both.');
  const consent = consentOf(ask);
  return inSite(ask, async ({ identity: { users, applicationPasswords } }) => {
    const user = await asked(ask, users);
    const { length } = await applicationPasswords.list(user);
    if (length > 0) await consent(`Revoke all ${length} application passwords of ${user.login}?`);
    ask.out(`Revoked: ${await applicationPasswords.revokeAll(user)}.`);
  });
}

async function revokeOne(ask: Ask): Promise<number> {
  const uuid = oneOf(ask);
  return inSite(ask, async ({ identity: { users, applicationPasswords } }) => {
    const { name } = await applicationPasswords.revoke(await asked(ask, users), uuid);
    ask.out(`Revoked: ${name}.`);
  });
}

export const command: Command = {
  name: 'app-password revoke',
  about: 'Revokes an application password for good; a site that is serving refuses it from then on.',
  settings: flagNames,
  words: [login, { name: 'UUID', meaning: 'The one to revoke, as "list" shows it', optional: true }],
  options: { all: { meaning: 'All of this user' }, yes: { ...yes, meaning: 'With --all: do it without asking' } },
  run: (ask) => (ask.options.all === undefined ? revokeOne(ask) : revokeAll(ask)),
};
