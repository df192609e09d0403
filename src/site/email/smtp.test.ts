import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readLetter } from '#test/letters.ts';
import { type Behaviour, startMailServer } from '#test/mail-server.ts';
import { checkRows } from '#test/rows.ts';
import { isRefusal, letter, never, speaking, user } from '#test/smtp-talk.ts';
import { Hopeless } from '../jobs/job.ts';
import { NeedsMending } from './delivering.ts';
import { connectionOf, createSmtp } from './smtp.ts';

describe('A mail server', () => {
  test('is handed a letter as it was written, from the site and nobody’s machine', async () => {
    await speaking({}, {}, async (smtp, { arrived }) => {
      await smtp.carry(letter, never);
      const [one, ...others] = arrived;
      assert.deepEqual(
        [one?.from, one?.to, one?.greeted, others],
        ['no-reply@site.test', ['ada@site.test'], 'site.test', []],
      );
      assert.deepEqual(readLetter(one!.raw), {
        from: 'Parish <no-reply@site.test>',
        to: 'ada@site.test',
        subject: letter.subject,
        text: letter.text,
      });
      assert.match(one!.raw, /^Message-ID: <20261120T120000000Z-1@site\.test>\r$/m);
      assert.match(one!.raw, /^Date: Fri, 20 Nov 2026 12:00:00 \+0000\r$/m);
      assert.doesNotMatch(one!.raw, /nodemailer|X-Mailer/i);
      assert.match(one!.raw, /^[\r\n\t -~]*$/);
    });
  });

  test('is told a host with other letters as the net knows it', async () => {
    await speaking({}, {}, async (smtp, { arrived }) => {
      await smtp.carry({ ...letter, to: 'ada@bücher.test' }, never);
      assert.match(arrived[0]!.raw, /^To: ada@xn--bcher-kva\.test\r$/m);
    });
  });

  test('is spoken to on one connection while there is much to hand over', async () => {
    await speaking({}, {}, async (smtp, server) => {
      for (let times = 0; times < 5; times += 1) await smtp.carry({ ...letter, id: `${times}@site.test` }, never);
      assert.deepEqual([server.arrived.length, server.connections()], [5, 1]);
    });
  });

  test('that does not offer TLS is not told the password', async () => {
    await speaking({ tls: 'none', user }, { signedIn: true, named: true }, async (smtp, { arrived }) => {
      await assert.rejects(smtp.carry(letter, never), isRefusal(NeedsMending, /cannot be encrypted/));
      assert.deepEqual(arrived, []);
    });
  });

  test('on the machine itself is told it without TLS', async () => {
    await speaking({ tls: 'starttls', user }, { signedIn: true }, async (smtp, { arrived }) => {
      await smtp.carry(letter, never);
      assert.equal(arrived[0]?.secure, false);
    });
  });

  test('that does not know the password is named, with what it said', async () => {
    await speaking({ user }, { signedIn: 'site:wrong@' }, async (smtp) => {
      const refused = isRefusal(
        NeedsMending,
        /^The mail server 127\.0\.0\.1:\d+ refuses the sign-in of the site: 535 5\.7\.8/,
      );
      await assert.rejects(smtp.carry(letter, never), refused);
      await assert.rejects(smtp.verify(), refused);
    });
  });

  test('that asks for a password where there is none is named', async () => {
    await speaking({ user }, {}, async (smtp) => {
      await assert.rejects(smtp.carry(letter, never), isRefusal(NeedsMending, /refuses all email from the site: 530/));
    });
  });

  test('that does not know the recipient, or does not want the message, is not asked again', async () => {
    const unknown = () => [550, '5.1.1 <ada@site.test>: no such mailbox'] as const;
    await speaking({ recipient: unknown }, {}, (smtp) =>
      assert.rejects(
        smtp.carry(letter, never),
        isRefusal(Hopeless, /^The mail server refused .* 550 5\.1\.1 <…>: no such mailbox\.$/),
      ),
    );
    await speaking({ message: () => [554, '5.7.1 Looks like spam'] }, {}, (smtp) =>
      assert.rejects(smtp.carry(letter, never), isRefusal(Hopeless, /554 5\.7\.1 Looks like spam\.$/)),
    );
  });

  const passing: readonly (readonly [about: string, behaviour: Behaviour, says: RegExp])[] = [
    [
      'has no time for the recipient',
      { recipient: () => [450, 'Greylisted'] },
      /refuses the email at the moment: 450 .*Greylisted/,
    ],
    ['has no time for the message', { message: () => [451, 'Later'] }, /refuses the email at the moment: 451 .*Later/],
    ['hangs up in the middle', { message: () => 'hang up' }, /cannot be reached|refuses the email at the moment/],
  ];
  test('with a passing fault is asked again another time, once', () =>
    checkRows(passing, async ([, behaviour, says]) => {
      await speaking(behaviour, {}, async (smtp, server) => {
        await assert.rejects(smtp.carry(letter, never), (error: Error) => {
          assert.ok(!(error instanceof Hopeless) && !(error instanceof NeedsMending));
          assert.match(error.message, says);
          return true;
        });
        assert.deepEqual([server.arrived, server.connections()], [[], 1]);
      });
    }));

  test('that is not there is told in a sentence', async () => {
    const server = await startMailServer();
    await server.stop();
    const smtp = createSmtp({ url: `smtp://127.0.0.1:${server.port}`, name: 'site.test' });
    const message = `The mail server 127.0.0.1:${server.port} cannot be reached: ECONNREFUSED.`;
    await assert.rejects(smtp.carry(letter, never), { message });
    await assert.rejects(smtp.verify(), { message });
    smtp.close();
  });

  test('is left at once when the site stops', async () => {
    await speaking({ silent: true }, {}, async (smtp) => {
      const stopping = new AbortController();
      const carried = smtp.carry(letter, stopping.signal);
      stopping.abort();
      await assert.rejects(carried, /the site is stopping/);
    });
  });
});

describe('How a mail server is spoken to', () => {
  const cases: readonly (readonly [url: string, expected: object])[] = [
    [
      'smtp://mail.example.org',
      { host: 'mail.example.org', port: 587, secure: false, requireTLS: false, ignoreTLS: false },
    ],
    [
      'smtps://mail.example.org',
      { host: 'mail.example.org', port: 465, secure: true, requireTLS: false, ignoreTLS: false },
    ],
    ['smtp://localhost:25', { host: 'localhost', port: 25, secure: false, requireTLS: false, ignoreTLS: true }],
    ['smtp://[::1]:25', { host: '::1', port: 25, secure: false, requireTLS: false, ignoreTLS: true }],
    [
      'smtp://a%40b:c%3Ad@mail.example.org:2525',
      {
        host: 'mail.example.org',
        port: 2525,
        secure: false,
        requireTLS: true,
        ignoreTLS: false,
        auth: { user: 'a@b', pass: 'c:d' },
        forceAuth: true,
      },
    ],
  ];
  test('follows from its address', () =>
    checkRows(cases, ([url, expected]) => assert.deepEqual(connectionOf(url), expected)));
});
