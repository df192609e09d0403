import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Letter, written } from './letter.ts';

const plain: Letter = {
  from: { name: 'Parish', address: 'no-reply@site.test' },
  to: 'ada@site.test',
  subject: 'Hello',
  date: new Date('2026-11-20T12:00:00Z'),
  id: '1@site.test',
  text: 'Dear Ada,\nsee https://site.test/?a=b&c=d',
};

const headersOf = (letter: string): string[] =>
  letter.slice(0, letter.indexOf('\r\n\r\n')).replaceAll('\r\n ', ' ').split('\r\n');
const bodyOf = (letter: string): string => letter.slice(letter.indexOf('\r\n\r\n') + 4);
const names = headersOf(written(plain)).map((header) => header.split(':', 1)[0]!);

test('a plain letter reads in its file as it was written', () => {
  assert.equal(
    written(plain),
    [
      'From: "Parish" <no-reply@site.test>',
      'To: <ada@site.test>',
      'Subject: Hello',
      'Date: Fri, 20 Nov 2026 12:00:00 +0000',
      'Message-ID: <1@site.test>',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
      'Auto-Submitted: auto-generated',
      '',
      'Dear Ada,',
      'see https://site.test/?a=b&c=d',
      '',
    ].join('\r\n'),
  );
});

test('other letters than those of English are encoded in headers, and in the text stay as they are', () => {
  const letter = written({
    ...plain,
    from: { name: 'Café', address: 'no-reply@site.test' },
    subject: 'Grüße',
    text: 'Grüße = 1 ',
  });
  assert.ok(letter.startsWith('From: =?utf-8?B?Q2Fmw6k=?= <no-reply@site.test>\r\n'));
  assert.ok(letter.includes('\r\nSubject: =?utf-8?B?R3LDvMOfZQ==?=\r\n'));
  assert.ok(letter.includes('\r\nContent-Transfer-Encoding: 8bit\r\n'));
  assert.equal(bodyOf(letter), 'Grüße = 1 \r\n');
});

const link = 'https://site.test/wp-login.php?action=rp&key=abc&login=ada';

test('a link stands whole on a line, whatever is said around it', () => {
  for (const around of ['', 'Grüße 🔔', 'many words '.repeat(200), 'wörter '.repeat(500)]) {
    const letter = written({ ...plain, text: `${around}\n${link}\n${around}${link}` });
    const lines = bodyOf(letter).split('\r\n');
    assert.ok(lines.includes(link), around.slice(0, 20));
    assert.equal(lines.filter((line) => line.includes(link)).length, 2, around.slice(0, 20));
  }
});

test('a word longer than any line, and signs that steer a terminal, are encoded', () => {
  for (const [text, wanted] of [
    ['ü = \u001b[2J ', '=C3=BC =3D =1B[2J=20\r\n'],
    ['x'.repeat(999), `${`${'x'.repeat(75)}=\r\n`.repeat(13)}${'x'.repeat(24)}\r\n`],
  ]) {
    const letter = written({ ...plain, text: text! });
    assert.ok(letter.includes('\r\nContent-Transfer-Encoding: quoted-printable\r\n'));
    assert.equal(bodyOf(letter), wanted);
  }
});

test('a name with quotes stays one name, and no name leaves the address alone', () => {
  const from = (name: string) => headersOf(written({ ...plain, from: { ...plain.from, name } }))[0];
  assert.equal(from('The "old" \\ parish'), 'From: "The \\"old\\" \\\\ parish" <no-reply@site.test>');
  assert.equal(from(''), 'From: <no-reply@site.test>');
});

test('whatever a subject, a name or a text says, it adds no header, and no line is too long', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a\r\nBcc: x@y.test', '=?utf-8?B?QQ==?=', '\0'),
  );
  const long = fc.tuple(texts, fc.integer({ min: 1, max: 300 })).map(([text, times]) => text.repeat(times));
  fc.assert(
    fc.property(long, long, long, (name, subject, text) => {
      const letter = written({ ...plain, from: { ...plain.from, name }, subject, text });
      assert.match(letter.slice(0, letter.indexOf('\r\n\r\n')), /^[\r\n -~]*$/);
      assert.deepEqual(
        headersOf(letter).map((header) => header.split(':', 1)[0]),
        names,
      );
      for (const line of letter.split('\r\n')) {
        assert.match(line, /^[\t\P{Cc}]*$/u);
        assert.ok(Buffer.byteLength(line) <= 998);
      }
    }),
    { numRuns: 200 },
  );
});

test('what is not one address gets no letter', () => {
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
  for (const to of others) assert.throws(() => written({ ...plain, to }), /one email address/, to);
  for (const to of ["o'hara+x@site.test", 'ada@[127.0.0.1]', 'ada@[IPv6:::1]', 'jörg@bücher.test'])
    assert.doesNotThrow(() => written({ ...plain, to }), to);
});
