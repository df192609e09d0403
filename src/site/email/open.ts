import type { Log } from '#store/engine.ts';
import type { Carrier } from './carrier.ts';
import { createMailFolder } from './folder.ts';
import { mailHost } from './letter.ts';

interface Way {
  /** The mail server; without one, letters are files in the data folder. */
  readonly smtp?: string | undefined;
  readonly data: string;
  /** The public base address of the site. */
  readonly url: string;
  readonly log: Pick<Log, 'info'>;
}

export async function openCarrier({ smtp, data, url, log }: Way): Promise<Carrier> {
  if (smtp === undefined) return createMailFolder(data, log);
  const { createSmtp } = await import('./smtp.ts');
  return createSmtp({ url: smtp, name: mailHost(url) });
}
