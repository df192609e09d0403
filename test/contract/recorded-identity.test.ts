// Users, application passwords, sessions and their refusals as they were recorded, replayed.
import assert from 'node:assert/strict';
import { sessionCookie } from '#site/identity/credential.ts';
import type { User } from '#site/identity/users/user.ts';
import { basicOf } from '#test/people.ts';
import type { Client, TestSite } from '#test/site.ts';
import { accepted } from './accepted-identity.ts';
import { type Filling, recorded } from './recorded.ts';
import { headersOf, replayed } from './replaying.ts';

const topics = {
  users: recorded('users'),
  'application-passwords': recorded('application-passwords'),
  'cookie-nonce-auth': recorded('cookie-nonce-auth'),
  'errors-auth-routing-body': recorded('errors-auth-routing-body').filter(({ name }) =>
    /user|auth|password|basic|bearer/.test(name),
  ),
  options: recorded('options').filter(({ name }) => / users/.test(name)),
};

const roleOf = (id: number): string => {
  if (id === 2) return 'editor';
  if (id === 4) return 'contributor';
  return (id >= 6 && id <= 13) || id === 3 ? 'author' : 'subscriber';
};

/** The users of the site where it was recorded, as far as the recordings tell, with the ids they had. */
async function seeded({ app, user, asUser }: TestSite): Promise<Map<string, User>> {
  const admin = { login: 'admin', email: 'admin@example.test', url: 'http://site.test', roles: ['administrator'] };
  const people = new Map([['admin', await user({ ...admin, password: accountPassword })]]);
  for (let id = 2; id <= 22; id++) {
    const login = `user${id - 1}`;
    const named =
      id === 21 ? { first_name: 'Bridge', last_name: 'Barrel' } : { first_name: 'User', last_name: `${id}` };
    const role = roleOf(id);
    const about = { url: `http://example.test/u${id - 1}`, description: 'Somebody.' };
    const made = await user({ login, email: `${login}@example.test`, roles: [role], ...named, ...about });
    if (!people.has(role) || id === 7) people.set(role, made);
  }
  await published(asUser(people.get('admin')!), [1, 2, 3, 6, 8, 9, 10, 11, 12, 13, 17]);
  await app.services.identity.applicationPasswords.add(people.get('author')!, { name: 'client' });
  return people;
}

/** Whoever has published something is seen by everybody. */
async function published(admin: Client, authors: readonly number[]): Promise<void> {
  for (const author of authors) {
    const post = { title: 'A post', content: 'Words.', status: 'publish', author };
    assert.equal((await admin.post('/api/core/v2/posts', post)).status, 201);
  }
}

const accountPassword = 'the password of an account';

async function fillingOf(site: TestSite): Promise<Partial<Filling>> {
  const people = await seeded(site);
  const admin = people.get('admin')!;
  const { authorization } = await site.credentials(admin);
  const [login, password] = Buffer.from(authorization!.slice(6), 'base64').toString().split(':') as [string, string];
  const { sessions } = site.app.services.identity;
  const { cookie, session } = (await sessions.start(admin, false, { address: '192.0.2.10', agent: '' }))!;
  const token = sessions.token(session, 'rest');
  const words: Record<string, string> = {
    'Basic <admin:wrong password>': basicOf(login, password.replace(/./g, 'a')),
    'Basic <unknown user>': basicOf('nobody', password),
    'Basic <admin:account password>': basicOf(login, accountPassword),
    'Basic <admin:application password without spaces>': basicOf(login, password.replaceAll(' ', '')),
    'Basic <admin e-mail:application password>': basicOf(admin.email, password),
    '<login cookies>': `${sessionCookie}=${cookie}`,
    '<nonce>': token,
  };
  const filled = (value: string, name: string) =>
    /bad nonce/.test(name) ? value.replace('<nonce>', 'bad') : (words[value] ?? value);
  return {
    headers: async (exchange) => {
      const { as } = exchange.request;
      const headers = Object.entries(headersOf(exchange)).map(([name, value]) => [name, filled(value, exchange.name)]);
      return { ...Object.fromEntries(headers), ...(as !== null && (await site.credentials(people.get(as)!))) };
    },
    word: (placeholder) => words[placeholder] ?? placeholder,
  };
}

for (const [topic, exchanges] of Object.entries(topics))
  replayed({
    topic,
    exchanges,
    accepted: accepted.filter((row) => row.topic === topic),
    filling: fillingOf,
  });
