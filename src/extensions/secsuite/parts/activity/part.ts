// What the users of some groups do, for the security log.
import { about, type CodeLabel } from '../../logs/named.ts';
import { part } from '../../part.ts';
import { createActivity } from './activity.ts';
import { userLogging } from './settings.ts';

const statusChanged: CodeLabel = (user, post, before, after) =>
  `User ${user} moved record ${post} from ${before} to ${after}`;

const signedIn: CodeLabel = (user, how, provider) =>
  how === undefined ? `User ${user} signed in` : `User ${user} signed in with a second factor (${provider ?? how})`;

const registered: CodeLabel = (user, how) =>
  how === 'admin' ? `User ${user} was added by an administrator` : `User ${user} registered`;

export const activityPart = part({
  name: 'activity',
  modules: [userLogging],
  logged: {
    user_logging: {
      label: 'What users do',
      codes: {
        'user-logged-in': signedIn,
        'user-logged-out': (user) => `User ${user} signed out`,
        'user-registered': registered,
        'post-status-changed': statusChanged,
        'plugin-activated': about('Switched on'),
        'plugin-deactivated': about('Switched off'),
        'plugin-deleted': about('Removed'),
        'theme-switched': about('Theme changed'),
      },
    },
  },
  make: ({ events, identity }, { settings, switches, matchables, logs, defends }) => ({
    activity: createActivity({
      events,
      settings,
      switches,
      users: identity.users,
      matches: matchables.matches,
      log: logs.write,
      isRunning: () => defends('user-logging'),
    }),
  }),
  end: ({ activity }) => activity.end(),
});
