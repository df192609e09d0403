// What whoever manages the site has at hand: who is banned and by whom, what should be done next, what is done with people, where addresses are.
import { randomUUID } from 'node:crypto';
import { apiUrl } from '#kernel/faces.ts';
import type { Services } from '#site/extension.ts';
import { createActors } from './actors/actors.ts';
import { createLabels } from './bans/labels.ts';
import { headers } from './client/headers.ts';
import { createDiscover } from './discover/discover.ts';
import { bundledAddresses, ownAddresses } from './disk/addresses.ts';
import { type Foundation, secretOf } from './foundation.ts';
import { createDatabase } from './geolocation/database.ts';
import { createGeolocation } from './geolocation/geolocation.ts';
import { createProvider } from './geolocation/provider.ts';
import { createMatchableSettings } from './groups/matchable-settings.ts';
import { createNotices } from './notices/notices.ts';
import type { Queues } from './queues.ts';
import { createSiteTypes } from './site-types/site-types.ts';
import { createUserActions, type UserSearch } from './user-actions/user-actions.ts';
import type { Wall } from './wall.ts';

interface Needs {
  readonly wall: Wall;
  readonly queues: Pick<Queues, 'acting'>;
}

export function createDesk(services: Services, foundation: Foundation, { wall, queues }: Needs) {
  const { identity, site, operator, needed } = services;
  const { shared, settings, switches, groups, matchables, manage, running, lists } = foundation;
  const lockoutCards = () => running().flatMap(({ lockouts = [] }) => lockouts);
  const geolocation = placesOf(services, foundation);
  return {
    geolocation,
    locate: (ip: string) =>
      switches.isRunning('geolocation') ? geolocation.find(ip).then((place) => place ?? null) : undefined,
    userActions: createUserActions({
      ...{ ...shared, identity, groups, manage, unique: randomUUID, secret: secretOf },
      search: needed.userSearch as UserSearch,
      queue: queues.acting,
    }),
    siteTypes: createSiteTypes({
      ...{ users: identity.users, isActive: switches.isActive, unique: randomUUID, headerNames: Object.keys(headers) },
      recommended: operator.security.siteKind,
    }),
    notices: noticesOf(services, foundation, wall),
    discover: createDiscover({ ...services, site: site.url }),
    banning: {
      bans: wall.bans,
      labels: createLabels({
        users: identity.users,
        lockoutLabel: (id) => lockoutCards().find(({ type }) => type === id)?.label ?? id,
      }),
      isListed: wall.isListed,
      showsActivity: () => settings.of('global').log_type !== 'file',
    },
    matchableSettings: createMatchableSettings({ listed: lists, settings, matchables }),
    actors: createActors({ users: identity.users, lockouts: lockoutCards }),
  };
}

const noticesOf = ({ store, clock, site, operator }: Services, foundation: Foundation, { client }: Wall) => {
  const { settings, switches, logs, secretsKey } = foundation;
  return createNotices({
    ...{ store, clock, settings, switches, logs, hasUnreadable: secretsKey.hasUnreadable },
    hasRegistry: () => operator.security.blocklistUrl !== undefined,
    isOff: () => !operator.security.suite,
    stray: client.stray.last,
    hrefOf: (entry) => apiUrl(site.roots, 'neutral', `/secsuite/v1/logs/${entry}`),
  });
};

function placesOf(services: Services, { switches }: Foundation) {
  const { clock, log, operator } = services;
  const { placesUrl } = operator.security;
  return createGeolocation({
    ...{ clock, isRunning: () => switches.isRunning('geolocation') },
    own: createDatabase(ownAddresses(operator.data), log),
    bundled: createDatabase(bundledAddresses(), log),
    provider: placesUrl === undefined ? undefined : createProvider(placesUrl, services),
  });
}
