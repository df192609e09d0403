// What people are told by mail about their own account, so that a change they did not make does not go unnoticed.
import type { Events } from './events.ts';
import { nobodys, type User } from './identity/users/user.ts';
import type { Mail } from './mail/mail.ts';

export interface Needs {
  readonly events: Events;
  readonly mail: Mail;
  /** The public base address, and what the site is called. */
  readonly site: { readonly url: string; readonly title: string };
}

type What = 'password' | 'email address';

export function sendNotices({ events, mail, site }: Needs): void {
  const tell = async (to: string, user: User, what: What): Promise<void> => {
    if (to === '') return;
    await mail.send({ to, subject: `[${site.title}] Your ${what} was changed`, text: textOf(user, what, site) });
  };
  events.on('password.changed', ({ user }) => tell(user.email, user, 'password'));
  events.on('password.withdrawn', async ({ user }) => {
    if (user.email === '') return;
    const subject = `[${site.title}] Please choose a new password`;
    await mail.send({ to: user.email, subject, text: withdrawnFrom(user, site) });
  });
  events.on('application_password.created', async ({ user, name, by }) => {
    if (user.email === '' || by === user.id || by === nobodys) return;
    const subject = `[${site.title}] A password for an app was made for you`;
    await mail.send({ to: user.email, subject, text: madeFor(user, name, site) });
  });
  events.on('user.changed', async ({ user, before }) => {
    if (user.email === before.email) return;
    await tell(before.email, user, 'email address');
    await tell(user.email, user, 'email address');
  });
}

const withdrawnFrom = ({ login, name }: User, { url, title }: Needs['site']): string =>
  [
    `Hello ${name},`,
    `your account "${login}" at ${title} (${url}) may do more from now on. Its password had been set by somebody else, so it opens nothing any more.`,
    `Please choose one of your own: ${url}/wp-login.php?action=lostpassword`,
  ].join('\n\n');

const madeFor = ({ login, name }: User, app: string, { url, title }: Needs['site']): string =>
  [
    `Hello ${name},`,
    `somebody who looks after ${title} (${url}) made a password for the app "${app}", which acts for your account "${login}" with it.`,
    `If you do not know of this, you can take it back at ${url}/account, and please tell the people who run the site.`,
  ].join('\n\n');

/** The new address is not named: the old one may be read by somebody else by now. */
const textOf = ({ login, name }: User, what: What, { url, title }: Needs['site']): string =>
  [
    `Hello ${name},`,
    `the ${what} of your account "${login}" at ${title} (${url}) was changed.`,
    'If it was you, or somebody who looks after the site did it for you, there is nothing to do.',
    'If not, please tell the people who run the site at once: somebody else may be using your account.',
  ].join('\n\n');
