// Letters handed to the mail server that the operator named. Its address is the operator's own, so it is opened here, past the guard
// of outgoing requests.
import { createTransport } from 'nodemailer';
import type { NodemailerError } from 'nodemailer/lib/errors';
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import { Unavailable } from '#lib/failures.ts';
import { isLoopback } from '#lib/ip-address.ts';
import { printable } from '#lib/printable.ts';
import { Hopeless } from '../jobs/job.ts';
import { Blocked, type Carrier, mailLane, NeedsMending } from './delivering.ts';
import { composed } from './letter.ts';

interface SmtpOptions {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the start. */
  readonly url: string;
  /** How the site introduces itself: its host, as an email address has it. */
  readonly name: string;
  readonly limits?: Limits;
  /** Where the server of that name is and whose word for it is taken; tests say so. */
  readonly reach?: { readonly host: string; readonly ca: string };
}

export interface Limits {
  /** Until it greets, TLS included; in milliseconds, like the others. */
  readonly connect: number;
  /** Without a word from it. */
  readonly silence: number;
  /** For one letter in all. */
  readonly whole: number;
}

const usual: Limits = { connect: 10_000, silence: 30_000, whole: 120_000 };

export interface Smtp extends Carrier {
  /** Greets the server and signs in, and sends nothing. Throws as `carry` does. */
  verify(): Promise<void>;
}

export function createSmtp({ url, name, limits = usual, reach }: SmtpOptions): Smtp {
  const transport = createTransport({ ...connectionOf(url), ...boundsOf(limits), ...reached(url, reach), name });
  const told = (error: unknown): never => {
    throw smtpTrouble(error, placeOf(url));
  };
  return {
    async carry(letter, signal) {
      const envelope = { from: letter.from.address, to: [letter.to] };
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(limits.whole)]);
      await transport.sendMail({ envelope, raw: await composed(letter, 7), signal: inTime }).catch(told);
    },
    async verify() {
      await transport.verify().catch(told);
    },
    tidy: async () => 0,
    close: () => transport.close(),
  };
}

const standardPort = (protocol: string): number => (protocol === 'smtps:' ? 465 : 587);

const placeOf = (url: string): string => {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || standardPort(protocol)}`;
};

/** What the address of a server says of how it is spoken to. */
export function connectionOf(text: string) {
  const url = new URL(text);
  const isHere = isLoopback(url.hostname);
  const secure = url.protocol === 'smtps:';
  const user = decoded(url.username);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || standardPort(url.protocol)),
    secure,
    // A password never goes in the clear, also where somebody between takes the offer of TLS away.
    requireTLS: !secure && !isHere && user !== '',
    // What stays on the machine needs no TLS, and a server there mostly has a certificate that nobody vouches for.
    ignoreTLS: !secure && isHere,
    ...(user !== '' && { auth: { user, pass: decoded(url.password) }, forceAuth: true }),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a password with a % that nobody escaped
  }
}

const boundsOf = ({ connect, silence }: Limits) =>
  ({
    pool: true,
    maxConnections: mailLane.atOnce,
    idleTimeout: 20_000,
    // Whether a letter is tried again is for the queue to say.
    maxRequeues: 0,
    connectionTimeout: connect,
    greetingTimeout: connect,
    socketTimeout: silence,
    socketCloseTimeout: 1_000,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  }) satisfies SMTPPoolOptions;

const reached = (url: string, reach: SmtpOptions['reach']) =>
  reach && { host: reach.host, servername: new URL(url).hostname, tls: { ca: reach.ca } };

// Failures of a mail server become one sentence without recipients, because logs and pages show it.

function smtpTrouble(error: unknown, place: string): Error {
  const trouble = error as NodemailerError & { originalCode?: string };
  const reply = replyOf(trouble);
  if (trouble.code === 'EAUTH')
    return new NeedsMending(
      `The mail server ${place} refuses the sign-in of the site: ${reply || 'no supported sign-in method'}.`,
    );
  if (isOfTls(trouble))
    return new NeedsMending(
      `The connection to the mail server ${place} cannot be encrypted: ${reply || reasonOf(trouble)}.`,
    );
  if (trouble.code === 'EABORT')
    return new Unavailable(`The mail server ${place} did not answer within the time limit, or the site is stopping.`);
  const isOfLetter = /^(?:RCPT TO|DATA)$/.test(trouble.command ?? '');
  if (trouble.permanent && isOfLetter) return new Hopeless(`The mail server refused the email permanently: ${reply}.`);
  if (trouble.permanent) return new NeedsMending(`The mail server ${place} refuses all email from the site: ${reply}.`);
  const Away = isOfLetter ? Unavailable : Blocked;
  if (reply !== '') return new Away(`The mail server ${place} refuses the email at the moment: ${reply}.`);
  return new Away(`The mail server ${place} cannot be reached: ${reasonOf(trouble)}.`);
}

const isOfTls = ({ code = '', originalCode = '' }: { code?: string; originalCode?: string }): boolean =>
  code === 'ETLS' || /CERT|TLS|SSL|SIGNATURE|ISSUER/.test(originalCode);

const longestReply = 200;

/** What the server said, its code first. It likes to repeat the recipient. */
const replyOf = ({ response }: NodemailerError): string =>
  typeof response !== 'string'
    ? ''
    : printable(response.replace(/\s+/g, ' '))
        .replace(/[^\s<>:;,()"]+@[^\s<>:;,()"]+/g, '…')
        .slice(0, longestReply)
        .replace(/[\s.]+$/, '');

const reasonOf = ({ originalCode, code, message }: { originalCode?: string; code?: string; message: string }): string =>
  originalCode ?? (code === 'ETIMEDOUT' ? 'it does not answer within the time limit' : message);
