// The commands about people.
import { type Ask, type Command, Failed, type Family, given, json, WrongUse } from '#cli/command.ts';
import { consentOf, yes } from '#cli/consent.ts';
import { asked, countAdministrators, demandSound, login, page, rolesIn, somebody } from '#cli/people.ts';
import { aligned } from '#cli/table.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { administrator } from '#site/identity/roles.ts';
import { lengthFault, loginFault } from '#site/identity/users/faults.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Users } from '#site/identity/users/users.ts';
import { keyOf } from '#site/identity/users/words.ts';
import { emailFault } from '#site/platform/field-faults.ts';
import { userCommands } from '../extensions/command-line.ts';
import { passwordOptions, passwordSource } from './password.ts';

interface Wanted {
  readonly login: string;
  readonly email: string;
  readonly name?: string;
  readonly roles?: readonly string[];
}

function wantedOf(ask: Ask): Wanted {
  const [login, email] = [given(ask.words, 'LOGIN'), given(ask.options, 'email')];
  const { name } = ask.options;
  demandSound('LOGIN', loginFault(login));
  demandSound('--email', emailFault(email));
  demandSound('--name', lengthFault('name', name ?? ''));
  const roles = rolesIn(ask, ask.lists.role ?? []);
  return { login, email, ...(name !== undefined && { name }), ...(roles.length > 0 && { roles }) };
}

/** Asked again when the user is added; here, so that nobody thinks of a password for nothing. */
async function refuseTaken(users: Users, { login, email }: Wanted): Promise<void> {
  for (const [place, text] of [
    ['LOGIN', login],
    ['--email', email],
  ] as const) {
    if (await users.named(text))
      throw new Failed(`Another user has the login or email address ${text}; choose another ${place}.`);
  }
}

const create: Command = {
  name: 'user create',
  about: `Creates a user. The command asks for the password. A script gives it with --password-stdin, or uses --generate, which prints
only a new password to standard output.`,
  words: [{ name: 'LOGIN', meaning: 'Name that the user signs in with' }],
  options: {
    email: { value: 'address', meaning: 'Email address of the user', required: true },
    role: { value: 'role', meaning: 'Role of the user (default: subscriber); can be repeated', many: true },
    name: { value: 'text', meaning: 'Public name of the user (default: the login)' },
    ...passwordOptions,
  },
  run: async (ask) => {
    const wanted = wantedOf(ask);
    const choose = await passwordSource(ask);
    return ask.inSite(async ({ identity: { users, passwordRule } }) => {
      await refuseTaken(users, wanted);
      const { password, generated } = await choose((one) => passwordRule.fault(one, wanted.roles ?? []));
      const user = await users.add({ ...wanted, password });
      if (generated) ask.out(password);
      ask.note(`Created ${user.login}, role ${user.roles.join(', ')}.`);
      if ((await countAdministrators(users)) > 0) return;
      ask.note(`No user has the role ${administrator} yet: gatehouse user set-role ${user.login} ${administrator}`);
    });
  },
};

/** So many are read, aligned and printed at a time, however many there are. */
const atOnce = 500;

async function* pagesOf(users: Users, { options, lists }: Ask): AsyncGenerator<User[]> {
  const { search } = options;
  const wanted = { ...(search !== undefined && { search }), ...(lists.role && { roles: lists.role }) };
  for (let offset = 0; ; offset += atOnce) {
    const { items } = await users.list({ ...page(atOnce, offset), ...wanted });
    if (items.length > 0) yield items;
    if (items.length < atOnce) return;
  }
}

const heads = ['LOGIN', 'NAME', 'EMAIL', 'ROLES', 'SINCE'];

const cells = ({ login, name, email, roles, registered_at }: User): string[] =>
  [login, name, email, roles.join(', '), registered_at.slice(0, 10)].map(printable);

async function printTable(pages: AsyncIterable<User[]>, { out, note }: Ask): Promise<void> {
  let head = [heads];
  for await (const users of pages) {
    for (const line of aligned([...head, ...users.map(cells)])) out(line);
    head = [];
  }
  if (head.length > 0) note('No users found.');
}

async function printJson(pages: AsyncIterable<User[]>, { out }: Ask): Promise<void> {
  let before = '[';
  for await (const users of pages) {
    for (const user of users) {
      out(`${before}${printableJson(user)}`);
      before = ',';
    }
  }
  out(before === '[' ? '[]' : ']');
}

const list: Command = {
  name: 'user list',
  about: 'Lists the users, oldest first.',
  options: {
    role: { value: 'role', meaning: 'Only users with this role; can be repeated', many: true },
    search: { value: 'text', meaning: 'Only users whose login, name or email address contains this text' },
    json,
  },
  run: async (ask) => {
    rolesIn(ask, ask.lists.role ?? []);
    return ask.inSite(async ({ identity: { users } }) => {
      const print = ask.options.json === undefined ? printTable : printJson;
      await print(pagesOf(users, ask), ask);
    });
  },
};

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

