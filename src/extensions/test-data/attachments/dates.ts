// When pictures were added, as far as anybody can see.
import type { Draws } from '#lib/draws.ts';
import { day, second } from '#lib/spans.ts';
import { readMoment, utcTime } from '#lib/wall-time.ts';
import { invalid } from '#site/identity/users/faults.ts';

interface AskedDays {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

/** A time by the clock of the site: in the last 30 days, where nobody says. */
export type Dating = (draws: Draws, today: Date) => string;

const usual = 30 * day;

/** Throws what is no day, and what ends before it begins. */
export function datesAsked({ min, max }: AskedDays = {}): Dating {
  const [first, last] = [min, max].map(beginningOf);
  if (first !== undefined && last !== undefined && first > last)
    throw refused('date_range.min must not be after date_range.max.');
  return (draws, today) => {
    const to = last === undefined ? Math.max(today.getTime(), first ?? 0) : last + day - second;
    const from = first ?? Math.min(today.getTime(), to) - usual;
    return utcTime(new Date(from + Math.floor((draws.number() * (to - from)) / second) * second));
  };
}

const utc = { timezone: '', offset: 0 };

function beginningOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, date] = /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:$|[T ]\d\d:\d\d)/.exec(text) ?? [];
  const moment = date === undefined ? undefined : readMoment(utc, `${date}T00:00:00`, 'utc');
  // The 30th of February is no day, and not the 2nd of March.
  if (moment === undefined || !moment.utc.startsWith(date!))
    throw refused('date_range must hold dates like 2025-01-31.');
  return Date.parse(`${moment.utc}Z`);
}

const refused = (message: string) => invalid('date_range', { code: 'rest_invalid_date', message });
