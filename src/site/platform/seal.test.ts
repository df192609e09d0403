import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSeal } from './seal.ts';

const seal = createSeal(Buffer.alloc(32, 7));

describe('What is sealed', () => {
  test('opens again where it belongs, whatever the text', () => {
    for (const text of ['', 'a', 'smtp://user:pass@host', 'Grüße 🌍\u0000\n', 'x'.repeat(100_000)])
      assert.equal(seal.open(seal.close(text, 'setting:mail.password'), 'setting:mail.password'), text);
  });

  test('opens at no other place and with no other key', () => {
    const sealed = seal.close('hidden', 'setting:mail.password');
    assert.throws(() => seal.open(sealed, 'setting:mail.user'));
    assert.throws(() => createSeal(Buffer.alloc(32, 8)).open(sealed, 'setting:mail.password'));
  });

  test('never reads the same twice and does not show what it holds', () => {
    const [one, other] = [seal.close('the same words', 'x'), seal.close('the same words', 'x')];
    assert.notEqual(one, other);
    for (const encoding of ['utf8', 'hex', 'base64url'] as const)
      assert.ok(!one.includes(Buffer.from('the same words').toString(encoding)));
  });

  test('opens no more once anything of it is changed, cut off or added', () => {
    const parts = seal.close('hidden', 'x').split('.');
    const flipped = parts.map((part, at) => parts.with(at, `${part[0] === 'A' ? 'B' : 'A'}${part.slice(1)}`));
    const short = parts.with(2, Buffer.from(parts[2]!, 'base64url').subarray(0, 12).toString('base64url'));
    const bad = [...flipped, short, parts.slice(0, 3), [...parts, 'AA'], ['v1'], [''], ['plain text']];
    for (const one of bad) assert.throws(() => seal.open(one.join('.'), 'x'), one.join('.'));
  });
});
