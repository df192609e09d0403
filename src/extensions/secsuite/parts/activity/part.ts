// What members of some groups do, for the security log: signing in and out, accounts, posts, and what the site is extended by.
import { currentRequest } from '#kernel/request.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { Services } from '#site/extension.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Matchables } from '../../groups/groups.ts';
import type { Event } from '../../logs/entry.ts';
import { about, type CodeLabel } from '../../logs/named.ts';
import type { Module, SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { groupList, settingsCard } from '../../setting-schemas.ts';
import type { Settings } from '../../settings/types.ts';
import type { Switches } from '../../switches/switches.ts';

const userLogging = {
  id: 'user-logging',
  type: 'site-check',
  standing: 'default-active',
  title: 'Activity of users',
  description: 'Logs when members of the chosen groups sign in, and what they change.',
  userGroups: {
    group: {
      title: 'Log the activity of members',
      description: 'Sign-ins, sign-outs, new accounts, and changes of posts and extensions are logged.',
      default: 'administrator',
    },
  },
  settings: settingsCard({ properties: { group: groupList } }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'user-logging': SettingsOf<typeof userLogging>;
  }
}

const statusChanged: CodeLabel = (user, post, before, after) =>
  `User ${user} moved record ${post} from ${before} to ${after}`;

const signedIn: CodeLabel = (user, how, provider) =>
  how === undefined
    ? `User ${user} signed in`
    : `User ${user} signed in with two-factor authentication (${provider ?? how})`;

const registered: CodeLabel = (user, how) =>
  how === 'admin' ? `User ${user} was added by an administrator` : `User ${user} registered`;

interface Needs extends Pick<Services, 'events'> {
  readonly users: Pick<Services['identity']['users'], 'find'>;
  readonly settings: Pick<Settings, 'of'>;
  readonly switches: Pick<Switches, 'modules' | 'onSwitched'>;
  readonly matches: Matchables['matches'];
  isRunning(): boolean;
  log(event: Event): void;
}

interface Activity {
  end(): void;
}

const foldersDeleted: CodeLabel = (user, folders, backup) =>
  `User ${user} deleted all ${folders} media folders. Backup ${backup} holds them`;

const id = 'user-logging';
/** States of what nobody works on yet, or what belongs to another record. */
const passing = new Set(['auto-draft', 'inherit']);

function createActivity({ events, users, settings, switches, matches, isRunning, log }: Needs): Activity {
  const isLogged = (user: User): boolean => isRunning() && matches(settings.of(id).group, user);
  /** Of a deed, and whoever it is of that is looked at. */
  const write = (user: User | undefined, code: string, about = user?.id): void => {
    if (user !== undefined && isLogged(user))
      log({ module: 'user_logging', code, type: 'notice', data: { user_id: about } });
  };
  const by = async (user: number | undefined) => (isRunning() && user ? users.find(user) : undefined);
  const moved = async ({ id, status }: Post, from: string) => {
    if (from === status || passing.has(status)) return;
    const who = await by(currentRequest()?.user);
    write(who, `post-status-changed::${who?.id},${id},${from},${status}`);
  };
  const switched = (deed: 'activated' | 'deactivated', module: string) => (who: number) =>
    events.follow('extension.changed', async () => write(await by(who), `plugin-${deed}::${module},`));

  for (const module of switches.modules.all)
    switches.onSwitched(module.id, {
      activated: switched('activated', module.id),
      deactivated: switched('deactivated', module.id),
    });
  const endings = [
    events.on('login.succeeded', ({ user, by: way }) => {
      if (way !== 'application_password') write(user, `user-logged-in::${user.id}`);
    }),
    events.on('session.ended', ({ user }) => {
      if (currentRequest()?.user === user.id) write(user, `user-logged-out::${user.id}`);
    }),
    events.on('user.created', async ({ user }) => {
      const maker = await by(currentRequest()?.user);
      write(maker ?? user, `user-registered::${user.id}${maker === undefined ? '' : ',admin'}`, user.id);
    }),
    events.on('post.saved', ({ post, before }) => moved(post, before?.status ?? 'new')),
    events.on('post.trashed', ({ post }) => moved(post, post.status_before ?? '')),
    // Whoever did it: it concerns every account.
    events.on('media_folders.deleted', ({ by: user, folders, files, backup }) => {
      const code = `media-folders-deleted::${user},${folders},${backup}`;
      if (isRunning()) log({ module: 'user_logging', code, type: 'warning', data: { user_id: user, files } });
    }),
    events.on('extension.changed', async ({ slug, change, by: who }) => {
      const deed = deeds[change];
      if (deed !== undefined) write(await by(who), `plugin-${deed}::${slug},`);
    }),
  ];
  return {
    end() {
      for (const ending of endings) ending();
    },
  };
}

const deeds: Readonly<Record<string, string>> = {
  activated: 'activated',
  deactivated: 'deactivated',
  removed: 'deleted',
};

export const activityPart = part({
  name: 'activity',
  modules: [userLogging],
  logged: {
    user_logging: {
      label: 'User activity',
      codes: {
        'user-logged-in': signedIn,
        'user-logged-out': (user) => `User ${user} signed out`,
        'user-registered': registered,
        'post-status-changed': statusChanged,
        'plugin-activated': about('Turned on'),
        'plugin-deactivated': about('Turned off'),
        'plugin-deleted': about('Removed'),
        'media-folders-deleted': foldersDeleted,
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
