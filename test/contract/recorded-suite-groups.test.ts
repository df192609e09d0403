// Groups of users as they were recorded, replayed.
import { accepted } from './accepted-suite-groups.ts';
import { recordedOfSuite, underItsName, withoutOwnModules } from './recorded-suite.ts';
import { aRecordedSuite } from './recorded-suite-site.ts';
import { replayed } from './replaying.ts';

replayed({
  topic: 'of the suite: groups of users',
  exchanges: recordedOfSuite('user-groups').map(underItsName),
  accepted,
  site: aRecordedSuite,
  comparable: withoutOwnModules,
});
