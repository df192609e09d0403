// A real mail server inside the test: what it was handed, and a way to have it misbehave.
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { certificateFor } from './certificate.ts';

/** What it is called where it speaks TLS, and who vouches for that: itself. */
export const mailServerName = 'mail.test';
const certificate = certificateFor(mailServerName);
export const mailServerCertificate = certificate.cert;

/** `550`, `451` … and what is said with it. */
export type Reply = readonly [code: number, said: string];

export interface Behaviour {
  /** What it says to a recipient, and to a message, instead of taking them. */
  readonly recipient?: () => Reply | undefined;
  readonly message?: () => Reply | 'hang up' | 'say nothing' | undefined;
  /** What it waits for before it takes a message. */
  readonly takes?: () => Promise<unknown>;
  /** Never greets. */
  readonly silent?: boolean;
  /** Whom it lets in; anybody, without it. */
  readonly user?: { readonly name: string; readonly password: string };
  /** Whether it can speak TLS: not at all, when asked, or from the start. */
  readonly tls?: 'none' | 'starttls' | 'always';
}

export interface Arrived {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly secure: boolean;
  readonly greeted: string;
}

export interface MailServer {
  readonly port: number;
  readonly arrived: readonly Arrived[];
  /** How often somebody connected. */
  readonly connections: () => number;
  /** How many are connected now. */
  readonly connected: () => number;
  stop(): Promise<void>;
}

/** On the port given, or on any that is free. */
export async function startMailServer(behaviour: Behaviour = {}, port = 0): Promise<MailServer> {
  const arrived: Arrived[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = new SMTPServer({ ...optionsOf(behaviour), ...handlers(behaviour, arrived, sockets) });
  server.on('error', () => {}); // a client that hangs up
  server.server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    arrived,
    connections: () => connections,
    connected: () => sockets.size,
    stop: async () => {
      const closed = once(server.server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function optionsOf({ user, tls = 'none' }: Behaviour): SMTPServerOptions {
  return {
    secure: tls === 'always',
    ...certificate,
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(user ? [] : ['AUTH'])],
    authOptional: user === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
  };
}

const refusal = ([responseCode, said]: Reply): Error => Object.assign(new Error(said), { responseCode });

function handlers({ silent, user, recipient, message, takes }: Behaviour, arrived: Arrived[], sockets: Set<Socket>) {
  return {
    onConnect: (_session, done) => {
      if (!silent) done();
    },
    onAuth: ({ username, password }, _session, done) => {
      if (username === user?.name && password === user?.password) return done(null, { user: username });
      done(refusal([535, '5.7.8 Nobody by that name']));
    },
    onRcptTo: (_address, _session, done) => {
      const reply = recipient?.();
      done(reply && refusal(reply));
    },
    onData: async (stream, { envelope, secure, clientHostname, hostNameAppearsAs }, done) => {
      const raw = await text(stream).catch(() => undefined);
      if (raw === undefined) return; // a client that went away in the middle of it: nothing has arrived, and nobody is told
      await takes?.();
      const reply = message?.();
      if (reply === 'say nothing') return;
      if (reply === 'hang up') for (const socket of sockets) socket.destroy();
      else if (reply) done(refusal(reply));
      else {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        arrived.push({ from, to, raw, secure, greeted: hostNameAppearsAs || clientHostname });
        done(null);
      }
    },
  } satisfies SMTPServerOptions;
}
