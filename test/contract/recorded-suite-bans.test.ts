// Bans as they were recorded, replayed.
import { accepted } from './accepted-suite-bans.ts';
import type { Exchange } from './recorded.ts';
import { recordedOfSuite, saying } from './recorded-suite.ts';
import { aRecordedSuite } from './recorded-suite-site.ts';
import { replayed } from './replaying.ts';

interface Said {
  readonly bans?: readonly string[];
}

/** Words that were left out are put back. */
function complete(exchange: Exchange): Exchange {
  const { bans } = (exchange.request.body ?? {}) as Said;
  if (Array.isArray(bans) && bans[0] === '(text)')
    return saying(exchange, { bans: ['192.0.2.10 # first', ...bans.slice(1)] });
  return exchange;
}

for (const topic of ['bans', 'bans-more'])
  replayed({
    topic: `of the suite: ${topic}`,
    exchanges: recordedOfSuite(topic).map(complete),
    accepted: accepted[topic]!,
    site: aRecordedSuite,
  });
