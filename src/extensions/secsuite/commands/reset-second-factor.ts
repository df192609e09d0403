// The way back for a user who has lost their phone and their recovery codes.
import type { Ask } from '#cli/command.ts';
import { asked } from '#cli/people.ts';
import { secsuite } from '../extension.ts';

export const resetSecondFactor = (ask: Ask): Promise<number> =>
  ask.inSite(async ({ identity: { users } }, _, nounsOf) => {
    const { twoFactor, ready } = nounsOf(secsuite);
    await ready;
    const user = await asked(ask, users);
    const { app, email, codes } = await twoFactor.setUpOf(user);
    if (!(app || email || codes > 0)) return ask.out(`${user.login} has not set up two-factor authentication.`);
    await twoFactor.turnOff(user, 'reset');
    ask.out(
      `Two-factor authentication of ${user.login} is reset: app, recovery codes and remembered devices are deleted.`,
    );
    ask.note(`${user.login} can sign in without them, and sets it up again at the next sign-in if it is required.`);
  });
