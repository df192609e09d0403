// Times as clocks on a wall show them, `2026-11-20T12:00:00`: the interface prints them, and authors mean them. `Temporal` of the
// pinned runtime knows the clocks.
import { hour } from './spans.ts';

/** The clock that a site goes by. */
export interface Zone {
  /** A name such as Europe/London, or empty: then `offset` counts. */
  readonly timezone: string;
  /** Hours ahead of UTC. */
  readonly offset: number;
}

/** One moment, as the clock of the site and as UTC. */
export interface Moment {
  readonly wall: string;
  readonly utc: string;
}

/** `Temporal` names a fixed offset as `+05:30`. */
function zoneId({ timezone, offset }: Zone): string {
  if (timezone !== '') return timezone;
  const minutes = Math.round(Math.abs(offset) * 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offset < 0 ? '-' : '+'}${hours}:${rest}`;
}

const zonedTime = (zone: string, milliseconds: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(zone);

export const utcTime = (moment: Date): string => moment.toISOString().slice(0, 19);

export const wallTime = (zone: Zone, moment: Date): string =>
  zonedTime(zoneId(zone), moment.getTime()).toPlainDateTime().toString({ smallestUnit: 'second' });

export const momentAt = (zone: Zone, moment: Date): Moment => ({
  wall: wallTime(zone, moment),
  utc: utcTime(moment),
});

const form = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/i;

/** Years that take four digits both in UTC and on every clock. */
const [earliest, latest] = [Date.parse('0001-01-03T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z')];

/**
 * The moment that a text names: by the zone in it, or else by the clock of the site or UTC. An hour that the clock leaves out
 * becomes as much later, and of an hour that comes twice the first counts.
 */
export function readMoment(zone: Zone, text: string, clock: 'wall' | 'utc'): Moment | undefined {
  const parts = form.exec(text);
  if (parts === null || Number(parts[1]) === 0 || Number(parts[2]) === 0 || Number(parts[3]) === 0) return undefined;
  const shown = dateTimeOf(parts);
  const asUtc = shown.toZonedDateTime('UTC').epochMilliseconds;
  if (!(asUtc > earliest && asUtc < latest)) return undefined;
  const named = parts[7];
  if (named !== undefined) return momentAt(zone, new Date(asUtc - offsetOf(named)));
  if (clock === 'utc') return momentAt(zone, new Date(asUtc));
  return momentAt(zone, new Date(shown.toZonedDateTime(zoneId(zone)).epochMilliseconds));
}

/** Days that a month does not have roll over into the next one. */
function dateTimeOf(parts: RegExpExecArray): Temporal.PlainDateTime {
  const [year, month, day, hours, minutes, seconds] = parts.slice(1, 7).map(Number) as [number, number, ...number[]];
  return new Temporal.PlainDateTime(year, 1, 1).add({ months: month - 1, days: day! - 1, hours, minutes, seconds });
}

/** In milliseconds. */
function offsetOf(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = zone.slice(1).split(':').map(Number);
  return (zone.startsWith('-') ? -1 : 1) * (hours! + minutes! / 60) * hour;
}

/** The first or last moment of a list: a text that no clock shows comes before or after everything that is kept. */
export const readBound = (zone: Zone, text: string): Moment => {
  const written = text.slice(0, 19).replace(' ', 'T');
  return readMoment(zone, text, 'wall') ?? { wall: written, utc: written };
};

/** How many hours a named zone is ahead of UTC at that moment. */
export const offsetAt = (zone: string, moment: Date): number =>
  zonedTime(zone, moment.getTime()).offsetNanoseconds / (hour * 1_000_000);

/** Whether this names a place whose clocks are known. `Intl` takes an offset for a time zone, but an offset has no summer time. */
export function isZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The usual spelling: `europe/london` becomes Europe/London. A second name of a place stays when it is spelled as one. */
export function spelledZone(name: string): string {
  const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  const isSecond = known.toLowerCase() !== name.toLowerCase() && name.split('/').every((part) => /^[A-Z]/.test(part));
  return isSecond ? name : known;
}
