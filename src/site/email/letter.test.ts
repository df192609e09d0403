import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import '#test/seeded.ts';
import { isEmailAddress } from '#lib/addresses.ts';
import { headersOf, readLetter } from '#test/letters.ts';
import { type Bits, composed, type Letter } from './letter.ts';

const plain: Letter = {
  from: { name: 'Parish', address: 'no-reply@site.test' },
  to: 'ada@site.test',
  subject: 'Hello',
  date: new Date('2026-11-20T12:00:00Z'),
  id: '1@site.test',
  text: 'Dear Ada,\nsee https://site.test/?a=b&c=d',
};

const written = async (letter: Partial<Letter>, bits: Bits = 8): Promise<string> =>
  (await composed({ ...plain, ...letter }, bits)).toString();
const bodyOf = (letter: string): string => letter.slice(letter.indexOf('\r\n\r\n') + 4);

test('a plain letter reads in its file as it was written', async () => {
  assert.deepEqual((await written({})).split('\r\n').slice(0, 3), [
    'From: Parish <no-reply@site.test>',
    'To: ada@site.test',
    'Subject: Hello',
  ]);
  assert.deepEqual(Object.fromEntries(headersOf(await written({}))), {
    From: 'Parish <no-reply@site.test>',
    To: 'ada@site.test',
    Subject: 'Hello',
    Date: 'Fri, 20 Nov 2026 12:00:00 +0000',
    'Message-ID': '<1@site.test>',
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '7bit',
    'Auto-Submitted': 'auto-generated',
  });
  assert.equal(bodyOf(await written({})), 'Dear Ada,\r\nsee https://site.test/?a=b&c=d\r\n');
});

test('other letters than those of English are encoded in headers, and in the text as far as the way asks for it', async () => {
  const greeting = { from: { ...plain.from, name: 'Café' }, subject: 'Grüße', text: 'Grüße = 1 ' };
  const [file, sent] = [await written(greeting, 8), await written(greeting, 7)];
  assert.equal(bodyOf(file), 'Grüße = 1 \r\n');
  assert.match(sent, /^[\r\n -~]*$/);
  for (const letter of [file, sent]) {
    const { from, subject, text } = readLetter(letter);
    assert.deepEqual([from, subject, text], ['Café <no-reply@site.test>', 'Grüße', 'Grüße = 1']);
  }
});

const link = 'https://site.test/wp-login.php?action=rp&key=abc&login=ada';

test('a link stands whole on a line, whatever is said around it', async () => {
  for (const around of ['', 'Grüße 🔔', 'many words '.repeat(200), 'wörter '.repeat(500)]) {
    const lines = bodyOf(await written({ text: `${around}\n${link}\n${around}${link}` })).split('\r\n');
    assert.ok(lines.includes(link), around.slice(0, 20));
    assert.equal(lines.filter((line) => line.includes(link)).length, 2, around.slice(0, 20));
  }
});

test('a word longer than any line, and signs that steer a terminal, are encoded', async () => {
  for (const text of ['ü = \u001b[2J ', 'x'.repeat(999)]) {
    const letter = await written({ text });
    assert.match(letter, /\r\nContent-Transfer-Encoding: quoted-printable\r\n/);
    assert.match(bodyOf(letter), /^[\r\n -~]*$/);
    assert.equal(readLetter(letter).text, text.trimEnd());
  }
});

test('a name stays one name, and no name leaves the address alone', async () => {
  const from = async (name: string) => headersOf(await written({ from: { ...plain.from, name } })).get('From');
  assert.equal(await from('The "old" \\ parish'), '"The \\"old\\" \\\\ parish" <no-reply@site.test>');
  assert.equal(await from('A, b <x@y.test>'), '"A, b <x@y.test>" <no-reply@site.test>');
  assert.match((await from(''))!, /^<?no-reply@site\.test>?$/);
});

test('whatever a subject, a name or a text says, it adds no header, and no line is too long', async () => {
  const names = [...headersOf(await written({})).keys()].sort();
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a\r\nBcc: x@y.test', '=?utf-8?B?QQ==?=', '\0', 'x', 'ü'),
  );
  const long = fc.tuple(texts, fc.integer({ min: 1, max: 1_000 })).map(([text, times]) => text.repeat(times));
  const bits = fc.constantFrom(7 as const, 8 as const);
  await fc.assert(
    fc.asyncProperty(long, long, long, bits, async (name, subject, text, way) => {
      const letter = await written({ from: { ...plain.from, name }, subject, text }, way);
      assert.match(letter.slice(0, letter.indexOf('\r\n\r\n')), /^[\r\n -~]*$/);
      const given = [...headersOf(letter).keys()];
      assert.deepEqual(given.includes('Subject') ? given.sort() : [...given, 'Subject'].sort(), names);
      for (const line of letter.split('\r\n')) {
        assert.match(line, way === 7 ? /^[\t -~]*$/ : /^[\t\P{Cc}]*$/u);
        assert.ok(Buffer.byteLength(line) <= 998);
      }
    }),
    { numRuns: 200 },
  );
});

test('what only looks as if it were encoded is read as it was written', async () => {
  const { subject } = readLetter(await written({ subject: '=?utf-8?B?QQ==?=' }));
  assert.match(subject, /QQ==/);
});

test('what is not one address gets no letter', async () => {
  const others = [
    '',
    'ada',
    'ada@site.test\r\nBcc: eve@site.test',
    'ada@site.test, eve@site.test',
    'ada@site.test eve@site.test',
    'Ada <ada@site.test>',
    '"a b"@site.test',
    `${'a'.repeat(250)}@site.test`,
    'ada@site.test\0',
    'ada@site@test',
  ];
  for (const to of others) {
    assert.equal(isEmailAddress(to), false, to);
    await assert.rejects(written({ to }), /one recipient/, to);
  }
  for (const to of ["o'hara+x@site.test", 'ada@[127.0.0.1]', 'ada@[IPv6:::1]', 'jörg@site.test']) {
    assert.equal(isEmailAddress(to), true, to);
    assert.equal(readLetter(await written({ to })).to.toLowerCase(), to.toLowerCase());
  }
  assert.equal(readLetter(await written({ to: 'ada@bücher.test' })).to, 'ada@xn--bcher-kva.test');
});
