// The health of a site and what editors of blocks ask for as they were recorded, replayed.
import { aSiteThatReachesItself } from '#test/own-world.ts';
import { extensions } from '../../src/extensions/all.ts';
import { recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

replayed({
  topic: 'site health and editor',
  exchanges: recorded('site-health-block-editor-oembed'),
  accepted: [],
  site: (engine) => aSiteThatReachesItself(engine, { extensions }),
});
