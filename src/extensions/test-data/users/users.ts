// People whom nobody knows. Nobody can sign in as them either: their passwords are drawn by chance and told to nobody.
import type { Faker } from '@faker-js/faker';
import type { Asker } from '#kernel/schema.ts';
import { fold } from '#lib/fold.ts';
import { day } from '#lib/spans.ts';
import type { Identity } from '#site/identity/identity.ts';
import { administrator } from '#site/identity/roles.ts';
import type { OneOfMany } from '#site/identity/users/user.ts';
import { testDataErrors } from '../errors.ts';
import { between, openFake } from '../fake.ts';
import type { Generator, Item } from '../generator.ts';
import { madeMark, madeOf } from '../marks.ts';

export interface UsersWanted {
  readonly role: string;
}

interface Needs {
  readonly identity: Pick<Identity, 'users' | 'roles'>;
  /** Whether administrators may be among them. */
  readonly allowsAdministrators: boolean;
  /** By chance, and never by a seed. */
  newPassword(): string;
}

const domains = ['example.com', 'example.org', 'example.net'];

export function createUsers({ identity, allowsAdministrators, newPassword }: Needs): Generator<UsersWanted> {
  const { users, roles } = identity;
  return {
    one: 'user',
    many: 'users',
    most: 1_000,
    async demand({ role }, maker) {
      const isGivable = roles.has(role) && (role !== administrator || allowsAdministrators);
      const judge = (asker: Asker): void => {
        if (isGivable && asker.can('create_users') && roles.within([role], asker)) return;
        throw testDataErrors.insufficientPermissions('create users with this role, or the role does not exist');
      };
      judge(maker);
      return {
        base: 'users',
        async make(items, { today }) {
          const fakeOf = await openFake();
          const all = items.map((item) => drawn(item, fakeOf(item.draws), today, role, newPassword));
          return (await users.addMany(all, maker.doing(judge))).map(({ id }) => id);
        },
      };
    },
  };
}

function drawn({ draws, meta }: Item, fake: Faker, today: Date, role: string, password: () => string): OneOfMany {
  const [first_name, last_name] = [fake.person.firstName(), fake.person.lastName()];
  const login = `${plain(first_name)}.${plain(last_name)}`;
  const domain = draws.pick(domains);
  const description = fake.lorem.paragraphs(draws.integer(1, 5), '\n\n');
  return {
    login,
    password: password(),
    registered: between(draws, new Date(today.getTime() - day), today),
    as: (login) => {
      const [email, url] = [`${login}@${domain}`, `https://${domain}/${login}`];
      const said = { email, url, name: first_name, first_name, last_name, description, roles: [role] };
      return { login, ...said, meta: { ...meta, [madeMark]: madeOf.users(said) } };
    },
  };
}

/** In letters that every keyboard has. */
const plain = (name: string): string => fold(name).replace(/[^a-z]/g, '') || 'somebody';
