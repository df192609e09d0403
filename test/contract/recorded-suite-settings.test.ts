// Modules and their settings as they were recorded, replayed on both faces and both stores.
import { accepted } from './accepted-suite-settings.ts';
import { recordedOfSuite } from './recorded-suite.ts';
import { aRecordedSuite } from './recorded-suite-site.ts';
import { replayed } from './replaying.ts';

replayed({
  topic: 'of the suite: settings',
  exchanges: recordedOfSuite('modules-settings'),
  accepted,
  site: aRecordedSuite,
});
