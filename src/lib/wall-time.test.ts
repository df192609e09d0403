import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isZone,
  momentAt,
  offsetAt,
  readBound,
  readMoment,
  spelledZone,
  utcTime,
  wallTime,
  type Zone,
} from './wall-time.ts';

const prague: Zone = { timezone: 'Europe/Prague', offset: 0 };
const india: Zone = { timezone: '', offset: 5.5 };

test('a moment is shown by the clock of the site and by that of the world', () => {
  const moment = new Date('2026-07-01T12:00:00.999Z');
  assert.deepEqual(momentAt(prague, moment), { wall: '2026-07-01T14:00:00', utc: '2026-07-01T12:00:00' });
  assert.equal(wallTime(india, moment), '2026-07-01T17:30:00');
  assert.equal(utcTime(moment), '2026-07-01T12:00:00');
});

test('what somebody wrote is a time of the clock it is said for, or of the zone it names', () => {
  for (const [text, clock, wall, utc] of [
    ['2026-01-15T12:00:00', 'wall', '2026-01-15T12:00:00', '2026-01-15T11:00:00'],
    ['2026-01-15 12:00:00', 'utc', '2026-01-15T13:00:00', '2026-01-15T12:00:00'],
    ['2026-07-15T12:00:00Z', 'wall', '2026-07-15T14:00:00', '2026-07-15T12:00:00'],
    ['2026-07-15T12:00:00.5-03:30', 'utc', '2026-07-15T17:30:00', '2026-07-15T15:30:00'],
    ['2026-02-30T12:00:00', 'wall', '2026-03-02T12:00:00', '2026-03-02T11:00:00'],
    ['2026-02-03T24:00:00', 'wall', '2026-02-04T00:00:00', '2026-02-03T23:00:00'],
  ] as const)
    assert.deepEqual(readMoment(prague, text, clock), { wall, utc }, text);
});

test('an hour that the clock leaves out is an hour later, one that comes twice is the first', () => {
  for (const [text, wall, utc] of [
    ['2026-03-29T01:59:59', '2026-03-29T01:59:59', '2026-03-29T00:59:59'],
    ['2026-03-29T02:30:00', '2026-03-29T03:30:00', '2026-03-29T01:30:00'],
    ['2026-03-29T03:00:00', '2026-03-29T03:00:00', '2026-03-29T01:00:00'],
    ['2026-10-25T01:59:59', '2026-10-25T01:59:59', '2026-10-24T23:59:59'],
    ['2026-10-25T02:30:00', '2026-10-25T02:30:00', '2026-10-25T00:30:00'],
    ['2026-10-25T03:00:00', '2026-10-25T03:00:00', '2026-10-25T02:00:00'],
  ] as const)
    assert.deepEqual(readMoment(prague, text, 'wall'), { wall, utc }, text);
});

test('what is no date is none', () => {
  for (const text of [
    '',
    'tomorrow',
    '2026-01-15',
    '0000-00-00T00:00:00',
    '0000-01-01T00:00:00',
    '2026-00-01T00:00:00',
    '9999-12-31T24:00:00',
    '0001-01-01T00:00:00',
  ])
    assert.equal(readMoment(india, text, 'wall'), undefined, text);
  assert.equal(readMoment(prague, '0099-05-06T07:08:09', 'utc')?.utc, '0099-05-06T07:08:09');
});

test('a bound that no clock shows lies before all that is kept, or after it', () => {
  const kept = '2026-07-15T12:00:00';
  for (const text of ['0000-00-00 00:00:00', '0000-01-01T00:00:00Z']) {
    const { wall, utc } = readBound(prague, text);
    assert.ok(wall < kept && utc < kept, text);
  }
  const { wall, utc } = readBound(prague, '9999-12-31T23:59:59');
  assert.ok(wall > kept && utc > kept);
  assert.deepEqual(readBound(prague, '2026-07-15T12:00:00'), { wall: kept, utc: '2026-07-15T10:00:00' });
});

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
