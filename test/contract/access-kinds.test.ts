import { withProbe } from '#test/probe.ts';
import { aSite } from '#test/site.ts';
import { defaultsOf, whoMay } from './access-matrix.ts';

whoMay('every kind of route', (engine) => aSite(engine, withProbe()));
defaultsOf('every kind of route', (engine) => aSite(engine, withProbe()));
