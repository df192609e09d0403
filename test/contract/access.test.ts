// Who may ask each route for what: deployment b, the routes that a alone has, and every kind of route there is.
import type { Group } from '#kernel/table.ts';
import { withProbe } from '#test/probe.ts';
import { routesWithoutSite } from '#test/site.ts';
import { defaultsOf, whoMay } from './access-matrix.ts';
import { asShipped } from './checker.ts';

const said = ({ pattern, entries }: Group): string =>
  `${entries.flatMap(({ route }) => route.methods)} ${pattern.text}`;
const ofB = new Set(routesWithoutSite(asShipped('b')).map(said));

whoMay('sqlite', 'deployment b', asShipped('b'));
whoMay('sqlite', 'what deployment a alone has', asShipped('a'), (group) => !ofB.has(said(group)));
whoMay('sqlite', 'every kind of route', withProbe());
defaultsOf('deployment a', asShipped('a'));
defaultsOf('deployment b', asShipped('b'));
defaultsOf('every kind of route', withProbe());
