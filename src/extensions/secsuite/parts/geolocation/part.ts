// Where in the world an IP address is.

import type { Access } from '#kernel/access.ts';
import { readJson } from '#kernel/args/json.ts';
import { Problem } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import { minute } from '#lib/spans.ts';
import type { Toolkit } from '#site/extension.ts';
import { type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Log } from '#store/engine.ts';
import { locationSchema } from '../../addresses/location.ts';
import { bundledAddresses, ownAddresses } from '../../disk/addresses.ts';
import type { Gate } from '../../groups/manage.ts';
import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import { allUnavailable, line, settingsCard } from '../../setting-schemas.ts';
import { createPlacesDatabase, downloadErrors, type PlacesDatabase } from './download.ts';
import { createDatabase, createGeolocation, type Geolocation, geolocationErrors } from './geolocation.ts';
import { creditOf, type Location, locationOf, membersOf, plainly } from './location.ts';

const names = ['maxmind_lite', 'maxmind_api', 'mapbox_access_token', 'mapquest_api_key'];

const geolocationModule: Module = {
  id: 'geolocation',
  type: 'utility',
  standing: 'default-inactive',
  title: 'Locations of IP addresses',
  description: 'Finds the country of an IP address, from a file on this machine.',
  settings: settingsCard({
    properties: allUnavailable({
      maxmind_lite: {
        type: 'object',
        properties: { key: line('Key', 'License key of the MaxMind account.') },
        default: { key: '' },
        title: 'A database of MaxMind',
        description: 'With a key, you can download a more exact database.',
      },
      maxmind_api: {
        type: 'object',
        properties: {
          user: line('User', 'Id of the MaxMind account.'),
          key: line('Key', 'License key of the MaxMind account.'),
        },
        default: { user: '', key: '' },
        title: 'The service of MaxMind',
        description: 'The most exact locations. MaxMind receives the IP addresses that you look up.',
      },
      mapbox_access_token: line('Token for Mapbox', 'For maps of Mapbox.'),
      mapquest_api_key: line('Key for MapQuest', 'For maps of MapQuest.'),
    }),
    uiSchema: {
      'ui:sections': [
        { title: 'Locations', description: 'Sources of locations.', fields: ['maxmind_lite', 'maxmind_api'] },
        { title: 'Maps', description: 'Maps of locations.', fields: ['mapbox_access_token', 'mapquest_api_key'] },
      ],
    },
    secret: ['maxmind_lite.key', 'maxmind_api.key', 'mapbox_access_token', 'mapquest_api_key'],
    onboard: names,
    import: names,
  }),
};

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
      log.info({ err: error }, 'The location service did not answer.');
      return undefined;
    }
  };
}

const isSilence = (error: Upstream | Problem): boolean =>
  error instanceof Upstream && (['unreachable', 'late', 'broken'].includes(error.fault) || error.status === 429);

const addressed = (url: string, address: string): string =>
  url.includes('{ip}') ? url.replaceAll('{ip}', address) : `${url}${address}`;

interface Use {
  readonly geolocation: Geolocation;
}

interface DatabaseUse {
  readonly placesDatabase: PlacesDatabase;
}

const databaseRoutes = (
  { route, t, withStatus }: Toolkit<DatabaseUse>,
  { manager }: Pick<Gate, 'manager'>,
): Route[] => [
  route({
    method: 'GET',
    path: 'geolocation/db-check',
    summary: 'Get the state of the location database',
    access: manager,
    hidden: true,
    answers: { 200: t.object({ path: t.string(), available: t.boolean() }) },
    handle: async ({ use: { placesDatabase } }) =>
      withStatus(200, { path: placesDatabase.path, available: await placesDatabase.isThere() }),
  }),
  route({
    method: 'POST',
    path: 'geolocation/db-download',
    summary: 'Download the location database of the operator',
    access: manager,
    hidden: true,
    args: { api_key: t.string({ minLength: 1, maxLength: 1000 }) },
    answers: { 200: t.object({ path: t.string() }) },
    handle: async ({ args, use: { placesDatabase } }) => {
      await placesDatabase.download(args.api_key);
      return withStatus(200, { path: placesDatabase.path });
    },
  }),
];

export const geolocationRoutes = ({ route, t }: Toolkit<Use>, manager: Access<undefined, Use, object>): Route[] => [
  route({
    method: 'GET',
    path: 'geolocate/(?P<ip>[^/]+)',
    summary: 'Get the location of an IP address',
    access: manager,
    args: { ip: t.string({ format: 'ip' }) },
    answers: { 200: locationSchema({ t }) },
    handle: ({ args, use }) => use.geolocation.get(args.ip),
  }),
];

export const geolocationPart = part({
  name: 'geolocation',
  errors: { ...geolocationErrors, ...downloadErrors },
  modules: [geolocationModule],
  make: (services, { switches, locator }) => {
    const { clock, log, operator } = services;
    const { placesUrl, placesDatabaseUrl: source } = operator.security;
    const own = ownAddresses(operator.data);
    const geolocation = createGeolocation({
      clock,
      isRunning: () => switches.isRunning('geolocation'),
      own: createDatabase(own, log),
      bundled: createDatabase(bundledAddresses(), log),
      provider: placesUrl === undefined ? undefined : createProvider(placesUrl, services),
    });
    locator.use((address) =>
      switches.isRunning('geolocation') ? geolocation.find(address).then((place) => place ?? null) : undefined,
    );
    return { geolocation, placesDatabase: createPlacesDatabase({ ...services, source, own }) };
  },
  routes: ({ tools, gate, isRunning }) => ({
    v1: geolocationRoutes(tools, gate.manager),
    rpc: isRunning('geolocation') ? databaseRoutes(tools, gate) : [],
  }),
});
