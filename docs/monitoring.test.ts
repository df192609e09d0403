// The metrics that the alarms of monitoring.md ask for are those that a site gives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { written } from './handbook.ts';

const [, alarms = ''] = /\n\| Alarm \| Meaning \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(written('monitoring.md')) ?? [];
const named = [...alarms.matchAll(/\b((?:gatehouse|nodejs|process)_\w+)/g)].map(([, name]) => name ?? '');

eachEngine('The metrics of a site', async (engine) => {
  const site = await aSite(engine);

  test('include those of the alarms, and each is explained', async () => {
    await site.get('/api/');
    const text = await (await fetch(`http://127.0.0.1:${site.port}/metrics`)).text();
    const namesOf = (line: 'TYPE' | 'HELP') =>
      [...text.matchAll(new RegExp(`^# ${line} (\\w+) .`, 'gm'))].map(([, name = '']) => name);
    const given = namesOf('TYPE');
    const ofOther = engine.name === 'sqlite' ? /connections/ : /commits|size_bytes/;
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((name) => !given.includes(name) && !ofOther.test(name)),
      [],
    );
    assert.deepEqual(namesOf('HELP'), given);
  });
});
