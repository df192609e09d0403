// The health of a site and what editors of blocks ask for as they were recorded, replayed on both faces and both stores.
import { aSiteThatReachesItself } from '#test/own-world.ts';
import { extensions } from '../../src/extensions/all.ts';
import { type Accepted, recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

const accepted: readonly Accepted[] = [
  {
    exchange: 'url-details anonymous',
    differs: ['code: rest_cannot_view_url_details instead of rest_invalid_param', 'status: 401 instead of 400'],
    why: 'nobody makes the site look up names: an address is vetted once it is known that somebody may have it looked at',
  },
];

replayed({
  topic: 'site health and editor',
  exchanges: recorded('site-health-block-editor-oembed'),
  accepted,
  site: (engine) => aSiteThatReachesItself(engine, { extensions }),
});
