// What may be asked of where addresses are.
import type { Access } from '#kernel/access.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { locationSchema } from '../../addresses/location.ts';
import type { Geolocation } from './geolocation.ts';

interface Use {
  readonly geolocation: Geolocation;
}

export const geolocationRoutes = ({ route, t }: Toolkit<Use>, manager: Access<undefined, Use, object>): Route[] => [
  route({
    method: 'GET',
    path: 'geolocate/(?P<ip>[^/]+)',
    summary: 'Where in the world an address is',
    access: manager,
    args: { ip: t.string({ format: 'ip' }) },
    answers: { 200: locationSchema({ t }) },
    handle: ({ args, use }) => use.geolocation.get(args.ip),
  }),
];
