// Modules and their settings as they were recorded, replayed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepted } from './accepted-suite-settings.ts';
import { recordedOfSuite, withoutModules, withoutOwnModules } from './recorded-suite.ts';
import { aRecordedSuite } from './recorded-suite-site.ts';
import { replayed } from './replaying.ts';
import { differences } from './shapes.ts';

replayed({
  topic: 'of the suite: settings',
  exchanges: recordedOfSuite('modules-settings'),
  accepted,
  site: aRecordedSuite,
  comparable: withoutOwnModules,
});

test('a module that no recording knows is left out of lists and maps, and told by its name where it is not', () => {
  const without = withoutModules(['tides']);
  const [global, tides] = [{ id: 'global', title: 'Global' }, { id: 'tides' }];
  assert.deepEqual(without([global, tides]), [global]);
  assert.deepEqual(without({ global: { group: true }, tides: {} }), { global: { group: true } });
  assert.deepEqual(differences([global], [global, tides]), ['body[tides]: more']);
});
