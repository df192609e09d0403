import { printable, printableJson } from '#lib/printable.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Users } from '#site/identity/users/users.ts';
import { flagNames } from '../../config.ts';
import { type Ask, type Command, json } from '../command.ts';
import { inSite } from '../opened.ts';
import { page, rolesIn } from '../people.ts';
import { aligned } from '../table.ts';

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

export const command: Command = {
  name: 'user list',
  about: 'Lists the users, the oldest first.',
  settings: flagNames,
  options: {
    role: { value: 'role', meaning: 'Only holders of this role; may be given several times', many: true },
    search: { value: 'text', meaning: 'Only those whose login, name or email address holds this' },
    json,
  },
  run: async (ask) => {
    rolesIn(ask, ask.lists.role ?? []);
    return inSite(ask, async ({ identity: { users } }) => {
      const print = ask.options.json === undefined ? printTable : printJson;
      await print(pagesOf(users, ask), ask);
    });
  },
};
