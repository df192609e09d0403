// The firewall, and who is kept out by it, by bans and by lockouts, as it was recorded, replayed.
import { accepted } from './accepted-suite-firewall.ts';
import type { Exchange } from './recorded.ts';
import { recordedOfSuite, served, withoutData } from './recorded-suite.ts';
import { aRecordedSuite, logged } from './recorded-suite-site.ts';
import { replayed } from './replaying.ts';

/** Of wrong passwords, three were left out. */
const counted = (exchange: Exchange): Exchange[] =>
  exchange.name === 'wp-login failed 1'
    ? [1, 2, 3, 4].map((count) => ({ ...exchange, name: `wp-login failed ${count}` }))
    : [exchange];

/** They name a dashboard and an hour of the recording; `recorded-suite-transfer.test.ts` replays cards and events. */
const isOfDashboard = ({ request }: Exchange): boolean => /\/secsuite\/v1\/dashboards?\//.test(request.line);

for (const topic of ['firewall', 'firewall-block', 'block-effects'])
  replayed({
    topic: `of the suite: ${topic}`,
    exchanges: served(recordedOfSuite(topic))
      .filter((one) => !isOfDashboard(one))
      .flatMap(counted)
      .map(withoutData),
    accepted: accepted[topic]!,
    site: aRecordedSuite,
    settled: logged,
    seed: (site) => site.as('administrator').post('/api/core/v2/posts', { title: 'A post', status: 'publish' }),
  });
