import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isZone, offsetAt, spelledZone } from './zone.ts';

test('a zone is a place whose clocks are known, and no offset', () => {
  for (const zone of ['Europe/London', 'Asia/Kolkata', 'America/Argentina/Ushuaia', 'UTC'])
    assert.ok(isZone(zone), zone);
  for (const text of ['', 'Mars/One', '+02:00', '-5', 'UTC+2', 'Europe/London\n', '../etc'])
    assert.ok(!isZone(text), text);
});

test('its offset is the one of that moment', () => {
  const [winter, summer] = [new Date('2026-01-15T12:00:00Z'), new Date('2026-07-15T12:00:00Z')];
  for (const [zone, ...offsets] of [
    ['Europe/London', 0, 1],
    ['Asia/Kolkata', 5.5, 5.5],
    ['America/St_Johns', -3.5, -2.5],
  ] as const)
    assert.deepEqual([offsetAt(zone, winter), offsetAt(zone, summer)], offsets, zone);
});

test('it is spelled as the world spells it', () => {
  for (const [typed, spelled] of [
    ['europe/london', 'Europe/London'],
    ['AFRICA/dar_es_salaam', 'Africa/Dar_es_Salaam'],
    ['utc', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
    ['us/eastern', 'America/New_York'],
  ] as const)
    assert.equal(spelledZone(typed), spelled);
});
