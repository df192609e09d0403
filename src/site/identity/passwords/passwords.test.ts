import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '#kernel/problem.ts';
import { checkRows } from '#test/rows.ts';
import { createPasswords, passwordFault } from './passwords.ts';

const passwords = createPasswords();
const who = '192.0.2.1';
const verdict = async (hash: string, password: string) => {
  const { fits, outdated } = await passwords.verify(hash, password, who);
  return { fits, outdated };
};

test('a password fits its hash and no other does', async () => {
  const hash = await passwords.hash('correct horse', who);
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.deepEqual(await verdict(hash, 'correct horse'), { fits: true, outdated: false });
  for (const other of ['correct horse ', 'Correct horse', 'correct hors', ''])
    assert.deepEqual(await verdict(hash, other), { fits: false, outdated: false }, other);
});

test('the same password has another hash each time', async () => {
  assert.notEqual(await passwords.hash('twice', who), await passwords.hash('twice', who));
});

test('a password fits however a keyboard composes its letters', async () => {
  const hash = await passwords.hash('Grüße', who);
  assert.equal((await verdict(hash, 'Gru\u0308ße')).fits, true);
});

const imported = {
  'portable MD5, 2^13 times': ['$P$B55D6LjfHDkINU5wF.v2BuuzO0/XPk/', 'test'],
  'portable MD5, as forums write it': ['$H$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0', 'test12345'],
  'portable MD5 of other letters': ['$P$BjzPjxxyjp2QdKcab/oTW8l/W0AgE21', 'âË_3(íù*'],
  'portable MD5, blanks around the password': ['$P$B55D6LjfHDkINU5wF.v2BuuzO0/XPk/', ' test\t'],
  'bcrypt 2a': ['$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U'],
  'bcrypt 2b': ['$2b$04$czhbgziodbSUCdfnAZFmDunWg0eijYplOADR7oevBmY70xqc7N3bS', 'grüße an alle'],
  'bcrypt 2y': ['$2y$04$czhbgziodbSUCdfnAZFmDunWg0eijYplOADR7oevBmY70xqc7N3bS', 'grüße an alle'],
  'bcrypt of a digest': ['$wp$2y$04$dEWQR9HTIfI2c/V.RnDnne.PHJFr02SZ1nL8UVEDAIsJ9SlMWS.RK', 'grüße an alle'],
  'bcrypt of a digest, blanks around': [
    '$wp$2y$04$dEWQR9HTIfI2c/V.RnDnne.PHJFr02SZ1nL8UVEDAIsJ9SlMWS.RK',
    '\ngrüße an alle ',
  ],
  'argon2id, weaker than ours': [
    '$argon2id$v=19$m=1024,t=1,p=1$P7oLHeWTIDbIo/Hw/9fUFw$EBYnr56HOnoOEh2JsAzHc4CnIc+gau9lwhaEC1FQjNw',
    'grüße an alle',
  ],
  argon2i: [
    '$argon2i$v=19$m=1024,t=1,p=1$w3H7deQ/kv/tY9cuxEf7yQ$E7KyZn/i8MmWjcxcFJQGjBusl4KM4da5FQpqTj18+rk',
    'grüße an alle',
  ],
  'argon2id of letters as they were typed': [
    '$argon2id$v=19$m=64,t=1,p=1$cFTZfwN9AwaBw2dzgJPDFg$XV4kUrpHsHf8pKOW4Cjfmbg8dEAw0ZJyhwgIVRWwjkA',
    'gru\u0308ße',
  ],
} as const;

test('imported hashes are verified, and marked for renewal', () =>
  checkRows(Object.entries(imported), async ([, [hash, password]]) => {
    assert.deepEqual(await verdict(hash, password), { fits: true, outdated: true });
    assert.deepEqual(await verdict(hash, `${password}.`), { fits: false, outdated: false });
  }));

test('a hash that nobody can read, or that would cost too much to check, fits nothing', async () => {
  const hashes = [
    '',
    '*',
    'secret',
    '$P$',
    '$P$Z55D6LjfHDkINU5wF.v2BuuzO0/XPk/',
    '$P$055D6LjfHDkINU5wF.v2BuuzO0/XPk/',
    '$2y$31$czhbgziodbSUCdfnAZFmDunWg0eijYplOADR7oevBmY70xqc7N3bS',
    '$2y$04$short',
    '$wp$2y$99$dEWQR9HTIfI2c/V.RnDnne.PHJFr02SZ1nL8UVEDAIsJ9SlMWS.RK',
    '$argon2id$v=19$zz',
    '$argon2id$v=19$m=4000000,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$argon2id$v=19$m=19456,t=4000000,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ];
  for (const hash of hashes) {
    assert.deepEqual(await verdict(hash, 'secret'), { fits: false, outdated: false }, hash);
    assert.deepEqual(await verdict(hash, ''), { fits: false, outdated: false }, hash);
  }
});

test('more text than any password has fits nothing, also where it begins with the password', async () => {
  const longest = 'x'.repeat(1024);
  const hash = await passwords.hash(longest, who);
  assert.equal((await verdict(hash, longest)).fits, true);
  assert.equal((await verdict(hash, `${longest}x`)).fits, false);
});

test('a password that cannot be one is told so in a sentence', () => {
  const faults = ['', 'a\\b', 'x'.repeat(1025), 'a\nb', 'a\0b', '\ud800'];
  for (const password of faults) assert.match(passwordFault(password) ?? '', /^[A-Z].*\.$/, JSON.stringify(password));
  for (const password of ['x', ' ', 'a b', 'Grüße', '🔑🔑', '\'"<>&', 'x'.repeat(1024)])
    assert.equal(passwordFault(password), undefined, password);
});

const refused = { status: 503, code: 'rest_too_busy', headers: { 'Retry-After': '5' } };

test('so many are checked at a time, some wait, and the rest are asked to try again', async () => {
  const small = createPasswords({ together: 1, waiting: 2 });
  const hash = await small.hash('secret', who);
  const asked = await Promise.allSettled(Array.from({ length: 5 }, () => small.verify(hash, 'secret', who)));
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
  );
  for (const one of asked.slice(3)) {
    const { status, code, headers } = (one as PromiseRejectedResult).reason as Problem;
    assert.deepEqual({ status, code, headers }, refused);
  }
  assert.equal((await small.verify(hash, 'secret', who)).fits, true);
});

test('unknown and unreadable hashes wait in the same line as all others', async () => {
  const small = createPasswords({ together: 1, waiting: 1 });
  const asked = await Promise.allSettled(['', 'secret', '*'].map((hash) => small.verify(hash, 'secret', who)));
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
});

test('an old kind of hash is checked in slices, and others get their turn in between', async () => {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await passwords.verify('$P$B55D6LjfHDkINU5wF.v2BuuzO0/XPk/', 'test', who);
  isOver = true;
  assert.ok(turns >= 16, `${turns} turns`);
});
