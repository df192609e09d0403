// Who may ask each route for what: deployment b, the routes that a alone has, and every kind of route there is.
import type { Group } from '#kernel/table.ts';
import { withProbe } from '#test/probe.ts';
import { routesWithoutSite } from '#test/site.ts';
import { defaultsOf, whoMay } from './access-matrix.ts';
import { asShipped } from './checker.ts';

const nameOf = ({ pattern, entries }: Group): string =>
  `${entries.flatMap(({ route }) => route.methods)} ${pattern.text}`;
const ofB = new Set(routesWithoutSite(asShipped('b')).map(nameOf));
const isOfAAlone = (group: Group): boolean => !ofB.has(nameOf(group));

whoMay('sqlite', 'deployment b', asShipped('b'));
if (routesWithoutSite(asShipped('a')).some(isOfAAlone))
  whoMay('sqlite', 'what deployment a alone has', asShipped('a'), isOfAAlone);
whoMay('sqlite', 'every kind of route', withProbe());
defaultsOf('deployment a', asShipped('a'));
defaultsOf('deployment b', asShipped('b'));
defaultsOf('every kind of route', withProbe());
