// How one gets into a site that has just started: what `serve` says of signing in, and of whoever cannot yet.

import { page } from '#cli/people.ts';
import { typed } from '#cli/typed.ts';
import { printable } from '#lib/printable.ts';
import { hour } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { SiteServices } from '#site/services.ts';
import type { Config } from '../config.ts';
import { addFirstUser, type FirstUser, firstPasswordFile, hasFirstPassword, isFirstPasswordOld } from './first-user.ts';

export interface Entrance {
  /** When they were made by this start. */
  readonly first: FirstUser | undefined;
  /** Whether what the file of the first password holds opens nothing any more. */
  readonly isOld: boolean;
  /** The login of the only user, when another start made them not long ago. */
  readonly madeElsewhere: string | undefined;
  /** Where people sign in, below the address of the site. */
  readonly path: string;
}

type Nouns = Pick<SiteServices, 'identity' | 'settings' | 'siteGroup' | 'clock' | 'entrance'>;

/** Makes the first user while there is none. */
export async function openEntrance(config: Config, site: Nouns): Promise<Entrance> {
  const { identity, clock, entrance } = site;
  const first = await addFirstUser(config, site);
  const isOld = first?.generated === undefined && (await isFirstPasswordOld(config, identity));
  const isKnown = first !== undefined || hasFirstPassword(config.data) || config.admin.password !== undefined;
  const madeElsewhere = isKnown ? undefined : await onlyUser(identity, clock);
  return { first, isOld, madeElsewhere, path: entrance.hidden ?? '/login' };
}

/** Later nobody looks for the first password any more. */
const lookedFor = hour;

async function onlyUser({ users }: Nouns['identity'], clock: Clock): Promise<string | undefined> {
  const { items, total } = await users.list(page(1, 0));
  const [only] = items;
  if (only === undefined || total > 1) return undefined;
  const age = clock().getTime() - new Date(only.registered_at).getTime();
  return age < lookedFor ? only.login : undefined;
}

/** `cwd`: where the commands that it names will be typed. */
export const toldOf = (entrance: Entrance, config: Config, isShown: boolean, cwd: string): string[] => [
  ...signingIn(config, entrance, isShown),
  ...(isShown ? [] : waiting(config, entrance)),
  ...naming(entrance, config, cwd),
];

/** A password that was generated is shown to who sits here, and then forgotten; otherwise it waits in its file. */
function signingIn({ url, data }: Config, { first, path }: Entrance, isShown: boolean): string[] {
  const file = firstPasswordFile(data);
  const as = first === undefined ? '' : `  as ${first.login}`;
  const password = isShown ? `${first?.generated}  (shown this once)` : `the password in ${file}`;
  return [
    `  Sign in     ${url}${path}${as}${first?.generated === undefined ? '' : `  with ${password}`}`,
    `  Account     ${url}/account  (password, application passwords, signing out)`,
  ];
}

/** The file of the first password is removed by its reader: another process that starts may just be putting its own there. */
function waiting({ data }: Config, { isOld, madeElsewhere }: Entrance): string[] {
  if (madeElsewhere !== undefined)
    return [`  First user  ${printable(madeElsewhere)}, created by another start: ${shownThere}`];
  if (!hasFirstPassword(data)) return [];
  const why = isOld ? 'it no longer holds the password' : 'once you have read it: it holds the password';
  return [`  Delete      ${firstPasswordFile(data)}  ${why} of the first user`];
}

const shownThere = 'its password was shown there, or is in the file first-password in the data folder of that start';

/** A new site goes by a name that nobody chose. */
const naming = ({ first }: Entrance, config: Config, cwd: string): string[] =>
  first === undefined
    ? []
    : [`  Name it     ${typed('settings set site title "…"', config, cwd)}  (and description, email)`];
