// Messages to people. Each is one file in the data folder, for the operator to send on or to read.
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { written } from '#lib/letter.ts';
import type { Log } from '#store/engine.ts';
import type { Clock } from '../clock.ts';

export interface Message {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export interface Mail {
  send(message: Message): Promise<void>;
}

export interface MailOptions {
  readonly data: string;
  readonly log: Pick<Log, 'info'>;
  readonly clock: Clock;
  /** The public base address, and what the site is called. */
  readonly site: { readonly url: string; readonly title: string };
}

export function createMail({ data, log, clock, site }: MailOptions): Mail {
  const folder = join(data, 'mail');
  const host = hostOf(site.url);
  const from = { name: site.title, address: `no-reply@${host}` };
  let sent = 0;
  return {
    async send(message) {
      sent += 1;
      const date = clock();
      const name = nameOf(date, sent);
      const letter = written({ ...message, from, date, id: `${name}@${host}` });
      const path = join(folder, `${name}.eml`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await keep(path, letter);
      // What it says is between the site and the person: it may hold a link that opens an account.
      log.info({ path, subject: message.subject }, 'A message was written to the mail folder.');
    },
  };
}

/** Sorts by time, and by order where the clock stands still; unique among processes by chance. */
const nameOf = (date: Date, sent: number): string =>
  [date.toISOString().replace(/[-:.]/g, ''), String(sent).padStart(6, '0'), randomBytes(6).toString('hex')].join('-');

/** Whole or not at all: whoever watches the folder never meets half a message. */
async function keep(path: string, letter: string): Promise<void> {
  const unfinished = `${path}.part`;
  try {
    await writeFile(unfinished, letter, { mode: 0o600, flag: 'wx', flush: true });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** As an email address has it: a number instead of a name stands in brackets. */
function hostOf(url: string): string {
  const { hostname } = new URL(url);
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1)}`;
  return isIPv4(hostname) ? `[${hostname}]` : hostname;
}
