// Everything that is kept of users and of what lets them in.
import { type Generated, sql } from 'kysely';
import { hour } from '#lib/spans.ts';
import { type Flag, type Instant, instant, type JsonText } from '#store/columns.ts';
import type { TableOwner } from '#store/migrate.ts';
import { searchTable } from '#store/search.ts';
import { indexAllUsers, usersSearch } from './users/found-by.ts';

export interface UsersTable {
  id: Generated<number>;
  login: string;
  /** The login as it is compared: two that differ in capitals only are one. */
  login_key: string;
  email: string;
  /** Likewise; nothing when there is no address. */
  email_key: string | null;
  slug: string;
  name: string;
  /** The name as it is sorted: without capitals and accents. */
  name_key: string;
  first_name: string;
  last_name: string;
  nickname: string;
  url: string;
  description: string;
  locale: string;
  /** A hash that says how it was made; empty lets nobody in. */
  password: string;
  /** Who set it: mostly its owner; 0 at the command line. */
  password_by: number;
  registered_at: Instant;
}

interface UserRolesTable {
  user_id: number;
  role: string;
  /** The user's, so that holders of a role are read in the order of their names. */
  name_key: string;
  /** Their order. */
  position: number;
}

interface UserMetaTable {
  user_id: number;
  key: string;
  value: JsonText;
}

export interface ApplicationPasswordsTable {
  id: Generated<number>;
  uuid: string;
  user_id: number;
  app_id: string;
  name: string;
  /** Keyed, in hex: the secret is long, so a fast hash keeps it. */
  hash: string;
  /** Who made it: mostly its owner; 0 at the command line. */
  made_by: number;
  created_at: Instant;
  /** `read`, or null for reading and writing. */
  permissions: string | null;
  /** The interfaces that take it; null for all. */
  enabled_for: JsonText | null;
}

/** Apart, and quiet: a use of a credential is no change to it. */
interface ApplicationPasswordUsesTable {
  password_id: number;
  used_at: Instant;
  address: string;
}

export interface SessionsTable {
  id: Generated<number>;
  /** Of the cookie's value, keyed, in hex. */
  hash: string;
  user_id: number;
  created_at: Instant;
  expires_at: Instant;
  remembered: Flag;
  address: string;
  agent: string;
}

/** Apart, and quiet, for the same reason. Rows of ended sessions stay until the next sweep. */
interface SessionUsesTable {
  session_id: number;
  used_at: Instant;
  address: string;
}

interface OneTimeTokensTable {
  id: Generated<number>;
  purpose: string;
  user_id: number;
  /** Of the token and what it is bound to, keyed, in hex. */
  hash: string;
  payload: JsonText | null;
  created_at: Instant;
  until: Instant;
  used: Flag;
}

export interface IdentityTables {
  users: UsersTable;
  user_roles: UserRolesTable;
  user_meta: UserMetaTable;
  application_passwords: ApplicationPasswordsTable;
  application_password_uses: ApplicationPasswordUsesTable;
  sessions: SessionsTable;
  session_uses: SessionUsesTable;
  one_time_tokens: OneTimeTokensTable;
}

/** The engines do not agree where nothing comes, so it is nothing for neither. */
export const sortedEmail = sql<string>`coalesce(email_key, '')`;

/** A login as it looks, for its index. */
export const loginLook = sql<string>`lower(replace(login, 'I', 'l'))`;

