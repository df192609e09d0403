// Where in the world an IP address is.
import { bundledAddresses, ownAddresses } from '../../disk/addresses.ts';
import { part } from '../../part.ts';
import { createDatabase } from './database.ts';
import { createGeolocation } from './geolocation.ts';
import { createProvider } from './provider.ts';
import { geolocationRoutes } from './routes.ts';
import { geolocation as geolocationModule } from './settings.ts';

export const geolocationPart = part({
  name: 'geolocation',
  modules: [geolocationModule],
  make: (services, { switches, locator }) => {
    const { clock, log, operator } = services;
    const { placesUrl } = operator.security;
    const geolocation = createGeolocation({
      ...{ clock, isRunning: () => switches.isRunning('geolocation') },
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
