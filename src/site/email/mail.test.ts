import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { day, hour, minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { headersOf, mailFiles } from '#test/letters.ts';
import { aMailbox } from '#test/mailbox.ts';
import { Hopeless } from '../jobs/job.ts';

const hello = { to: 'ada@site.test', subject: 'Hello', text: 'The link: https://site.test/?key=secret' };
const daily = { to: 'ada@site.test', digest: 'security', subject: 'This day', every: day };

eachEngine('mail', (engine) => {
  test('a message becomes a file of its own, which only the owner of the data may read', async () => {
    const { data, mail, letters } = await aMailbox(engine);
    await mail.send(hello);
    assert.deepEqual(await letters(), [{ ...hello, from: 'Parish <no-reply@site.test>' }]);
    const [name] = mailFiles(data);
    assert.match(name!, /^20261120T120000000Z-\d{6}-[0-9a-f]{12}\.eml$/);
    assert.equal(statSync(join(data, 'mail')).mode & 0o777, 0o700);
    assert.equal(statSync(join(data, 'mail', name!)).mode & 0o777, 0o600);
  });

  test('a message waits unreadable, and nothing of it stays once it left', async () => {
    const { store, mail, letters } = await aMailbox(engine);
    await mail.send(hello);
    const kept = async () => JSON.stringify(await store.db.selectFrom('jobs').selectAll().execute());
    assert.doesNotMatch(await kept(), /secret|ada@|Hello/);
    await letters();
    assert.doesNotMatch(await kept(), /secret|ada@|Hello/);
    assert.match(await kept(), /"kind":"mail\.deliver".*"payload":null/);
  });

  test('a message may come from another address than usual, and from one alone', async () => {
    const { mail, letters } = await aMailbox(engine);
    await mail.send({ ...hello, from: 'guard@site.test' });
    assert.deepEqual(await letters(), [{ ...hello, from: 'Parish <guard@site.test>' }]);
    await assert.rejects(mail.send({ ...hello, from: 'a@site.test, b@site.test' }));
  });

  test('who asked what became of a message is told when it is given up, and of no other', async () => {
    const carry = async () => {
      throw new Hopeless('The mail server refused the email permanently: 550.');
    };
    const { mail, letters } = await aMailbox(engine, { carry });
    const told: string[] = [];
    const deaf = mail.onLost((about, error) => void told.push(`${about}: ${(error as Error).message}`));
    mail.onLost(() => {
      throw new Error('It does not matter.');
    });
    await mail.send(hello);
    await mail.send({ ...hello, about: 'a digest' });
    await letters();
    assert.deepEqual(told, ['a digest: The mail server refused the email permanently: 550.']);
    deaf();
    await mail.send({ ...hello, about: 'a digest' });
    await letters();
    assert.equal(told.length, 1);
  });

  test('the files sort in the order the messages were sent, also within one moment', async () => {
    const { mail, letters } = await aMailbox(engine);
    const subjects = Array.from({ length: 12 }, (_, number) => `Number ${number}`);
    for (const subject of subjects) await mail.send({ ...hello, subject });
    assert.deepEqual(
      (await letters()).map(({ subject }) => subject),
      subjects,
    );
  });

  test('the log says that there is a message, and not what it says or to whom', async () => {
    const { log, mail, data, letters } = await aMailbox(engine);
    await mail.send(hello);
    await letters();
    const [name] = mailFiles(data);
    const path = join(data, 'mail', name!);
    const message = 'Wrote an email to the mail folder.';
    assert.deepEqual(log.lines, [{ level: 'info', message, details: { path } }]);
  });

  test('a message in any language arrives as it was written', async () => {
    const { mail, letters } = await aMailbox(engine, { title: 'Kirche zum „Heiligen Geist“' });
    const text = 'Grüße, ¡hola!, こんにちは 🔔\n\nEin = Zeichen.';
    await mail.send({ ...hello, subject: 'Grüße 🔔 '.repeat(12), text });
    const [letter] = await letters();
    assert.equal(letter?.from, 'Kirche zum „Heiligen Geist“ <no-reply@site.test>');
    assert.equal(letter?.subject, 'Grüße 🔔 '.repeat(12).trim());
    assert.equal(letter?.text, text);
  });

  test('a message comes from the name the site has now, and from the address that was named for it', async () => {
    const { mail, site, letters } = await aMailbox(engine, { from: 'office@parish.test' });
    site.title = 'Saint Mary';
    await mail.send(hello);
    assert.equal((await letters())[0]?.from, 'Saint Mary <office@parish.test>');
  });

  test('a site without a name of its own sends from its number', async () => {
    for (const [url, address] of [
      ['http://127.0.0.1:8080', 'no-reply@[127.0.0.1]'],
      ['http://[::1]:8080', 'no-reply@[ipv6:::1]'],
      ['http://localhost:8080', 'no-reply@localhost'],
      ['https://bücher.test', 'no-reply@xn--bcher-kva.test'],
    ]) {
      const { mail, letters } = await aMailbox(engine, { url: url! });
      await mail.send(hello);
      assert.equal((await letters())[0]?.from, `Parish <${address}>`);
    }
  });

  test('a line break in a subject adds nothing, one in an address sends nothing, and who has no address gets nothing', async () => {
    const { mail, letters, jobs } = await aMailbox(engine);
    await mail.send({ ...hello, to: '' });
    await mail.gather({ ...daily, to: '', text: 'something' });
    await mail.send({ ...hello, subject: 'Hello\r\nBcc: eve@site.test' });
    await assert.rejects(mail.send({ ...hello, to: 'ada@site.test\r\nBcc: eve@site.test' }));
    await assert.rejects(mail.gather({ ...daily, to: 'ada@site.test, eve@site.test', text: 'something' }));
    assert.deepEqual(
      (await letters()).map(({ subject }) => subject),
      ['Hello Bcc: eve@site.test'],
    );
    assert.equal((await jobs.list({ kind: 'mail.deliver', most: 10 })).length, 1);
  });

  test('a message that cannot be written waits, is told once, and is written whole when it can be, under one name', async () => {
    const { data, log, mail, later } = await aMailbox(engine);
    writeFileSync(join(data, 'mail'), 'in the way');
    await mail.send(hello);
    await mail.send(hello);
    await later(1);
    assert.deepEqual(
      log.lines.map(({ level, message }) => [level, message]),
      [['warn', 'The email cannot be written to the mail folder (EEXIST). Messages wait.']],
    );
    rmSync(join(data, 'mail'));
    mkdirSync(join(data, 'mail'));
    chmodSync(join(data, 'mail'), 0o700);
    await later(minute);
    assert.equal(readdirSync(join(data, 'mail')).length, 2);
    const letter = readFileSync(join(data, 'mail', mailFiles(data)[0]!), 'utf8');
    assert.equal(headersOf(letter).get('Message-ID'), `<${mailFiles(data)[0]!.replace(/\.eml$/, '')}@site.test>`);
    assert.equal(headersOf(letter).get('Date'), 'Fri, 20 Nov 2026 12:00:00 +0000');
  });

  test('a message is given up after a day', async () => {
    const { data, log, mail, jobs, later } = await aMailbox(engine);
    writeFileSync(join(data, 'mail'), 'in the way');
    await mail.send(hello);
    await later(23 * hour, 23 * 4);
    const state = async () => (await jobs.list({ kind: 'mail.deliver', most: 1 }))[0]?.status;
    assert.equal(await state(), 'queued');
    await later(6 * hour, 6);
    assert.equal(await state(), 'failed');
    assert.equal(log.lines.at(-1)?.message, 'A job failed.');
  });

  test('what a mailbox is sent too much of in an hour comes together an hour later; what is awaited comes at once', async () => {
    const { mail, letters, later } = await aMailbox(engine);
    for (let number = 1; number <= 63; number += 1) await mail.send({ ...hello, subject: `Number ${number}` });
    await mail.send({ ...hello, to: 'eve@site.test' });
    assert.equal((await letters()).filter(({ to }) => to === hello.to).length, 60);
    assert.equal((await letters()).filter(({ to }) => to === 'eve@site.test').length, 1);
    await mail.send({ ...hello, subject: 'Choose', awaited: true });
    assert.equal((await letters()).at(-1)?.subject, 'Choose');
    await later(hour);
    await later(minute);
    const last = (await letters()).at(-1)!;
    assert.equal(last.subject, '[Parish] Further messages');
    assert.equal(last.text.match(/2026-11-20 12:00 UTC\nNumber 6[123]\n\nThe link/g)?.length, 3);
    await mail.send({ ...hello, subject: 'Later' });
    assert.equal((await letters()).at(-1)?.subject, 'Later');
  });

  test('old files are removed, and what the operator put there stays', async () => {
    const { data, mail, letters, later } = await aMailbox(engine);
    await mail.send(hello);
    await letters();
    writeFileSync(join(data, 'mail', 'notes.txt'), 'mine');
    await later(29 * day, 2);
    assert.equal(mailFiles(data).length, 1);
    await later(2 * day, 2);
    assert.deepEqual(readdirSync(join(data, 'mail')), ['notes.txt']);
  });

  test('of ten thousand files and more the newest stay', async () => {
    const { data, mail, letters, later } = await aMailbox(engine);
    mkdirSync(join(data, 'mail'));
    for (let number = 0; number < 10_001; number += 1)
      writeFileSync(join(data, 'mail', `20261120T110000000Z-${String(number).padStart(6, '0')}-x.eml`), '');
    await mail.send(hello);
    await letters();
    await later(6 * hour);
    const names = mailFiles(data);
    assert.equal(names.length, 10_000);
    assert.match(names[0]!, /-000002-x\.eml$/);
    assert.match(names.at(-1)!, /^20261120T12/);
  });
});
