// What went wrong with a mail server, as one sentence that names no recipient.
import type { NodemailerError } from 'nodemailer/lib/errors';
import { Unavailable } from '#lib/failures.ts';
import { printable } from '#lib/printable.ts';
import { Hopeless } from '../jobs/job.ts';
import { Blocked, NeedsMending } from './carrier.ts';

export function smtpTrouble(error: unknown, place: string): Error {
  const trouble = error as NodemailerError & { originalCode?: string };
  const reply = replyOf(trouble);
  if (trouble.code === 'EAUTH')
    return new NeedsMending(`The mail server ${place} does not let the site in: ${reply || 'no way to sign in'}.`);
  if (isOfTls(trouble))
    return new NeedsMending(`No safe connection to the mail server ${place}: ${reply || reasonOf(trouble)}.`);
  if (trouble.code === 'EABORT')
    return new Unavailable(`The mail server ${place} took too long, or the site is stopping.`);
  const isOfLetter = /^(?:RCPT TO|DATA)$/.test(trouble.command ?? '');
  if (trouble.permanent && isOfLetter) return new Hopeless(`The mail server refused the message for good: ${reply}.`);
  if (trouble.permanent) return new NeedsMending(`The mail server ${place} takes nothing from the site: ${reply}.`);
  const Away = isOfLetter ? Unavailable : Blocked;
  if (reply !== '') return new Away(`The mail server ${place} takes no message now: ${reply}.`);
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
  originalCode ?? (code === 'ETIMEDOUT' ? 'it does not answer in time' : message);
