import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Unavailable } from '#lib/failures.ts';
import { asked, keptLog, withoutPostgres } from '#test/databases.ts';
import { sharedPostgres } from '#test/postgres.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import { soon } from '#test/soon.ts';
import { StoreProblem } from '../problem.ts';
import { openStore, pendingOf, type Store } from '../store.ts';

const open = (database: string): Promise<Store<ShelfTables>> =>
  openStore({ database, data: '/nowhere', tables: [shelf], log: keptLog() });

describe('A PostgreSQL server that refuses', { skip: withoutPostgres }, () => {
  const name = `refusing_${randomBytes(6).toString('hex')}`;
  let server: string;
  /** Everything allowed, in the database of the test. */
  let owner: string;
  /** As an ordinary user, who may connect. */
  let guest: string;

  beforeEach(async () => {
    server = await sharedPostgres();
    await asked(server, `create role ${name} login password 'right'`);
    await asked(server, `create database ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    owner = url.href;
    url.username = name;
    guest = url.href;
  });

  afterEach(async () => {
    await asked(server, `drop database if exists ${name} with (force)`);
    await asked(server, `drop role ${name}`);
  });

  async function refused(database: string, wording: RegExp) {
    await assert.rejects(open(database), (error) => {
      assert.ok(error instanceof StoreProblem, String(error));
      assert.match(error.message, wording);
      assert.match(error.message, /^[A-Z][^\n]*\.$/, 'one sentence');
      return true;
    });
  }

  const grant =
    /does not have the rights that a site needs; make this user the owner of the database, as "create database site owner site" does\.$/;

  test('to let this user make tables is told at the start, with what to grant', () => refused(guest, grant));

  test('to let this user see the place for tables is the same', async () => {
    await asked(owner, 'revoke usage on schema public from public');
    await refused(guest, grant);
  });

  test('to let this user make tables is told whoever only asks what is to come', async () => {
    const options = { database: guest, data: '/nowhere', tables: [shelf], log: keptLog() };
    await assert.rejects(pendingOf(options), { name: 'StoreProblem', message: grant });
    await asked(server, `alter database ${name} owner to ${name}`);
    assert.ok((await pendingOf(options)).length > 0);
  });

  test('to let this user add what search needs is told too, until somebody else has added it', async () => {
    const options = { database: guest, data: '/nowhere', tables: [shelf], log: keptLog() };
    await asked(owner, `grant create on schema public to ${name}`);
    const message = /lacks the extension pg_trgm, and the database user cannot create it; let an administrator /;
    await assert.rejects(pendingOf(options), { name: 'StoreProblem', message });
    await asked(owner, 'create extension pg_trgm');
    assert.ok((await pendingOf(options)).length > 0);
  });

  test('any connection to the database is told at the start', async () => {
    await asked(server, `alter database ${name} allow_connections false`);
    await refused(owner, /does not allow connections; allow them \("alter database site allow_connections true"\)\.$/);
  });

  test('a name it does not know is told at the start', async () => {
    await asked(server, `drop database ${name}`);
    await refused(owner, /the database does not exist; create it /);
  });

  test('to speak TLS, though the address asks for it, is told at the start', () =>
    refused(`${owner}?sslmode=verify-full`, /cannot be used: .*SSL.*; check the host, the port and the user/));

  describe('while the site runs', () => {
    let store: Store<ShelfTables>;
    const read = () => store.db.selectFrom('books').select('id').execute();
    const write = () => store.write((tx) => tx.insertInto('books').values({ title: 'kept' }).execute());

    const away = (wording: RegExp) => (error: unknown) => {
      assert.ok(error instanceof Unavailable, String(error));
      assert.ok(error.retryAfter > 0);
      assert.match(error.message, wording);
      return true;
    };

    /** The store has heard that its connections were ended. */
    const noConnection = () =>
      soon(async () => store.figures().connections?.every(({ idle }) => idle === 0), true as boolean | undefined);

    /** Cuts what is open, so that the next question needs a new connection. */
    async function cut() {
      await asked(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
      await noConnection();
    }

    beforeEach(async () => {
      await asked(server, `alter database ${name} owner to ${name}`);
      store = await open(guest);
      await write();
    });

    afterEach(() => store.close());

    test('a table is away until it is granted again', async () => {
      await asked(guest, `revoke all on books from ${name}`);
      await assert.rejects(read(), away(/does not have the rights/));
      await assert.rejects(write(), away(/does not have the rights/));
      await asked(guest, `grant all on books to ${name}`);
      assert.equal((await read()).length, 1);
    });

    test('the user is away', async () => {
      await asked(server, `alter role ${name} nologin`);
      await cut();
      await assert.rejects(read(), away(/refuses this database user/));
      await assert.rejects(write(), away(/refuses this database user/));
    });

    test('every connection is away until it takes some again', async () => {
      await asked(server, `alter database ${name} allow_connections false`);
      await cut();
      await assert.rejects(read(), away(/does not allow connections/));
      await asked(server, `alter database ${name} allow_connections true`);
      assert.equal((await read()).length, 1);
    });

    test('a database that was dropped is away', async () => {
      await asked(server, `drop database ${name} with (force)`);
      await noConnection();
      await assert.rejects(store.ping(), away(/the database does not exist/));
    });
  });
});