const show: Command = {
  name: 'user show',
  about: 'Shows a user.',
  words: [login],
  options: { json },
  run: (ask) =>
    ask.inSite(async ({ identity: { users, applicationPasswords } }) => {
      const user = await asked(ask, users);
      if (ask.options.json !== undefined) return ask.out(printableJson(user));
      const { length } = await applicationPasswords.list(user);
      for (const line of aligned(rows(user, length))) ask.out(line);
    }),
};

const setRole: Command = {
  name: 'user set-role',
  about: 'Replaces the roles of a user. The last administrator cannot lose the role.',
  words: [login, { name: 'ROLE', meaning: 'One or more roles of the deployment', many: true }],
  run: async (ask) => {
    const roles = rolesIn(ask, ask.lists.ROLE ?? []);
    return ask.inSite(async ({ identity: { users } }) => {
      const { login, roles: now } = await users.change(await asked(ask, users), { roles });
      ask.out(`${login} now has the role ${now.join(', ')}.`);
    });
  },
};

const setPassword: Command = {
  name: 'user set-password',
  about: `Sets a new password and signs the user out everywhere. The old password is not needed. Application passwords still work. The
command asks for the password. A script gives it with --password-stdin, or uses --generate.`,
  words: [login],
  options: passwordOptions,
  run: async (ask) => {
    const choose = await passwordSource(ask);
    return ask.inSite(async ({ identity: { users, passwordRule } }) => {
      const user = await asked(ask, users);
      const { password, generated } = await choose((one) => passwordRule.fault(one, user.roles));
      await users.change(user, { password });
      if (generated) ask.out(password);
      ask.note(`Set a new password for ${user.login} and signed the user out everywhere.`);
    });
  },
};

const setEmail: Command = {
  name: 'user set-email',
  about: `Changes the email address of a user and signs the user out everywhere. Links for a lost password then go to the new email
address. Application passwords still work.`,
  words: [login, { name: 'ADDRESS', meaning: 'New email address of the user' }],
  run: async (ask) => {
    const email = given(ask.words, 'ADDRESS');
    demandSound('ADDRESS', emailFault(email));
    return ask.inSite(async ({ identity: { users } }) => {
      const before = await asked(ask, users);
      const after = await users.change(before, { email });
      const isOther = keyOf(after.email) !== keyOf(before.email);
      ask.out(`Changed the email address of ${after.login} to ${after.email}.`);
      if (isOther) ask.note(`Signed ${after.login} out everywhere.`);
    });
  },
};

/** What becomes of their content is said each time: nobody should find out afterwards. */
function refuseUnclear({ options }: Ask): void {
  const ways = [options.reassign, options['delete-content']].filter((way) => way !== undefined);
  if (ways.length === 1) return;
  throw new WrongUse('Choose what happens to the content of the user: give --reassign LOGIN or --delete-content.');
}

const remove: Command = {
  name: 'user delete',
  about:
    'Deletes a user, with all sessions and application passwords. This cannot be undone. The last administrator cannot be deleted.',
  words: [login],
  options: {
    reassign: { value: 'login', meaning: 'Login of the user who gets the content' },
    'delete-content': { meaning: 'Delete the content of the user too' },
    yes,
  },
  run: async (ask) => {
    refuseUnclear(ask);
    const consent = consentOf(ask);
    return ask.inSite(async ({ identity: { users } }) => {
      const user = await asked(ask, users);
      const { reassign } = ask.options;
      const heir = reassign === undefined ? undefined : await somebody(users, reassign);
      if (heir?.id === user.id)
        throw new WrongUse('A user cannot get their own content; give another login with --reassign.');
      const content = heir === undefined ? 'with all their content' : `and give the content to ${heir.login}`;
      await consent(`Delete ${user.login} permanently, ${content}?`);
      await users.erase(user, heir?.id);
      ask.out(`${user.login} is deleted.`);
    });
  },
};

export const command: Family = {
  name: 'user',
  about: 'Manages the users of the site. These commands work whether or not it is running.',
  members: [
    { name: 'create', summary: 'Create a user', command: create },
    { name: 'list', summary: 'List all users, or those with a role', command: list },
    { name: 'show', summary: 'Show a user', command: show },
    { name: 'set-password', summary: 'Set a new password', command: setPassword },
    { name: 'set-email', summary: 'Change the email address of a user', command: setEmail },
    { name: 'set-role', summary: 'Replace the roles of a user', command: setRole },
    { name: 'delete', summary: 'Delete a user', command: remove },
    ...userCommands,
  ],
};
