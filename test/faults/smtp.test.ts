// The mail server is away, refuses, is slow or hangs up: nobody who uses the site notices, and every message arrives once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { eachEngine, keptLog, type TestEngine } from '#test/databases.ts';
import { inTime } from '#test/in-time.ts';
import { headersOf, readLetter } from '#test/letters.ts';
import { type Behaviour, type MailServer, startMailServer } from '#test/mail-server.ts';
import { aSite, noon, type SiteOptions, type TestSite } from '#test/site.ts';
import { createDelivery } from '../../src/site/email/delivering.ts';
import { createSmtp } from '../../src/site/email/smtp.ts';

const hello = { to: 'ada@site.test', subject: 'Hello', text: 'The link: https://site.test/?key=secret' };

interface Posted {
  readonly site: TestSite;
  readonly server: MailServer;
  /** Lets time pass, and everything be done that is due then. */
  later(milliseconds: number): Promise<void>;
  readonly said: () => string[];
}

async function posted(engine: TestEngine, behaviour: Behaviour, options: SiteOptions = {}): Promise<Posted> {
  const server = await startMailServer(behaviour);
  engine.atEnd(() => server.stop());
  let now = noon.getTime();
  const env = { GATEHOUSE_SMTP: `smtp://127.0.0.1:${server.port}` };
  const site = await aSite(engine, { ...options, env, clock: () => new Date(now) });
  const said = () => site.log.lines.filter(({ level }) => level !== 'info').map(({ message }) => message);
  const later = async (milliseconds: number) => {
    now += milliseconds;
    await site.app.services.jobs.settled();
  };
  return { site, server, later, said };
}

const ended = async ({ app }: TestSite) =>
  (await app.services.jobs.list({ kind: 'mail.deliver', most: 100 })).map(({ status }) => status);

/** What was said is part of the test; only what it did not expect is shown. */
const heard = ({ log }: TestSite) => log.lines.splice(0);

