// Times as clocks on a wall show them, `2026-11-20T12:00:00`: what the interface prints, and what authors mean.
import { hour } from './spans.ts';
import { offsetAt } from './zone.ts';

/** By which clock a site goes. */
export interface Zone {
  /** A name such as Europe/London, or empty: then `offset` counts. */
  readonly timezone: string;
  /** Hours from UTC. */
  readonly offset: number;
}

/** A moment, by the clock of the site and by that of the world. */
export interface Moment {
  readonly wall: string;
  readonly utc: string;
}

const aheadBy = ({ timezone, offset }: Zone, milliseconds: number): number =>
  Math.round((timezone === '' ? offset : offsetAt(timezone, new Date(milliseconds))) * hour);

const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 19);

export const utcTime = (moment: Date): string => textOf(moment.getTime());

export const wallTime = (zone: Zone, moment: Date): string =>
  textOf(moment.getTime() + aheadBy(zone, moment.getTime()));

const at = (zone: Zone, milliseconds: number): Moment => ({
  wall: textOf(milliseconds + aheadBy(zone, milliseconds)),
  utc: textOf(milliseconds),
});

export const momentAt = (zone: Zone, moment: Date): Moment => at(zone, moment.getTime());

const form = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/i;

/** Days that a month does not have roll over into the next. */
function clockOf(parts: RegExpExecArray): number {
  const [year, month, day, hours, minutes, seconds] = parts.slice(1, 7).map(Number) as [number, ...number[]];
  const date = new Date(0);
  date.setUTCFullYear(year, month! - 1, day);
  return date.setUTCHours(hours!, minutes!, seconds);
}

function offsetOf(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const [hours, minutes] = zone.slice(1).split(':').map(Number);
  return (zone.startsWith('-') ? -1 : 1) * (hours! + minutes! / 60) * hour;
}

/**
 * When the clock of the site shows this. In an hour that the clock leaves out it is as much later; in one that comes twice it is
 * the first.
 */
function shownAt(zone: Zone, clock: number): number {
  const early = aheadBy(zone, clock - 24 * hour);
  const late = aheadBy(zone, clock + 24 * hour);
  const first = [early, late].find((ahead) => aheadBy(zone, clock - ahead) === ahead);
  return clock - (first ?? early);
}

/** Years that take four digits by both clocks. */
const [earliest, latest] = [Date.parse('0001-01-03T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z')];

/** What somebody wrote: with a zone a moment, without one a time by the clock of the site or by that of the world. */
export function readMoment(zone: Zone, text: string, clock: 'wall' | 'utc'): Moment | undefined {
  const parts = form.exec(text);
  if (parts === null || Number(parts[1]) === 0 || Number(parts[2]) === 0 || Number(parts[3]) === 0) return undefined;
  const shown = clockOf(parts);
  if (!(shown > earliest && shown < latest)) return undefined;
  const named = parts[7];
  if (named !== undefined) return at(zone, shown - offsetOf(named));
  return at(zone, clock === 'utc' ? shown : shownAt(zone, shown));
}

/** What a list begins or ends with: one that no clock shows is before all that is kept, or after it. */
export const readBound = (zone: Zone, text: string): Moment => {
  const written = text.slice(0, 19).replace(' ', 'T');
  return readMoment(zone, text, 'wall') ?? { wall: written, utc: written };
};
