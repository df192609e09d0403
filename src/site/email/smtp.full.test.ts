// Mail servers over TLS, and those that keep the site waiting in real time.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import type { Behaviour } from '#test/mail-server.ts';
import { checkRows } from '#test/rows.ts';
import { isRefusal, letter, never, speaking, user } from '#test/smtp-talk.ts';
import { Hopeless } from '../jobs/job.ts';
import { NeedsMending } from './delivering.ts';
import { createSmtp, type Limits } from './smtp.ts';

const limits: Limits = { connect: 500, silence: 500, whole: 2_000 };

describe('A mail server', () => {
  for (const [tls, scheme] of [
    ['starttls', 'smtp'],
    ['always', 'smtps'],
  ] as const) {
    test(`is told the password inside TLS alone (${scheme})`, async () => {
      await speaking({ tls, user }, { scheme, signedIn: true, named: true }, async (smtp, { arrived }) => {
        await smtp.verify();
        await smtp.carry(letter, never);
        assert.equal(arrived[0]?.secure, true);
      });
    });

    test(`that nobody vouches for is told nothing (${scheme})`, async () => {
      const asked = { scheme, signedIn: true, named: true, trusted: false };
      await speaking({ tls, user }, asked, async (smtp, { arrived }) => {
        await assert.rejects(smtp.carry(letter, never), isRefusal(NeedsMending, /cannot be encrypted: .*CERT/));
        await assert.rejects(smtp.verify(), isRefusal(NeedsMending, /cannot be encrypted/));
        assert.deepEqual(arrived, []);
      });
    });
  }

  const silent: readonly (readonly [about: string, behaviour: Behaviour, says: RegExp])[] = [
    ['never greets', { silent: true }, /cannot be reached: it does not answer within the time limit/],
    [
      'falls silent in the middle',
      { message: () => 'say nothing' },
      /cannot be reached: it does not answer within the time limit/,
    ],
  ];
  test('that is silent is asked again another time, once', () =>
    checkRows(silent, async ([, behaviour, says]) => {
      await speaking(behaviour, { limits }, async (smtp, server) => {
        await assert.rejects(smtp.carry(letter, never), (error: Error) => {
          assert.ok(!(error instanceof Hopeless) && !(error instanceof NeedsMending));
          assert.match(error.message, says);
          return true;
        });
        assert.deepEqual([server.arrived, server.connections()], [[], 1]);
      });
    }));

  test('that says one word at a time is left after a while', async () => {
    const drip = await dripping();
    const { port } = drip.server.address() as { port: number };
    const whole = { connect: 5_000, silence: 5_000, whole: 300 };
    const smtp = createSmtp({ url: `smtp://127.0.0.1:${port}`, name: 'site.test', limits: whole });
    await assert.rejects(smtp.carry(letter, never), /did not answer within the time limit/);
    smtp.close();
    drip.stop();
  });
});

/** Greets in a line that never ends. */
async function dripping(): Promise<{ server: Server; stop(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.write('220-');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(() => {
    for (const socket of sockets) socket.write('.');
  }, 50);
  return {
    server,
    stop: () => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
