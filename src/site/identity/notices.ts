// What people are told by mail about their own account, so that a change they did not make does not go unnoticed.

import type { Mail } from '../email/mail.ts';
import type { About } from '../platform/about.ts';
import type { Events } from '../platform/events.ts';
import { nobodys, type User } from './users/user.ts';

interface Needs {
  readonly events: Events;
  readonly mail: Mail;
  readonly about: () => Site | Promise<Site>;
}

type Site = Pick<About, 'url' | 'title' | 'door'>;
type What = 'password' | 'email address';

export function sendNotices({ events, mail, about }: Needs): void {
  const tell = async (to: string, subject: string, text: (site: Site) => string): Promise<void> => {
    if (to === '') return;
    const site = await about();
    await mail.send({ to, subject: `[${site.title}] ${subject}`, text: text(site) });
  };
  const changed = (to: string, user: User, what: What): Promise<void> =>
    tell(to, `Your ${what} was changed`, (site) => textOf(user, what, site));
  events.on('password.changed', ({ user }) => changed(user.email, user, 'password'));
  events.on('password.withdrawn', ({ user }) =>
    tell(user.email, 'Choose a new password', (site) => withdrawnFrom(user, site)),
  );
  events.on('application_password.created', async ({ user, name, by }) => {
    if (by === nobodys) return;
    await tell(user.email, 'An app password was created for your account', (site) => madeFor(user, name, by, site));
  });
  events.on('user.changed', async ({ user, before }) => {
    if (user.email === before.email) return;
    await changed(before.email, user, 'email address');
    await changed(user.email, user, 'email address');
  });
}

const withdrawnFrom = ({ login, name }: User, { url, title, door }: Site): string =>
  [
    `Hello ${name},`,
    `your account "${login}" at ${title} (${url}) got more rights. Another user had set its password, so this password no longer works.`,
    `Choose a new password here:
${url}${door}?action=lostpassword`,
  ].join('\n\n');

/** Users are told of their own too, because a stolen session could make one and keep it. */
const madeFor = ({ id, login, name }: User, app: string, by: number, { url, title }: Site): string =>
  [
    `Hello ${name},`,
    by === id
      ? `you created a password for the app "${app}" in your account "${login}" at ${title} (${url}). With it, the app acts for you.`
      : `an administrator of ${title} (${url}) created a password for the app "${app}". With it, the app acts for your account "${login}".`,
    by === id
      ? `If it was not you, revoke the password and change your own at ${url}/account.`
      : `If you did not expect this, revoke the password at ${url}/account and tell the site owner.`,
  ].join('\n\n');

/** The new address is not named: the old one may be read by somebody else by now. */
const textOf = ({ login, name }: User, what: What, { url, title }: Site): string =>
  [
    `Hello ${name},`,
    `the ${what} of your account "${login}" at ${title} (${url}) was changed.`,
    'If you or an administrator did this, no action is needed.',
    'If not, tell the site owner at once: another person may be using your account.',
  ].join('\n\n');
