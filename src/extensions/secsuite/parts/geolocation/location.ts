// Where an address is, as far as anybody knows: made from what a database or a provider says of it.
import { stripTags } from '#lib/tags.ts';

// About where the middle of each country is, to half a degree or so: enough for a mark on a map of the world.

const table = `
AD 42.5 1.5 AE 24 54 AF 33 65 AG 17.1 -61.8 AI 18.2 -63.1 AL 41 20 AM 40 45 AO -12.5 18.5 AQ -80 0 AR -34 -64
AS -14.3 -170.7 AT 47.3 13.3 AU -25 134 AW 12.5 -70 AX 60.2 20 AZ 40.4 47.7 BA 44 18 BB 13.2 -59.5 BD 24 90 BE 50.8 4.5
BF 13 -2 BG 43 25 BH 26 50.5 BI -3.5 30 BJ 9.5 2.3 BL 17.9 -62.8 BM 32.3 -64.8 BN 4.5 114.7 BO -17 -65 BQ 12.2 -68.3
BR -10 -53 BS 24.3 -76 BT 27.5 90.5 BV -54.4 3.4 BW -22 24 BY 53 28 BZ 17.2 -88.7 CA 60 -96 CC -12.2 96.8 CD -3 23
CF 7 21 CG -1 15 CH 47 8 CI 7.5 -5.5 CK -21.2 -159.8 CL -33 -71 CM 6 12 CN 35 105 CO 4 -72 CR 10 -84
CU 21.5 -80 CV 16 -24 CW 12.2 -69 CX -10.5 105.7 CY 35 33 CZ 49.8 15.5 DE 51 10 DJ 11.5 43 DK 56 10 DM 15.4 -61.3
DO 19 -70.7 DZ 28 3 EC -2 -77.5 EE 59 26 EG 27 30 EH 24.5 -13 ER 15 39 ES 40 -4 ET 8 38 FI 64 26
FJ -18 178 FK -51.7 -59 FM 6.9 158.2 FO 62 -7 FR 46 2 GA -1 11.7 GB 54 -2 GD 12.1 -61.7 GE 42 43.5 GF 4 -53
GG 49.5 -2.6 GH 8 -2 GI 36.1 -5.4 GL 72 -40 GM 13.5 -15.5 GN 11 -10 GP 16.2 -61.5 GQ 2 10 GR 39 22 GS -54.5 -37
GT 15.5 -90.2 GU 13.4 144.8 GW 12 -15 GY 5 -59 HK 22.3 114.2 HM -53.1 73.5 HN 15 -86.5 HR 45.2 15.5 HT 19 -72.4 HU 47 20
ID -5 120 IE 53 -8 IL 31.5 34.8 IM 54.2 -4.5 IN 20 77 IO -6 71.5 IQ 33 44 IR 32 53 IS 65 -18 IT 42.8 12.8
JE 49.2 -2.1 JM 18.2 -77.5 JO 31 36 JP 36 138 KE 1 38 KG 41 75 KH 13 105 KI 1.4 173 KM -12.2 44.2 KN 17.3 -62.7
KP 40 127 KR 37 127.5 KW 29.5 47.7 KY 19.5 -80.7 KZ 48 68 LA 18 105 LB 33.8 35.8 LC 13.9 -61 LI 47.2 9.5 LK 7 81
LR 6.5 -9.5 LS -29.5 28.5 LT 56 24 LU 49.8 6.2 LV 57 25 LY 25 17 MA 32 -5 MC 43.7 7.4 MD 47 29 ME 42.5 19.3
MF 18.1 -63.1 MG -20 47 MH 9 168 MK 41.8 22 ML 17 -4 MM 22 98 MN 46 105 MO 22.2 113.5 MP 15.2 145.8 MQ 14.7 -61
MR 20 -12 MS 16.8 -62.2 MT 35.9 14.4 MU -20.3 57.6 MV 3.2 73 MW -13.5 34 MX 23 -102 MY 2.5 112.5 MZ -18.3 35 NA -22 17
NC -21.5 165.5 NE 16 8 NF -29 168 NG 10 8 NI 13 -85 NL 52.5 5.8 NO 62 10 NP 28 84 NR -0.5 166.9 NU -19 -169.9
NZ -41 174 OM 21 57 PA 9 -80 PE -10 -76 PF -15 -140 PG -6 147 PH 13 122 PK 30 70 PL 52 20 PM 46.8 -56.3
PN -25.1 -130.1 PR 18.2 -66.5 PS 32 35.2 PT 39.5 -8 PW 7.5 134.5 PY -23 -58 QA 25.5 51.2 RE -21.1 55.6 RO 46 25 RS 44 21
RU 60 100 RW -2 30 SA 25 45 SB -8 159 SC -4.6 55.5 SD 15 30 SE 62 15 SG 1.4 103.8 SH -16 -5.7 SI 46.1 14.8
SJ 78 20 SK 48.7 19.5 SL 8.5 -11.5 SM 43.9 12.4 SN 14 -14 SO 10 49 SR 4 -56 SS 8 30 ST 1 7 SV 13.8 -88.9
SX 18 -63.1 SY 35 38 SZ -26.5 31.5 TC 21.8 -71.6 TD 15 19 TF -49.3 69.5 TG 8 1.2 TH 15 100 TJ 39 71 TK -9 -172
TL -8.8 125.9 TM 40 60 TN 34 9 TO -20 -175 TR 39 35 TT 11 -61 TV -8 178 TW 23.5 121 TZ -6 35 UA 49 32
UG 1 32 UM 19.3 166.6 US 39.8 -98.6 UY -33 -56 UZ 41 64 VA 41.9 12.5 VC 13.2 -61.2 VE 8 -66 VG 18.5 -64.5 VI 18.3 -64.8
VN 16 106 VU -16 167 WF -13.3 -176.2 WS -13.6 -172.3 XK 42.6 20.9 YE 15 48 YT -12.8 45.2 ZA -29 24 ZM -15 30 ZW -19 29`;

interface Spot {
  readonly lat: number;
  readonly long: number;
}

const centres = new Map<string, Spot>(
  Array.from(table.matchAll(/([A-Z]{2}) (\S+) (\S+)/g), ([, code = '', lat, long]) => [
    code,
    { lat: Number(lat), long: Number(long) },
  ]),
);

/** By the two letters of ISO 3166-1; of an unknown one, where the map begins. */
export const centreOf = (code: string): Spot => centres.get(code) ?? { lat: 0, long: 0 };

/** The codes of all that have one. */
export const centred: ReadonlySet<string> = new Set(centres.keys());

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
