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
    tell(user.email, 'Please choose a new password', (site) => withdrawnFrom(user, site)),
  );
  events.on('application_password.created', async ({ user, name, by }) => {
    if (by === nobodys) return;
    await tell(user.email, 'A password for an app was made for you', (site) => madeFor(user, name, by, site));
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
    `your account "${login}" at ${title} (${url}) may do more from now on. Its password had been set by somebody else, so it opens nothing any more.`,
    `Please choose one of your own: ${url}${door}?action=lostpassword`,
  ].join('\n\n');

/** Users are told of their own too, because a stolen session could make one and keep it. */
const madeFor = ({ id, login, name }: User, app: string, by: number, { url, title }: Site): string =>
  [
    `Hello ${name},`,
    by === id
      ? `a password for the app "${app}" was made in your account "${login}" at ${title} (${url}). The app acts for you with it.`
      : `somebody who looks after ${title} (${url}) made a password for the app "${app}", which acts for your account "${login}" with it.`,
    by === id
      ? `If it was you, there is nothing to do. If not, take it back and change your password at ${url}/account.`
      : `If you do not know of this, you can take it back at ${url}/account, and please tell the people who run the site.`,
  ].join('\n\n');

/** The new address is not named: the old one may be read by somebody else by now. */
const textOf = ({ login, name }: User, what: What, { url, title }: Site): string =>
  [
    `Hello ${name},`,
    `the ${what} of your account "${login}" at ${title} (${url}) was changed.`,
    'If it was you, or somebody who looks after the site did it for you, there is nothing to do.',
    'If not, please tell the people who run the site at once: somebody else may be using your account.',
  ].join('\n\n');