eachEngine('The mail server', (engine) => {
  test('is handed what people wait for, by way of the page', async () => {
    const { site, server, later } = await posted(engine, {});
    await site.user({ login: 'ada', email: 'ada@site.test', roles: ['author'] });
    await site.app.services.identity.resets.request('ada', '192.0.2.7');
    await site.app.services.events.settled();
    await later(0);
    const [letter, ...others] = server.arrived.map(({ raw }) => readLetter(raw));
    assert.deepEqual([letter?.to, others], ['ada@site.test', []]);
    assert.match(letter!.text, /http:\/\/site\.test\/wp-login\.php\?action=rp&key=[\w-]{43}&login=ada\n/);
  });

  test('is away: the message waits, the log says so, and it arrives once when the server is back', async () => {
    const { site, server, later, said } = await posted(engine, {});
    await server.stop();
    await site.app.services.mail.send(hello);
    await later(0);
    assert.deepEqual(said(), [
      `The mail server 127.0.0.1:${server.port} cannot be reached: ECONNREFUSED. Messages wait.`,
    ]);
    await later(30 * minute);
    const back = await startMailServer({}, server.port);
    engine.atEnd(() => back.stop());
    for (let times = 0; times < 3; times += 1) await later(60 * minute);
    assert.equal(back.arrived.length, 1);
    const headers = headersOf(back.arrived[0]!.raw);
    assert.equal(headers.get('Date'), 'Fri, 20 Nov 2026 12:00:00 +0000');
    assert.match(headers.get('Message-ID')!, /^<20261120T120000000Z-/);
    assert.deepEqual(await ended(site), ['done']);
  });

  test('was away for hours: what waited follows the first message that it takes; what it put off itself waits on', async () => {
    let isBusy = true;
    const message = () => (isBusy ? ([451, '4.7.1 Later'] as const) : undefined);
    const { site, server, later } = await posted(engine, { message });
    await site.app.services.mail.send({ ...hello, subject: 'Put off' });
    for (let times = 0; times < 4; times += 1) await later(4 * minute);
    isBusy = false;
    await server.stop();
    await site.app.services.mail.send({ ...hello, subject: 'Waited' });
    for (let times = 0; times < 5; times += 1) await later(minute);
    const back = await startMailServer({}, server.port);
    engine.atEnd(() => back.stop());
    await site.app.services.mail.send(hello);
    await later(0);
    assert.deepEqual(
      back.arrived.map(({ raw }) => readLetter(raw).subject),
      ['Hello', 'Waited'],
    );
  });

  test('refuses the recipient: it is told once, and not tried again', async () => {
    let asked = 0;
    const recipient = () => {
      asked += 1;
      return [550, '5.1.1 <ada@site.test>: unknown'] as const;
    };
    const { site, later, said } = await posted(engine, { recipient });
    await site.app.services.mail.send(hello);
    for (let times = 0; times < 5; times += 1) await later(60 * minute);
    assert.deepEqual([asked, await ended(site)], [1, ['failed']]);
    assert.deepEqual(said(), ['A job failed.']);
    const log = JSON.stringify(heard(site));
    assert.match(log, /"reason":"The mail server refused the email permanently: 550 5\.1\.1 <…>: unknown\."/);
    assert.doesNotMatch(log, /ada@|secret/);
  });

  test('asks for a moment: the message is sent a minute later', async () => {
    let asked = 0;
    const message = () => {
      asked += 1;
      return asked === 1 ? ([451, '4.7.1 Later'] as const) : undefined;
    };
    const { site, server, later, said } = await posted(engine, { message });
    await site.app.services.mail.send(hello);
    await later(0);
    assert.equal(server.arrived.length, 0);
    await later(minute);
    assert.equal(server.arrived.length, 1);
    assert.match(said().join(), /refuses the email at the moment: 451 4\.7\.1 Later\. Messages wait\.$/);
  });

  test('hangs up in the middle of a message: it is sent again, and is the same', async () => {
    const replies = ['hang up', undefined] as const;
    let asked = 0;
    const { site, server, later } = await posted(engine, { message: () => replies[asked++] });
    await site.app.services.mail.send(hello);
    await later(0);
    await later(minute);
    assert.deepEqual([asked, server.arrived.length], [2, 1]);
  });

  test('does not know the password: that is an error in the log, and mended without losing anything', async () => {
    const user = { name: 'site', password: 'the right one' };
    const { site, server, later, said } = await posted(engine, { user });
    await site.app.services.mail.send(hello);
    await later(0);
    assert.match(said().join(), /refuses all email from the site: 530/);
    assert.equal(heard(site).at(-1)?.level, 'error');
    await server.stop();
    const mended = await startMailServer({}, server.port);
    engine.atEnd(() => mended.stop());
    await later(minute);
    assert.equal(mended.arrived.length, 1);
  });

  test('never greets: nobody waits for it, also not who stops the site', async () => {
    const { site } = await posted(engine, { silent: true });
    const begun = performance.now();
    for (let times = 0; times < 8; times += 1) await site.app.services.mail.send(hello);
    await site.app.close();
    inTime(performance.now() - begun, 5_000);
  });

  test('is handed each message once by two processes that work at the same time', async () => {
    const { site, server, later } = await posted(engine, {});
    const { data, database } = site.config;
    const env = { GATEHOUSE_SMTP: site.config.smtp! };
    const second = await aSite(engine, { env, config: { data, ...(database && { database }) } });
    const subjects = Array.from({ length: 40 }, (_, number) => `Number ${number}`);
    await Promise.all(
      subjects.map((subject, at) => (at % 2 ? site : second).app.services.mail.send({ ...hello, subject })),
    );
    await Promise.all([later(0), second.app.services.jobs.settled()]);
    const arrived = server.arrived.map(({ raw }) => readLetter(raw).subject);
    assert.deepEqual(arrived.sort(), subjects.sort());
  });
});

test('a letter that was taken is not handed over again when the queue did not learn of it', async () => {
  const server = await startMailServer();
  const smtp = createSmtp({ url: `smtp://127.0.0.1:${server.port}`, name: 'site.test' });
  const deliver = createDelivery(smtp, keptLog(), () => noon);
  const letter = { ...hello, from: { name: 'Parish', address: 'no-reply@site.test' }, date: noon, id: '1@site.test' };
  for (let times = 0; times < 2; times += 1) await deliver(letter, new AbortController().signal);
  assert.equal(server.arrived.length, 1);
  smtp.close();
  await server.stop();
});
