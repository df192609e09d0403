import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { keptLog } from '#test/databases.ts';
import { lettersIn, mailFiles } from '#test/letters.ts';
import { createMail } from './mail.ts';

const noon = new Date('2026-11-20T12:00:00Z');

function aMailbox({ url = 'https://site.test/blog', title = 'Parish' } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'gatehouse-mail-'));
  after(() => rmSync(data, { recursive: true, force: true }));
  const log = keptLog();
  return { data, log, mail: createMail({ data, log, clock: () => noon, site: { url, title } }) };
}

const hello = { to: 'ada@site.test', subject: 'Hello', text: 'The link: https://site.test/?key=secret' };

test('a message becomes a file of its own, which only the owner of the data may read', async () => {
  const { data, mail } = aMailbox();
  await mail.send(hello);
  assert.deepEqual(lettersIn(data), [{ ...hello, from: '"Parish" <no-reply@site.test>' }]);
  const [name] = mailFiles(data);
  assert.match(name!, /^20261120T120000000Z-\d{6}-[0-9a-f]{12}\.eml$/);
  assert.equal(statSync(join(data, 'mail')).mode & 0o777, 0o700);
  assert.equal(statSync(join(data, 'mail', name!)).mode & 0o777, 0o600);
});

test('the files sort in the order the messages were sent, also within one moment', async () => {
  const { data, mail } = aMailbox();
  const subjects = Array.from({ length: 12 }, (_, number) => `Number ${number}`);
  for (const subject of subjects) await mail.send({ ...hello, subject });
  assert.deepEqual(
    lettersIn(data).map(({ subject }) => subject),
    subjects,
  );
});

test('the log says that there is a message, and not what it says', async () => {
  const { log, mail, data } = aMailbox();
  await mail.send(hello);
  const [line, ...others] = log.lines;
  assert.deepEqual(others, []);
  assert.deepEqual(line, {
    level: 'info',
    message: 'A message was written to the mail folder.',
    details: { path: join(data, 'mail', mailFiles(data)[0]!), subject: 'Hello' },
  });
});

test('a message in any language arrives as it was written', async () => {
  const { data, mail } = aMailbox({ title: 'Kirche zum „Heiligen Geist“' });
  const text = 'Grüße, ¡hola!, こんにちは 🔔\n\nEin = Zeichen.';
  await mail.send({ ...hello, subject: 'Grüße 🔔 '.repeat(12), text });
  const [letter] = lettersIn(data);
  assert.equal(letter?.from, 'Kirche zum „Heiligen Geist“ <no-reply@site.test>');
  assert.equal(letter?.subject, 'Grüße 🔔 '.repeat(12).trim());
  assert.equal(letter?.text, text);
});

test('a site without a name of its own sends from its number', async () => {
  for (const [url, address] of [
    ['http://127.0.0.1:8080', 'no-reply@[127.0.0.1]'],
    ['http://[::1]:8080', 'no-reply@[IPv6:::1]'],
    ['http://localhost:8080', 'no-reply@localhost'],
    ['https://bücher.test', 'no-reply@xn--bcher-kva.test'],
  ]) {
    const { data, mail } = aMailbox({ url });
    await mail.send(hello);
    assert.equal(lettersIn(data)[0]?.from, `"Parish" <${address}>`);
  }
});

test('a line break in a subject adds nothing, and one in an address sends nothing', async () => {
  const { data, mail } = aMailbox();
  await mail.send({ ...hello, subject: 'Hello\r\nBcc: eve@site.test' });
  await assert.rejects(mail.send({ ...hello, to: 'ada@site.test\r\nBcc: eve@site.test' }));
  assert.deepEqual(
    lettersIn(data).map(({ subject }) => subject),
    ['Hello Bcc: eve@site.test'],
  );
});

test('a message that cannot be written is told to the sender and leaves nothing half done', async () => {
  const { data, log, mail } = aMailbox();
  writeFileSync(join(data, 'mail'), 'in the way');
  await assert.rejects(mail.send(hello));
  assert.deepEqual(log.lines, []);
  rmSync(join(data, 'mail'));
  mkdirSync(join(data, 'mail'));
  chmodSync(join(data, 'mail'), 0o700);
  await mail.send(hello);
  assert.equal(readdirSync(join(data, 'mail')).length, 1);
});
