// What doctor looks at about mail: where messages go, and whether the mail server lets the site in. Nothing is sent.
import { Unavailable } from '#lib/failures.ts';
import { mailFolder } from '#site/mail/folder.ts';
import { mailHost } from '#site/mail/letter-id.ts';
import { createSmtp } from '#site/mail/smtp.ts';
import { type Config, envOf } from '../config.ts';
import { type Finding, note, ok, warning } from './findings.ts';

export async function mail({ smtp: url, data, url: site }: Config): Promise<Finding> {
  const what = 'Mail';
  if (url === undefined)
    return note(what, `messages are files in ${mailFolder(data)}`, `Set ${envOf('smtp')} to send them to people.`);
  const smtp = createSmtp({ url, name: mailHost(site) });
  try {
    await smtp.verify();
    return ok(what, `${new URL(url).host} takes messages from the site`);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return warning(
      what,
      error.message.replace(/\.$/, ''),
      `Mend the server or ${envOf('smtp')}; messages wait for a day.`,
    );
  } finally {
    smtp.close();
  }
}