const users: TableOwner['migrations'][number] = {
  name: '0001-users',
  up: async (schema) => {
    const { db, table, column } = schema;
    await table('users')
      .addColumn('id', column.id)
      .addColumn('login', column.text, (c) => c.notNull())
      .addColumn('login_key', column.text, (c) => c.notNull().unique())
      .addColumn('email', column.text, (c) => c.notNull())
      .addColumn('email_key', column.text, (c) => c.unique())
      .addColumn('slug', column.text, (c) => c.notNull().unique())
      .addColumn('name', column.text, (c) => c.notNull())
      .addColumn('name_key', column.text, (c) => c.notNull())
      .addColumn('first_name', column.text, (c) => c.notNull())
      .addColumn('last_name', column.text, (c) => c.notNull())
      .addColumn('nickname', column.text, (c) => c.notNull())
      .addColumn('url', column.text, (c) => c.notNull())
      .addColumn('description', column.text, (c) => c.notNull())
      .addColumn('locale', column.text, (c) => c.notNull())
      .addColumn('password', column.text, (c) => c.notNull())
      .addColumn('password_by', column.integer, (c) => c.notNull())
      .addColumn('registered_at', column.instant, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('users_by_look').on('users').expression(loginLook).execute();
    await db.schema.createIndex('users_by_name').on('users').columns(['name_key', 'id']).execute();
    await db.schema.createIndex('users_by_registration').on('users').columns(['registered_at', 'id']).execute();
    await db.schema.createIndex('users_by_url').on('users').columns(['url', 'id']).execute();
    await db.schema.createIndex('users_by_email').on('users').expression(sortedEmail).column('id').execute();
    await table('user_roles')
      .addColumn('user_id', column.integer, (c) => c.notNull().references('users.id'))
      .addColumn('role', column.text, (c) => c.notNull())
      .addColumn('name_key', column.text, (c) => c.notNull())
      .addColumn('position', column.integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('user_roles_key', ['user_id', 'role'])
      .execute();
    await db.schema
      .createIndex('user_roles_by_name')
      .on('user_roles')
      .columns(['role', 'name_key', 'user_id'])
      .execute();
    await searchTable(schema, usersSearch.table, Object.keys(usersSearch.columns));
    await table('user_meta')
      .addColumn('user_id', column.integer, (c) => c.notNull().references('users.id'))
      .addColumn('key', column.text, (c) => c.notNull())
      .addColumn('value', column.json, (c) => c.notNull())
      .addPrimaryKeyConstraint('user_meta_key', ['user_id', 'key'])
      .execute();
  },
};

const credentials: TableOwner['migrations'][number] = {
  name: '0002-credentials',
  up: async ({ db, table, column }) => {
    await table('application_passwords')
      .addColumn('id', column.id)
      .addColumn('uuid', column.text, (c) => c.notNull().unique())
      .addColumn('user_id', column.integer, (c) => c.notNull().references('users.id'))
      .addColumn('app_id', column.text, (c) => c.notNull())
      .addColumn('name', column.text, (c) => c.notNull())
      .addColumn('hash', column.text, (c) => c.notNull().unique())
      .addColumn('made_by', column.integer, (c) => c.notNull())
      .addColumn('created_at', column.instant, (c) => c.notNull())
      .execute();
    await table('application_password_uses')
      .addColumn('password_id', column.integer, (c) => c.primaryKey().references('application_passwords.id'))
      .addColumn('used_at', column.instant, (c) => c.notNull())
      .addColumn('address', column.text, (c) => c.notNull())
      .execute();
    await table('sessions')
      .addColumn('id', column.id)
      .addColumn('hash', column.text, (c) => c.notNull().unique())
      .addColumn('user_id', column.integer, (c) => c.notNull().references('users.id'))
      .addColumn('created_at', column.instant, (c) => c.notNull())
      .addColumn('expires_at', column.instant, (c) => c.notNull())
      .addColumn('remembered', column.flag, (c) => c.notNull())
      .addColumn('address', column.text, (c) => c.notNull())
      .addColumn('agent', column.text, (c) => c.notNull())
      .execute();
    await table('password_resets')
      .addColumn('id', column.id)
      .addColumn('user_id', column.integer, (c) => c.notNull().references('users.id'))
      .addColumn('hash', column.text, (c) => c.notNull())
      .addColumn('created_at', column.instant, (c) => c.notNull())
      .execute();
    for (const one of ['application_passwords', 'sessions', 'password_resets'])
      await db.schema.createIndex(`${one}_by_user`).on(one).columns(['user_id', 'id']).execute();
    await db.schema.createIndex('sessions_by_end').on('sessions').column('expires_at').execute();
    await db.schema.createIndex('password_resets_by_hash').on('password_resets').column('hash').execute();
  },
};

const sessionUses: TableOwner['migrations'][number] = {
  name: '0003-session-uses',
  up: async ({ table, column }) => {
    // It refers to no session: else each write that ends sessions would have to name this table first.
    await table('session_uses')
      .addColumn('session_id', column.integer, (c) => c.primaryKey())
      .addColumn('used_at', column.instant, (c) => c.notNull())
      .addColumn('address', column.text, (c) => c.notNull())
      .execute();
  },
};

/** The life of a link for a forgotten password when it had a table of its own. */
const formerResetLife = 24 * hour;

const oneTimeTokens: TableOwner['migrations'][number] = {
  name: '0004-one-time-tokens',
  up: async ({ db, table, column }) => {
    await table('one_time_tokens')
      .addColumn('id', column.id)
      .addColumn('purpose', column.text, (c) => c.notNull())
      .addColumn('user_id', column.integer, (c) => c.notNull().references('users.id'))
      .addColumn('hash', column.text, (c) => c.notNull())
      .addColumn('payload', column.json)
      .addColumn('created_at', column.instant, (c) => c.notNull())
      .addColumn('until', column.instant, (c) => c.notNull())
      .addColumn('used', column.flag, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('one_time_tokens_by_user').on('one_time_tokens').columns(['user_id', 'id']).execute();
    await db.schema.createIndex('one_time_tokens_by_hash').on('one_time_tokens').column('hash').execute();
    await db.schema.createIndex('one_time_tokens_by_end').on('one_time_tokens').column('until').execute();
    // Links that were sent before the update stay valid. Those that were used or replaced have no hash, and count towards the limit.
    for (const { user_id, hash, created_at } of await db.selectFrom('password_resets').selectAll().execute()) {
      const until = instant(new Date(Date.parse(String(created_at)) + formerResetLife));
      const token = { purpose: 'reset', user_id, hash, payload: null, created_at, until, used: hash === '' ? 1 : 0 };
      await db.insertInto('one_time_tokens').values(token).execute();
    }
    await db.schema.dropTable('password_resets').execute();
  },
};

const limitedPasswords: TableOwner['migrations'][number] = {
  name: '0005-limited-application-passwords',
  up: async ({ db, column }) => {
    await db.schema.alterTable('application_passwords').addColumn('permissions', column.text).execute();
    await db.schema.alterTable('application_passwords').addColumn('enabled_for', column.json).execute();
  },
};

export const identityTables: TableOwner = {
  owner: 'identity',
  migrations: [users, credentials, sessionUses, oneTimeTokens, limitedPasswords],
  quiet: ['application_password_uses', 'session_uses'],
  derived: { [usersSearch.table]: indexAllUsers },
};
