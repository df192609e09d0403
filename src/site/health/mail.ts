// Mail: where messages go, and whether the mail server lets the site in. Nothing is sent.
import { Unavailable } from '#lib/failures.ts';
import { mailFolder } from '../email/folder.ts';
import { mailHost } from '../email/letter-id.ts';
import { note, ok, type Seen, warning } from './check.ts';
import type { Installation } from './installation.ts';

export async function mail({ smtp: url, data, url: site }: Installation): Promise<Seen> {
  if (url === undefined)
    return note(`messages are files in ${mailFolder(data)}`, `Set GATEHOUSE_SMTP to send them to people.`);
  const { createSmtp } = await import('../email/smtp.ts');
  const smtp = createSmtp({ url, name: mailHost(site) });
  try {
    await smtp.verify();
    return ok(`${new URL(url).host} takes messages from the site`);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return warning(error.message.replace(/\.$/, ''), `Mend the server or GATEHOUSE_SMTP; messages wait for a day.`);
  } finally {
    smtp.close();
  }
}
