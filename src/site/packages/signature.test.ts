import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPackageSigned, isSigned, makeKeys, publicKeyOf, sign, signPackage } from './signature.ts';

const ours = makeKeys();
const theirs = makeKeys();
const text = Buffer.from('Good morning');

test('what was signed is known by the public key alone', () => {
  const signature = sign(text, ours.privateKey);
  assert.match(ours.publicKey, /^[A-Za-z0-9+/]{43}=$/);
  assert.equal(publicKeyOf(ours.privateKey), ours.publicKey);
  assert.equal(isSigned(text, signature, ours.publicKey), true);
  assert.equal(
    isSigned(text, signature, ours.publicKey.replace('=', '').replaceAll('+', '-').replaceAll('/', '_')),
    true,
  );
});

test('another text, another key, another signature and no key at all sign nothing', () => {
  const signature = sign(text, ours.privateKey);
  assert.equal(isSigned(Buffer.from('Good evening'), signature, ours.publicKey), false);
  assert.equal(isSigned(text, signature, theirs.publicKey), false);
  assert.equal(isSigned(text, sign(text, theirs.privateKey), ours.publicKey), false);
  for (const bad of ['', 'no', signature.slice(4), 'A'.repeat(88)])
    assert.equal(isSigned(text, bad, ours.publicKey), false);
  for (const bad of ['', 'no', 'A'.repeat(43)]) assert.equal(isSigned(text, signature, bad), false);
});

test('a package is signed as this package of this version, and as nothing else', () => {
  const facts = { slug: 'guest-book', version: '1.0.0', size: 1234, sha256: 'a'.repeat(64) };
  const signature = signPackage(facts, ours.privateKey);
  assert.equal(isPackageSigned(facts, signature, ours.publicKey), true);
  for (const other of [{ slug: 'guests' }, { version: '1.0.1' }, { size: 1235 }, { sha256: 'b'.repeat(64) }])
    assert.equal(isPackageSigned({ ...facts, ...other }, signature, ours.publicKey), false);
});

test('what is no private key of this kind is refused', () => {
  assert.throws(() => publicKeyOf('no key'));
  assert.throws(() => sign(text, ours.publicKey));
});
