// Emails that tell users of changes to their passkeys, so that a change they did not make does not go unnoticed.
import type { Services } from '#site/extension.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Credential } from './tables.ts';

export function passkeyEmails({ mail, about, log }: Pick<Services, 'mail' | 'about' | 'log'>) {
  /** What cannot be queued is logged: the change itself is done. */
  async function tell({ email, name, login }: User, subject: string, lines: (at: string) => string[]): Promise<void> {
    if (email === '') return;
    try {
      const { title, url } = await about();
      const text = [
        `Hello ${name},`,
        ...lines(`${url}/account/passkeys`),
        `You get this message because it is about your account "${login}" at ${title} (${url}).`,
      ].join('\n\n');
      await mail.send({ to: email, subject: `[${title}] ${subject}`, text });
    } catch (error) {
      log.error({ err: error }, 'An email about a passkey could not be queued.');
    }
  }
  const called = ({ label }: Credential): string => (label === '' ? 'A passkey' : `The passkey "${label}"`);
  const unknown = 'If this was not you, change your password at once, and remove passkeys that you do not know:';
  return {
    registered: (user: User, credential: Credential) =>
      tell(user, 'A passkey was added to your account', (page) => [
        `${called(credential)} was added to your account. It can be used to sign in without your password.`,
        'If this was you, no action is needed.',
        unknown,
        page,
      ]),
    removed: (user: User, credential: Credential) =>
      tell(user, 'A passkey was removed from your account', (page) => [
        `${called(credential)} was removed from your account. It can no longer be used to sign in.`,
        'If this was you, no action is needed.',
        unknown,
        page,
      ]),
    restored: (user: User, credential: Credential) =>
      tell(user, 'A passkey was restored in your account', (page) => [
        `${called(credential)} was restored. It can be used to sign in without your password again.`,
        'If it was you, no action is needed.',
        unknown,
        page,
      ]),
    allowed: (user: User, isAllowed: boolean) =>
      tell(user, isAllowed ? 'Your passkeys can sign you in' : 'Your passkeys no longer sign you in', (page) => [
        isAllowed
          ? 'Passkeys can sign you in to your account from now on.'
          : 'Passkeys no longer sign you in to your account. You sign in with your password.',
        'If it was you, no action is needed.',
        unknown,
        page,
      ]),
    copied: (user: User, credential: Credential) =>
      tell(user, 'A passkey of yours may have been copied', (page) => [
        `A sign-in with ${called(credential).replace(/^A p|^The p/, (start) => start.toLowerCase())} was refused, because there may be a copy of it.`,
        'Remove this passkey, and add a new one:',
        page,
      ]),
  };
}
