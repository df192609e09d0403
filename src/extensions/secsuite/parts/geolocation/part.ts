// Where in the world an IP address is.

import { readJson } from '#kernel/args/json.ts';
import { Problem } from '#kernel/problem.ts';
import { minute } from '#lib/spans.ts';
import { type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Log } from '#store/engine.ts';
import { bundledAddresses, ownAddresses } from '../../disk/addresses.ts';
import { part } from '../../part.ts';
import { createDatabase } from './database.ts';
import { createGeolocation } from './geolocation.ts';
import { creditOf, type Location, locationOf, membersOf, plainly } from './location.ts';
import { geolocationRoutes } from './routes.ts';
import { geolocation as geolocationModule } from './settings.ts';

/** A service elsewhere that knows where addresses are. None is asked that the operator did not name. */
const purpose = {
  name: 'secsuite-geolocation',
  types: ['application/json'],
  most: 64 * 1024,
  within: 5000,
} as const;

interface Needs {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info'>;
}

/** In that time nobody waits once more for a service that did not answer, or wants to be left alone. */
const pause = minute;

/** `url` holds `{ip}` where the address belongs, or ends where it follows. */
export function createProvider(url: string, { outgoing, clock, log }: Needs) {
  let silentUntil = 0;
  return async (address: string): Promise<Location | undefined> => {
    if (clock().getTime() < silentUntil) return undefined;
    try {
      const fetched = await outgoing.fetch(addressed(url, encodeURIComponent(address)), purpose);
      const said = membersOf(readJson(await fetched.bytes()));
      return locationOf(plainly(said), creditOf(said.credit));
    } catch (error) {
      if (!(error instanceof Upstream) && !(error instanceof Problem)) throw error;
      if (isSilence(error)) silentUntil = clock().getTime() + pause;
      log.info({ err: error }, 'Nobody elsewhere told where an address is.');
      return undefined;
    }
  };
}

const isSilence = (error: Upstream | Problem): boolean =>
  error instanceof Upstream && (['unreachable', 'late', 'broken'].includes(error.fault) || error.status === 429);

const addressed = (url: string, address: string): string =>
  url.includes('{ip}') ? url.replaceAll('{ip}', address) : `${url}${address}`;

export const geolocationPart = part({
  name: 'geolocation',
  modules: [geolocationModule],
  make: (services, { switches, locator }) => {
    const { clock, log, operator } = services;
    const { placesUrl } = operator.security;
    const geolocation = createGeolocation({
      clock,
      isRunning: () => switches.isRunning('geolocation'),
      own: createDatabase(ownAddresses(operator.data), log),
      bundled: createDatabase(bundledAddresses(), log),
      provider: placesUrl === undefined ? undefined : createProvider(placesUrl, services),
    });
    locator.use((address) =>
      switches.isRunning('geolocation') ? geolocation.find(address).then((place) => place ?? null) : undefined,
    );
    return { geolocation };
  },
  routes: ({ tools, gate }) => ({ v1: geolocationRoutes(tools, gate.manager) }),
});
