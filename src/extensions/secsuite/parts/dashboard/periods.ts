// Periods of dashboards, and the hours or days that they are shown by. All of it in UTC.

import { day, hour } from '#lib/spans.ts';
import { readMoment } from '#lib/wall-time.ts';
import type { Toolkit } from '#site/extension.ts';
import { rdate } from '../../base.ts';
import { suiteErrors } from '../../errors.ts';
import type { EventCount, Period } from '../../logs/events.ts';

const named = ['24-hours', 'week', '30-days'] as const;
export type PeriodArg = (typeof named)[number] | { readonly start: string; readonly end: string };

/** At most so many days. */
const longest = 400;

export function periodArg({ t }: Pick<Toolkit<never>, 't'>) {
  const moment = () => Object.assign(t.string({ format: 'date-time' }), { required: true });
  const bounds = t.object({ start: moment(), end: moment() }, { additionalProperties: false });
  const { required: _, ...range } = bounds as typeof bounds & { required?: unknown };
  return t.oneOf([range as typeof bounds, t.choice(named)], { default: '30-days' });
}

export function periodOf(arg: PeriodArg, now: Date): Period {
  if (arg === '24-hours') return { bucket: 'hour', start: floored(now.getTime() - day, hour), end: now };
  if (arg === 'week') return { bucket: 'day', start: floored(now.getTime() - 7 * day, day), end: now };
  if (arg === '30-days') return { bucket: 'day', start: floored(now.getTime() - 30 * day, day), end: now };
  const [start, end] = [momentOf(arg.start), momentOf(arg.end)];
  if (end < start || end.getTime() - start.getTime() > longest * day) throw suiteErrors.invalidPeriod();
  return { bucket: 'day', start: floored(start.getTime(), day), end };
}

/** The last 60 days, of cards that are not asked for a period. */
export const usualPeriod = (now: Date): Period => ({
  bucket: 'day',
  start: floored(now.getTime() - 60 * day, day),
  end: now,
});

const floored = (moment: number, span: number): Date => new Date(Math.floor(moment / span) * span);

function momentOf(text: string): Date {
  const read = readMoment({ timezone: '', offset: 0 }, text, 'utc');
  if (read === undefined) throw suiteErrors.invalidPeriod();
  return new Date(`${read.utc}Z`);
}

/** Every hour or day up to the last, with 0 where nothing happened; the last one only if something did. */
export function seriesOf(counts: readonly EventCount[], { bucket, start, end }: Period): { t: string; y: number }[] {
  const span = bucket === 'hour' ? hour : day;
  const sums = new Map<number, number>();
  for (let at = start.getTime(); at < floored(end.getTime(), span).getTime(); at += span) sums.set(at, 0);
  for (const { at, count } of counts) sums.set(at.getTime(), (sums.get(at.getTime()) ?? 0) + count);
  return [...sums].sort(([one], [other]) => one - other).map(([at, y]) => ({ t: rdate(new Date(at)), y }));
}
