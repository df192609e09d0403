// Emails that tell users of each change to their two-factor authentication, and what the security log says of it.
import type { Services } from '#site/extension.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Logs } from '../../logs/logs.ts';

interface ChangeMailDeps extends Pick<Services, 'mail' | 'about'> {
  readonly logs: Pick<Logs, 'write'>;
}

const changes = {
  'app-on': [
    'An authenticator app was set up',
    'an authenticator app was set up. You sign in with its codes from now on.',
  ],
  'app-off': ['An authenticator app was removed', 'the authenticator app was removed. Its codes no longer work.'],
  'email-on': [
    'Emailed codes were turned on',
    'emailed codes were turned on. You can sign in with a code from an email.',
  ],
  'email-off': ['Emailed codes were turned off', 'emailed codes were turned off.'],
  codes: ['You have new recovery codes', 'new recovery codes were created. The old codes no longer work.'],
  'recovery-used': ['A recovery code was used', 'a recovery code was used to sign in. It does not work again.'],
  kept: ['A code is asked for after each sign-in', 'a code is asked for after a passkey or a link, too.'],
  unkept: [
    'No code is asked for after a passkey or a link',
    'a passkey or a link by email signs you in without a code.',
  ],
  off: ['Two-factor authentication was turned off', 'two-factor authentication was turned off.'],
  reset: [
    'Two-factor authentication was reset',
    'two-factor authentication was reset by the operator of the site. Your app and your recovery codes no longer work.',
  ],
  denied: [
    'Set up two-factor authentication again',
    'you denied a device. The app and the recovery codes that were set up since its first sign-in no longer work.',
  ],
} as const;
export type FactorChange = keyof typeof changes;

export const createChangeMail =
  ({ mail, about, logs }: ChangeMailDeps) =>
  async (user: User, change: FactorChange, codesLeft?: number): Promise<void> => {
    logs.write({ module: 'two_factor', code: `changed::${user.id},${change}`, type: 'notice' });
    if (user.email === '') return;
    const [subject, sentence] = changes[change];
    const { title, url } = await about();
    const text = [
      `Hello ${user.name},`,
      `${sentence} This is about your account "${user.login}" at ${title} (${url}).`,
      ...(codesLeft === undefined
        ? []
        : [`You have ${codesLeft} recovery codes left. Create new codes at ${url}/account/two-factor.`]),
      change === 'denied'
        ? `If this was you, set them up again at ${url}/account/two-factor.`
        : 'If this was you, no action is needed.',
      `If not, another person uses your account. Change your password at ${url}/account, and tell the site owner.`,
    ].join('\n\n');
    await mail.send({ to: user.email, subject: `[${title}] ${subject}`, text });
  };
