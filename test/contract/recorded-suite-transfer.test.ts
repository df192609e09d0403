// Import and export as they were recorded, replayed.
import { accepted } from './accepted-suite-transfer.ts';
import { recordedOfSuite } from './recorded-suite.ts';
import { aRecordedSuite } from './recorded-suite-site.ts';
import { replayed } from './replaying.ts';

/** Without the settings in exports: recordings of the settings themselves hold those. */
const withoutSettings = <T>(answer: T): T =>
  answer &&
  JSON.parse(JSON.stringify(answer), (key, value) =>
    key === 'sources' && value.settings ? { ...value, settings: undefined } : value,
  );

replayed({
  topic: 'of the suite: import-export',
  exchanges: recordedOfSuite('import-export').map((exchange) => ({
    ...exchange,
    response: { ...exchange.response, body: withoutSettings(exchange.response.body) },
  })),
  accepted: accepted['import-export']!,
  site: aRecordedSuite,
  comparable: withoutSettings,
});

replayed({
  topic: 'of the suite: dashboard',
  exchanges: recordedOfSuite('dashboard'),
  accepted: accepted.dashboard!,
  site: aRecordedSuite,
});
