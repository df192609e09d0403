// Email put together, with the mail server that the operator named.
import type { Config } from '#config/config.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Platform } from '../platform/open.ts';
import type { Carrier } from './delivering.ts';
import { createMailFolder } from './folder.ts';
import { mailHost } from './letter.ts';
import { createMail, type Mail } from './mail.ts';

type MailConfig = Pick<Config, 'smtp' | 'data' | 'url' | 'mailFrom'>;

export async function openMail(needs: Platform & { readonly jobs: Jobs }, config: MailConfig): Promise<Mail> {
  const carrier = await openCarrier(config, needs);
  return createMail({ ...needs, carrier, url: config.url, from: config.mailFrom });
}

/** Without a mail server, letters are files in the data folder. */
async function openCarrier({ smtp, data, url }: MailConfig, { log }: Pick<Platform, 'log'>): Promise<Carrier> {
  if (smtp === undefined) return createMailFolder(data, log);
  const { createSmtp } = await import('./smtp.ts');
  return createSmtp({ url: smtp, name: mailHost(url) });
}
