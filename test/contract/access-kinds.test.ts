import { withProbe } from '#test/probe.ts';
import { aSite } from '#test/site.ts';
import { defaultsOf, whoMay } from './access-matrix.ts';

for (const name of ['sqlite', 'postgres'] as const)
  whoMay(name, 'every kind of route', (engine) => aSite(engine, withProbe()));
defaultsOf('every kind of route', (engine) => aSite(engine, withProbe()));
