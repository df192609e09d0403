// Where an address is, as far as anybody knows: made from what a database or a provider says of it.
import { stripTags } from '#lib/tags.ts';
import { centreOf } from './centres.ts';

export interface Location {
  readonly lat: number;
  readonly long: number;
  /** `City, Country`, or the country alone. */
  readonly label: string;
  readonly country: string;
  /** The two letters of ISO 3166-1, or nothing. */
  readonly country_code: string;
  /** Whom to name for it. */
  readonly credit: string;
}

interface Known {
  readonly code: string;
  readonly country: string;
  readonly city: string;
  readonly lat: unknown;
  readonly long: unknown;
}

type Members = Readonly<Record<string, unknown>>;

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** Of an answer with plain members: `{ country_code, country, city, lat, long }`, all but the first for who has them. */
export const plainly = (said: Members): Known => ({
  code: textOf(said.country_code),
  country: textOf(said.country),
  city: textOf(said.city),
  lat: said.lat ?? said.latitude,
  long: said.long ?? said.longitude,
});

/** Of a record as the databases of several makers have it: the country, the city and the spot apart, each with its names. */
export function inParts(said: Members): Known {
  const [country, city, spot] = [membersOf(said.country), membersOf(said.city), membersOf(said.location)];
  return {
    code: textOf(country.iso_code),
    country: textOf(membersOf(country.names).en),
    city: textOf(membersOf(city.names).en),
    lat: spot.latitude,
    long: spot.longitude,
  };
}

/** What is no country is nowhere. */
export function locationOf(known: Known, credit: string): Location | undefined {
  const code = /^(?!zz)[a-z]{2}$/i.test(known.code) ? known.code.toUpperCase() : '';
  const country = known.country || (code === '' ? '' : (names.of(code) ?? code));
  if (country === '') return undefined;
  const spot = { lat: known.lat, long: known.long };
  const { lat, long } = isSpot(spot) ? spot : centreOf(code);
  return {
    lat,
    long,
    label: known.city === '' ? country : `${known.city}, ${country}`,
    country,
    country_code: code,
    credit,
  };
}

export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

const isWithin = (value: unknown, most: number): boolean =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= most;

const isSpot = (spot: { lat: unknown; long: unknown }): spot is { lat: number; long: number } =>
  isWithin(spot.lat, 90) && isWithin(spot.long, 180);

/** It is shown beside other text, whoever said it. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? stripTags(value.slice(0, 200)).replace(/\s+/g, ' ').trim() : '';

export const creditOf = textOf;
