// The rest of the suite as it was recorded, each route looked at and many tried, replayed.
import type { TestSite } from '#test/site.ts';
import { accepted } from './accepted-suite-rest.ts';
import { recordedOfSuite, withoutData, withoutRoutes } from './recorded-suite.ts';
import { aRecordedSuite } from './recorded-suite-site.ts';
import { replayed } from './replaying.ts';

/** Its answer is named by the folders of a machine. */
const local = 'tool run';

const undetected = (site: TestSite): Promise<unknown> =>
  site.as('administrator').patch('/api/secsuite/v1/settings/global', { proxy: 'automatic', onboard_complete: true });

for (const topic of ['all-get', 'misc-write'])
  replayed({
    topic: `of the suite: ${topic}`,
    exchanges: recordedOfSuite(topic)
      .filter(({ name }) => name !== local)
      .map(withoutRoutes)
      .map(withoutData),
    accepted: accepted[topic]!,
    site: aRecordedSuite,
    // There was something to tell managers when it was asked for.
    ...(topic === 'misc-write' && { seed: undetected }),
  });
