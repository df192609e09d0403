// Offsets of time zones, in hours, as this family of interfaces speaks of them.

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, known);
  return known;
}

/** How many hours a named zone is ahead of UTC at that moment. */
export function offsetAt(zone: string, moment: Date): number {
  const name =
    formatOf(zone)
      .formatToParts(moment)
      .find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? [];
  const offset = Number(hours) + Number(minutes) / 60;
  return sign === '-' ? -offset : offset;
}

/** Whether it is the name of a place whose clocks are known. An offset is a time zone to Intl, but no place with summers. */
export function isZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** As it is written in the world: `europe/london` is Europe/London. A second name of a place is kept when it is written as one. */
export function spelledZone(name: string): string {
  const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  const isSecond = known.toLowerCase() !== name.toLowerCase() && name.split('/').every((part) => /^[A-Z]/.test(part));
  return isSecond ? name : known;
}
