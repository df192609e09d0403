// A site's side of SMTP against the mail server of the tests.
import assert from 'node:assert/strict';
import type { NeedsMending } from '#site/email/delivering.ts';
import type { Letter } from '#site/email/letter.ts';
import { createSmtp, type Limits, type Smtp } from '#site/email/smtp.ts';
import type { Hopeless } from '#site/jobs/job.ts';
import {
  type Behaviour,
  type MailServer,
  mailServerCertificate,
  mailServerName,
  startMailServer,
} from './mail-server.ts';

export const letter: Letter = {
  from: { name: 'Parish', address: 'no-reply@site.test' },
  to: 'ada@site.test',
  subject: 'Grüße',
  date: new Date('2026-11-20T12:00:00Z'),
  id: '20261120T120000000Z-1@site.test',
  text: 'Grüße und ein Link: https://site.test/?key=secret',
};

export const user = { name: 'site@site.test', password: 'p@ss: %wörd' };
const credentials = `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@`;
/** No good answer is late, however busy the machine is. */
const patient: Limits = { connect: 60_000, silence: 60_000, whole: 60_000 };
export const never = new AbortController().signal;

interface Asked {
  readonly scheme?: string;
  readonly signedIn?: boolean | string;
  /** By the name that its certificate has, or by its number. */
  readonly named?: boolean;
  readonly trusted?: boolean;
  readonly limits?: Limits;
}

const urlOf = ({ scheme = 'smtp', signedIn, named }: Asked, port: number): string => {
  const who = signedIn === true ? credentials : (signedIn ?? '');
  return `${scheme}://${who || ''}${named ? mailServerName : '127.0.0.1'}:${port}`;
};

export async function speaking(
  behaviour: Behaviour,
  asked: Asked,
  use: (smtp: Smtp, server: MailServer) => Promise<void>,
) {
  const server = await startMailServer(behaviour);
  const { named, trusted = true } = asked;
  const smtp = createSmtp({
    url: urlOf(asked, server.port),
    name: 'site.test',
    limits: asked.limits ?? patient,
    ...(named && { reach: { host: '127.0.0.1', ca: trusted ? mailServerCertificate : '' } }),
  });
  try {
    await use(smtp, server);
  } finally {
    smtp.close();
    await server.stop();
  }
}

export const isRefusal = (kind: typeof Hopeless | typeof NeedsMending, says: RegExp) => (error: Error) => {
  assert.ok(error instanceof kind, String(error));
  assert.match(error.message, says);
  assert.doesNotMatch(error.message, /ada|secret|wörd/);
  return true;
};
