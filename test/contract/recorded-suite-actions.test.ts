// What is done with many users, as it was recorded, replayed.
import type { TestSite } from '#test/site.ts';
import { accepted } from './accepted-suite-actions.ts';
import { recordedOfSuite, underItsName } from './recorded-suite.ts';
import { aRecordedSuite } from './recorded-suite-site.ts';
import { replayed } from './replaying.ts';

/** What the suite adds to the record of a user. */
const record = 'user fields after';
const known = { id: '85e67d03-9fa3-4163-8f16-d45d0a36edaa', label: 'Known', users: [2] };

replayed({
  topic: 'of the suite: actions',
  exchanges: recordedOfSuite('users-actions')
    .filter(({ name, request: { line } }) => name === record || !line.includes('/wp-json/wp/'))
    .map(underItsName),
  accepted,
  site: aRecordedSuite,
  seed: (site: TestSite) => site.as('administrator').post('/api/secsuite/v1/user-groups', known),
});
