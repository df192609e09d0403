// The buttons on cards of dashboards: which there are on each card, and their routes.
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Route } from '#kernel/route.ts';
import type { User } from '#site/identity/users/user.ts';
import { suiteErrors } from '../../errors.ts';
import type { CardAction } from '../../part.ts';
import { board } from './boards.ts';
import type { CardButton, FoundCard } from './card-record.ts';
import { cardRule } from './card-record.ts';
import type { Making, Use } from './making.ts';

const logout: CardButton = {
  name: 'logout',
  rel: 'logout',
  title: 'Sign out the user',
  isOnUser: true,
  isForEditors: true,
};
const remind: CardButton = {
  name: 'send-2fa-reminder',
  rel: 'send-2fa-reminder',
  title: 'Remind the user to set up two-factor authentication',
  isOnUser: true,
};

const buttons: Readonly<Record<string, readonly CardButton[]>> = {
  'malware-scan': [{ name: 'scan', rel: 'rpc', title: 'Scan the site' }],
  'database-backup': [{ name: 'backup', rel: 'rpc', title: 'Make a backup of the database' }],
  'security-profile-list': [
    logout,
    remind,
    {
      name: 'force-password-change',
      rel: 'force-password-change',
      title: 'Require new passwords from all users',
    },
    {
      name: 'clear-password-change',
      rel: 'clear-password-change',
      title: 'Stop requiring new passwords',
    },
  ],
  'security-profile': [logout, remind],
};

/** Buttons of a card that this caller may use. */
export function buttonsFor(
  card: string,
  isManager: boolean,
  { cardSources }: Pick<Use, 'cardSources'>,
): readonly CardButton[] {
  return (buttons[card] ?? []).filter(({ name, isForEditors }) => {
    const action = cardSources.action(name);
    return (isManager || isForEditors) && action !== undefined && (action.isLinked?.() ?? true);
  });
}

export const buttonRoutes = (making: Making): Route[] =>
  Object.entries(buttons).flatMap(([card, own]) => own.map((button) => buttonRoute(making, card, button)));

function buttonRoute(making: Making, card: string, button: CardButton): Route {
  const { tools, wiring, mayView } = making;
  const { route, t, withStatus } = tools;
  const { name, title, isOnUser, isForEditors } = button;
  const { manages } = wiring.gate;
  const id = { id: t.integer(), card: t.string(), card_id: t.integer() };
  const path = `${board}/cards/(?P<card>${card})/(?P<card_id>\\d+)/${name}` as const;
  const isThere = ({ card: found, type }: FoundCard): boolean => found !== undefined && type !== undefined;
  const shared = {
    hidden: true,
    accessFirst: true,
    method: 'POST',
    summary: `${title}, from a card`,
    access: cardRule(
      making,
      (caller, dashboard) => mayView(caller, dashboard) && (isForEditors === true || manages(caller)),
      kernelErrors.forbidden,
      isThere,
    ),
  } as const;
  const run = async (caller: Caller, use: Use, user?: User) => {
    const action = actionOf(name, use) ?? fail(manages(caller), suiteErrors.notFound('This action'));
    const result = await action.run(caller, user);
    return result === null ? withStatus(204, null) : withStatus(200, result);
  };
  if (isOnUser !== true) return route({ ...shared, path, args: id, handle: ({ caller, use }) => run(caller, use) });
  return route({
    ...shared,
    path: `${path}/(?P<user>\\d+)`,
    args: { ...id, user: t.integer() },
    handle: async ({ args: { user: number }, caller, use }) => {
      const user = await use.accounts.find(number);
      if (user === undefined) return fail(manages(caller), suiteErrors.notFound(`User ${number}`));
      if (isForEditors && !use.userRights.mayEdit(caller, user))
        return fail(manages(caller), kernelErrors.forbidden('sign out this user'));
      return run(caller, use, user);
    },
  });
}

const actionOf = (name: string, { cardSources }: Use): CardAction | undefined => cardSources.action(name);

/** Only managers are told what is wrong: for others there is no such route. */
function fail(isManager: boolean, problem: Error): never {
  throw isManager ? problem : kernelErrors.noRoute();
}
