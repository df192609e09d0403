// A clock that goes back is told of: in the log, in site health, and by doctor, which looks at the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aSite, noon } from '#test/site.ts';

eachEngine('A clock that goes back by a year', (engine) => {
  test('is told with the posts whose dates are later, until it is right again', async () => {
    const time = { now: noon.getTime() };
    const site = await aSite(engine, { clock: () => new Date(time.now) });
    const { jobs } = site.app.services;
    const seen = async () => (await site.app.services.health.look('clock', { headers: {}, address: '' }))!.seen;
    const warned = () => site.log.lines.filter(({ message }) => message.startsWith('The clock went back'));
    const pass = async (span: number) => {
      time.now += span;
      await jobs.settled();
    };
    await site.as('editor').post('/api/core/v2/posts', { title: 'Before', status: 'publish' });
    await pass(0);
    await pass(day);
    await site.as('editor').post('/api/core/v2/posts', { title: 'After', status: 'publish' });
    assert.equal((await seen()).state, 'ok');
    await pass(-365 * day);
    const { state, finding } = await seen();
    assert.equal(state, 'wrong');
    assert.match(finding, /^the clock says 2025-11-21 12:00 UTC, but this site was in use at 2026-11-21 12:00 UTC; /);
    assert.match(finding, /; [1-9]\d* published posts have later dates, and new posts sort below$/);
    await pass(day);
    assert.equal(warned().length, 1);
    await pass(365 * day);
    assert.equal((await seen()).state, 'ok');
  });
});
