import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { gatehouse } from '#test/gatehouse.ts';
import { readConfig } from '../config.ts';
import { settledSecret } from './secret.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));
const fresh = (): string => join(mkdtempSync(join(folder, 'site-')), 'data');

const settled = (data: string): Promise<string> => settledSecret(readConfig({ flags: { data } }), { note: () => {} });

test('a database that is made ahead of time has its secret, and the site finds it', async () => {
  const data = fresh();
  await gatehouse(['migrate', '--data', data]);
  assert.equal(await settled(data), readFileSync(join(data, 'secret'), 'utf8').trim());
});

test('a secret lost beside a database is asked for, and not replaced', async () => {
  const data = fresh();
  await gatehouse(['migrate', '--data', data]);
  rmSync(join(data, 'secret'));
  for (const command of [['serve', '--port', '0'], ['migrate']]) {
    const { code, err } = await gatehouse([...command, '--data', data]);
    assert.equal(code, 1);
    assert.match(
      err,
      /^The secret .*\/secret is missing, .*; restore the file, or give the secret as GATEHOUSE_SECRET\.\n$/,
    );
  }
  assert.equal(existsSync(join(data, 'secret')), false);
});

test('nothing is put into the data folder of another program', async () => {
  const data = fresh();
  mkdirSync(data);
  const other = new DatabaseSync(join(data, 'gatehouse.db'));
  other.exec('CREATE TABLE theirs (a)');
  other.close();
  const { code, err } = await gatehouse(['serve', '--port', '0', '--data', data]);
  assert.equal(code, 1);
  assert.match(err, /^The database .* belongs to another program; name another data folder\.\n$/);
  assert.equal(existsSync(join(data, 'secret')), false);
});

test('a start that was cut off before the database held anything is no loss', async () => {
  const data = fresh();
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, 'gatehouse.db'), '', { mode: 0o600 });
  assert.ok((await settled(data)).length >= 32);
});
