import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { secretFile } from '#site/platform/keys.ts';
import { BadSetting } from '../config/check.ts';
import { ownSecret } from './secret.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));
const fresh = (): string => join(mkdtempSync(join(folder, 'site-')), 'data');

test('the first start makes a secret only its owner can read, and later starts find it', () => {
  const data = fresh();
  const secret = ownSecret(data);
  assert.ok(secret.length >= 32);
  assert.equal(statSync(data).mode & 0o777, 0o700);
  assert.equal(statSync(secretFile(data)).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(data), ['secret']);
  assert.equal(ownSecret(data), secret);
});

test('two sites never share one', () => {
  assert.notEqual(ownSecret(fresh()), ownSecret(fresh()));
});

test('a secret that others may read is refused with the way out', () => {
  const data = fresh();
  ownSecret(data);
  chmodSync(secretFile(data), 0o640);
  assert.throws(() => ownSecret(data), { name: 'BadSetting', message: /^Other users can read .*; run "chmod 600 / });
});

test('a secret that was cut short is refused, and not replaced', () => {
  const data = fresh();
  ownSecret(data);
  writeFileSync(secretFile(data), 'short\n');
  assert.throws(() => ownSecret(data), BadSetting);
  assert.equal(readFileSync(secretFile(data), 'utf8'), 'short\n');
});

// Root may read everything; as somebody else it may not.
const asSomebody = (work: () => void): void => {
  const root = process.geteuid?.() === 0;
  if (root) process.seteuid?.(65_534);
  try {
    work();
  } finally {
    if (root) process.seteuid?.(0);
  }
};

test('a secret that this user may not read is blamed itself, and not its folder', () => {
  chmodSync(folder, 0o777);
  asSomebody(() => {
    const data = join(mkdtempSync(join(folder, 'theirs-')), 'data');
    ownSecret(data);
    chmodSync(secretFile(data), 0o000);
    assert.throws(() => ownSecret(data), {
      name: 'BadSetting',
      message: /^This system user cannot read the secret in .*\.$/,
    });
    chmodSync(data, 0o000);
    assert.throws(() => ownSecret(data), {
      name: 'BadSetting',
      message: /^The data folder .*: this system user cannot read and write it\. /,
    });
    chmodSync(data, 0o700);
  });
});

test('a data folder that nobody can make is refused in one sentence', { skip: process.platform !== 'linux' }, () => {
  assert.throws(() => ownSecret('/proc/no/such'), {
    name: 'BadSetting',
    message:
      /^The data folder .* cannot be used: a folder cannot be created there\. Give a folder of this system user with --data\.$/,
  });
});

test('a data folder that is a file is refused in one sentence', () => {
  const data = join(folder, 'file');
  writeFileSync(data, '');
  for (const path of [data, join(data, 'inside')]) {
    assert.throws(() => ownSecret(path), {
      name: 'BadSetting',
      message:
        /^The data folder .* cannot be used: it is a file or is inside a file\. Give a folder of this system user with --data\.$/,
    });
  }
});
