// Two-factor authentication: a code besides the password.

import { defineError } from '#kernel/problem.ts';
import { day } from '#lib/spans.ts';
import type { Attempt } from '#site/identity/checks.ts';
import type { User } from '#site/identity/users/user.ts';
import { issueRoutes } from '../../accounts/issue-routes.ts';
import { ofUser } from '../../logs/named.ts';
import { codeTags, personTags, siteTags, whileRunning } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { createCodeStep } from './code-step.ts';
import { createRememberedDevices } from './devices.ts';
import { createFactors } from './factors.ts';
import { proTwoFactor, twoFactor } from './module.ts';
import { factsOf, overviewErrors, remind, twoFactorAdditions, twoFactorScan } from './overview.ts';
import { createTwoFactorPage } from './page.ts';
import { createSetUpStep } from './set-up-step.ts';
import { twoFactorMigrations, twoFactorTables } from './tables.ts';

const errors = {
  applicationPasswordNotAllowed: defineError(
    403,
    'application_passwords_not_allowed',
    'Your account cannot use application passwords. Ask a security manager to add you to a group that can.',
  ),
};

export const twoFactorPart = part({
  name: 'two-factor',
  modules: [twoFactor, proTwoFactor],
  errors: { ...errors, ...overviewErrors },
  tables: {
    migrations: twoFactorMigrations,
    users: Object.fromEntries(twoFactorTables.map((table) => [table, ['user_id']])),
  },
  notifications: [
    {
      slug: 'two-factor-email',
      ...whileRunning('two-factor'),
      recipient: 'user',
      label: 'Sign-in code',
      description: 'Sends the code that users enter after their password.',
      subject: 'Your sign-in code',
      message:
        '<p>Hello {{ $display_name }},</p><p>to finish signing in to your account {{ $username }} at {{ $site_title }}, enter the code below.</p>',
      tags: codeTags,
    },
    {
      slug: 'two-factor-confirm-email',
      ...whileRunning('two-factor'),
      recipient: 'user',
      label: 'Code to turn on emailed codes',
      description: 'Checks that emailed codes arrive.',
      subject: 'Your code to turn on emailed codes',
      message:
        '<p>Hello {{ $display_name }},</p><p>to receive sign-in codes for your account {{ $username }} at {{ $site_title }} at this email address, enter the code below.</p>',
      optional: true,
      tags: codeTags,
    },
    {
      slug: 'two-factor-reminder',
      ...whileRunning('two-factor'),
      recipient: 'user',
      label: 'Reminder to set up two-factor authentication',
      description: 'Asks a user to set up two-factor authentication. A security manager sends it.',
      subject: 'Set up two-factor authentication',
      message:
        '<p>Hello {{ $display_name }},</p><p>{{ $requester_display_name }} asks you to set up two-factor authentication for your account {{ $username }} at {{ $site_title }}. With it, another person who knows your password cannot sign in as you.</p>',
      tags: {
        ...personTags,
        requester_username: 'Login of the user who sends the reminder.',
        requester_display_name: 'Name of the user who sends the reminder.',
        site_title: siteTags.site_title,
      },
    },
  ],
  logged: {
    two_factor: {
      label: 'Two-factor authentication',
      codes: {
        successful_authentication: ofUser('Code accepted'),
        failed_authentication: ofUser('Code refused'),
        remember_success: ofUser('No code needed on a remembered device'),
        changed: ofUser('Two-factor authentication changed'),
      },
    },
  },
  make: (services, { settings, switches, matchables, logs, center, locator, defends, accounts }) => {
    const { matches } = matchables;
    const isOn = () => defends('two-factor');
    const devices = createRememberedDevices({ ...services, locator });
    const { isRunning } = switches;
    const factors = createFactors({ ...services, settings, matches, logs, send: center.send, isOn, isRunning });
    const steps = { ...services, factors, devices, settings, logs, matches, isRunning };
    const { keep, endSince, tellDenied } = factors;
    accounts.twoFactorFacts.provide({ of: (users) => factsOf(factors, users), keep, endSince, tellDenied });
    const page = createTwoFactorPage({ factors, devices, signIn: services.identity.signIn });
    const refuseApplicationPassword = ({ by, isRight, user }: Attempt): void => {
      if (by !== 'application_password' || !isRight || user === undefined || !isOn()) return;
      const groups = settings.of('two-factor').application_passwords_group;
      if (groups.length > 0 && !matches(groups, user)) throw errors.applicationPasswordNotAllowed();
    };
    return {
      twoFactor: {
        ...factors,
        about: services.about,
        devices,
        pages: page.pages,
        checks: [
          {
            attempt: refuseApplicationPassword,
            step: createCodeStep(steps),
            account: async (user: User) => (isOn() ? [await page.accountLink(user)] : []),
          },
          { step: createSetUpStep(steps) },
        ],
      },
    };
  },
  routes: ({ tools, gate, isRunning }) => ({
    v1: isRunning('two-factor') ? issueRoutes(tools, gate, twoFactorScan) : [],
  }),
  cardActions: (use) => ({
    'send-2fa-reminder': {
      isOffered: () => use.switches.isRunning('two-factor'),
      async run(caller, user) {
        await remind(user!, caller, use);
        return null;
      },
    },
  }),
  extendsUsers: twoFactorAdditions,
  checks: ({ twoFactor }) => twoFactor.checks,
  pages: ({ twoFactor, defends }, house) => (defends('two-factor') ? twoFactor.pages(house) : []),
  tasks: [
    { name: 'two-factor-sweep', every: day, module: 'two-factor', run: ({ twoFactor }) => twoFactor.devices.sweep() },
  ],
  on: {
    'password.changed': async ({ user }, { twoFactor }) => {
      await twoFactor.devices.forget(user);
      await twoFactor.dropPending(user);
    },
    'user.deleted': ({ user }, { twoFactor }) => twoFactor.forget(user),
  },
});
