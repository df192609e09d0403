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
    if (await users.named(text)) throw new Failed(`Somebody signs in with ${text} already; choose another ${place}.`);
  }
}

const create: Command = {
  name: 'user create',
  about: `Adds somebody who can sign in. The password is asked for; a script gives it with --password-stdin, or has one made
with --generate, which is then all that stands on standard output.`,
  words: [{ name: 'LOGIN', meaning: 'The name to sign in with' }],
  options: {
    email: { value: 'address', meaning: 'Their email address', required: true },
    role: { value: 'role', meaning: 'A role of theirs, subscriber without it; may be given several times', many: true },
    name: { value: 'text', meaning: 'The name people see; the login without it' },
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
      ask.note(`${user.login} can sign in now, as ${user.roles.join(', ')}.`);
      if ((await countAdministrators(users)) > 0) return;
      ask.note(`Nobody here is ${administrator} yet: gatehouse user set-role ${user.login} ${administrator}`);
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
  if (head.length > 0) note('There is nobody to list.');
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
  about: 'Lists the users, the oldest first.',
  options: {
    role: { value: 'role', meaning: 'Only holders of this role; may be given several times', many: true },
    search: { value: 'text', meaning: 'Only those whose login, name or email address holds this' },
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
  about: 'Shows what is known of somebody.',
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
  about: 'Gives somebody these roles in place of those they had. The site always keeps an administrator.',
  words: [login, { name: 'ROLE', meaning: 'One or several roles of the deployment', many: true }],
  run: async (ask) => {
    const roles = rolesIn(ask, ask.lists.ROLE ?? []);
    return ask.inSite(async ({ identity: { users } }) => {
      const { login, roles: now } = await users.change(await asked(ask, users), { roles });
      ask.out(`${login} is ${now.join(', ')} now.`);
    });
  },
};

const setPassword: Command = {
  name: 'user set-password',
  about: `Sets a new password without the old one, and signs the user out everywhere. Application passwords stay. The password
is asked for; a script gives it with --password-stdin, or has one made with --generate.`,
  words: [login],
  options: passwordOptions,
  run: async (ask) => {
    const choose = await passwordSource(ask);
    return ask.inSite(async ({ identity: { users, passwordRule } }) => {
      const user = await asked(ask, users);
      const { password, generated } = await choose((one) => passwordRule.fault(one, user.roles));
      await users.change(user, { password });
      if (generated) ask.out(password);
      ask.note(`${user.login} has a new password and is signed out everywhere.`);
    });
  },
};

const setEmail: Command = {
  name: 'user set-email',
  about: `Gives somebody another email address and signs them out everywhere. Links for a lost password go to the new one from
then on. Application passwords stay.`,
  words: [login, { name: 'ADDRESS', meaning: 'Their new email address' }],
  run: async (ask) => {
    const email = given(ask.words, 'ADDRESS');
    demandSound('ADDRESS', emailFault(email));
    return ask.inSite(async ({ identity: { users } }) => {
      const before = await asked(ask, users);
      const after = await users.change(before, { email });
      const isOther = keyOf(after.email) !== keyOf(before.email);
      ask.out(`The email address of ${after.login} is ${after.email} now.`);
      if (isOther) ask.note(`${after.login} is signed out everywhere.`);
    });
  },
};

/** What becomes of their content is said each time: nobody should find out afterwards. */
function refuseUnclear({ options }: Ask): void {
  const ways = [options.reassign, options['delete-content']].filter((way) => way !== undefined);
  if (ways.length === 1) return;
  throw new WrongUse('Say what becomes of their content: --reassign LOGIN or --delete-content, one of them.');
}

const remove: Command = {
  name: 'user delete',
  about: 'Removes somebody for good, with their sessions and application passwords. The last administrator stays.',
  words: [login],
  options: {
    reassign: { value: 'login', meaning: 'Who gets what is theirs' },
    'delete-content': { meaning: 'Remove what is theirs as well' },
    yes,
  },
  run: async (ask) => {
    refuseUnclear(ask);
    const consent = consentOf(ask);
    return ask.inSite(async ({ identity: { users } }) => {
      const user = await asked(ask, users);
      const { reassign } = ask.options;
      const heir = reassign === undefined ? undefined : await somebody(users, reassign);
      if (heir?.id === user.id) throw new WrongUse('Nobody can leave what is theirs to themselves.');
      const content = heir === undefined ? 'with all content of theirs' : `and give the content to ${heir.login}`;
      await consent(`Delete ${user.login} for good, ${content}?`);
      await users.erase(user, heir?.id);
      ask.out(`${user.login} is deleted.`);
    });
  },
};

export const command: Family = {
  name: 'user',
  about: 'The people of the site. These commands work on its data, whether it is serving or not.',
  members: [
    { name: 'create', summary: 'Add somebody', command: create },
    { name: 'list', summary: 'List everybody, or those with a role', command: list },
    { name: 'show', summary: 'Show what is known of somebody', command: show },
    { name: 'set-password', summary: 'Set a new password; also when the old one is lost', command: setPassword },
    { name: 'set-email', summary: 'Give somebody another email address', command: setEmail },
    { name: 'set-role', summary: 'Give somebody other roles', command: setRole },
    { name: 'delete', summary: 'Remove somebody for good', command: remove },
    ...userCommands,
  ],
};
