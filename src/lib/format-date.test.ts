import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { formatDate, isoTime } from './format-date.ts';

const noon = { wall: '2026-11-20T12:05:09', utc: '2026-11-20T11:05:09' };
const berlin = { zone: { timezone: 'Europe/Berlin', offset: 0 }, language: 'en_US' };

const cases: Readonly<Record<string, string>> = {
  'F j, Y': 'November 20, 2026',
  'g:i a': '12:05 pm',
  'H:i:s': '12:05:09',
  'd.m.y': '20.11.26',
  'l jS': 'Friday 20th',
  'D, M n': 'Fri, Nov 11',
  'N w z t L W o': '5 5 323 30 0 47 2026',
  'G h A': '12 12 PM',
  'e T O P p Z': 'Europe/Berlin +01:00 +0100 +01:00 +01:00 3600',
  c: '2026-11-20T12:05:09+01:00',
  r: 'Fri, 20 Nov 2026 12:05:09 +0100',
  U: '1795172709',
  '\\Y\\\\Y x – 5': 'Y\\2026 x – 5',
  'j \\': '20 ',
  '': '',
};

test('each letter of a format means its part of the date', () =>
  checkRows(Object.entries(cases), ([form, said]) => assert.equal(formatDate(form, noon, berlin), said)));

test('Months and days are called as the language of the site calls them', () => {
  const words = (language: string) => formatDate('l, j. F', noon, { ...berlin, language });
  assert.equal(words('de_DE_formal'), 'Freitag, 20. November');
  assert.equal(words('fr_FR'), 'vendredi, 20. novembre');
  assert.equal(words('xx'), 'Friday, 20. November');
});

test('Days around the turn of a year belong to the week of their Thursday', () => {
  const week = (day: string) => formatDate('o-W', { wall: `${day}T00:00:00`, utc: `${day}T00:00:00` }, berlin);
  assert.deepEqual(['2027-01-01', '2024-12-30', '2026-01-01'].map(week), ['2026-53', '2025-01', '2026-01']);
});

test('Ordinals are those of the numbers', () => {
  const days = ['01', '02', '03', '04', '11', '12', '13', '21', '22', '23', '30'];
  const said = days.map((day) => formatDate('jS', { wall: `2026-01-${day}T00:00:00`, utc: noon.utc }, berlin));
  assert.equal(said.join(' '), '1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 30th');
});

test('Clocks behind that of the world say so', () => {
  const moment = { wall: '2026-11-20T07:35:09', utc: noon.utc };
  assert.equal(isoTime(moment, { ...berlin, zone: { timezone: '', offset: -3.5 } }), '2026-11-20T07:35:09-03:30');
});

test('What is no time is nothing', () =>
  assert.equal(formatDate('F j, Y', { wall: 'then', utc: noon.utc }, berlin), ''));
