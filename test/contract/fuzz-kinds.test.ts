import { withProbe } from '#test/probe.ts';
import { aSite } from '#test/site.ts';
import { hostileArguments } from './fuzzing.ts';

hostileArguments('every kind of route', (engine) => aSite(engine, withProbe()));
