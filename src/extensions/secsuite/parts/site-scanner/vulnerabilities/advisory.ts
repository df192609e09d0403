// Advisories in the format of OSV, as far as a scan needs them, and which versions they affect.
import { compareVersions, isVersion } from '#lib/version-number.ts';

export interface AffectedPackage {
  readonly ecosystem: string;
  readonly name: string;
  /** Each range begins with its first affected version. */
  readonly ranges: readonly Range[];
  readonly versions: readonly string[];
}

interface Range {
  readonly introduced: string;
  readonly fixed?: string;
  readonly last_affected?: string;
}

export interface Advisory {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly details: string;
  readonly published: string | null;
  readonly modified: string | null;
  readonly score: number | null;
  readonly cwes: readonly string[];
  readonly isExploited: boolean;
  readonly links: readonly string[];
  readonly affected: readonly AffectedPackage[];
}

/** Of one feed: what is longer or more is cut, because a feed may come from anywhere. */
const longest = { id: 100, summary: 300, details: 10_000, version: 100, url: 1_000 };
const most = { aliases: 50, links: 50, affected: 200, ranges: 200, versions: 5_000 };

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
const listOf = (value: unknown, count: number): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, count) : [];
const textOf = (value: unknown, length: number): string =>
  typeof value === 'string' ? value.slice(0, length).toWellFormed() : '';
const textsOf = (value: unknown, count: number, length: number): string[] =>
  listOf(value, count)
    .map((one) => textOf(one, length))
    .filter((one) => one !== '');
const dateOf = (value: unknown): string | null => {
  const time = Date.parse(textOf(value, 40));
  return Number.isFinite(time) ? new Date(time).toISOString() : null;
};

/** Nothing for what is no advisory, was withdrawn, or names no package. */
export function readAdvisory(value: unknown): Advisory | undefined {
  const given = membersOf(value);
  const id = textOf(given.id, longest.id);
  const affected = listOf(given.affected, most.affected).flatMap(readAffected);
  if (!/^[\w.:-]+$/.test(id) || given.withdrawn !== undefined || affected.length === 0) return undefined;
  const own = membersOf(given.database_specific);
  const links = listOf(given.references, most.links).map((one) => textOf(membersOf(one).url, longest.url));
  return {
    id,
    aliases: textsOf(given.aliases, most.aliases, longest.id),
    summary: textOf(given.summary, longest.summary) || id,
    details: textOf(given.details, longest.details),
    published: dateOf(given.published),
    modified: dateOf(given.modified ?? given.published),
    score: scoreOf(given.severity),
    cwes: textsOf(own.cwe_ids, 20, 20),
    isExploited: own.is_exploited === true,
    links: links.filter((url) => /^https?:\/\//.test(url) && URL.canParse(url)),
    affected,
  };
}

function readAffected(value: unknown): AffectedPackage[] {
  const { package: named, ranges, versions } = membersOf(value);
  const { ecosystem, name } = membersOf(named);
  if (typeof ecosystem !== 'string' || typeof name !== 'string') return [];
  return [
    {
      ecosystem: ecosystem.slice(0, longest.id),
      name: name.slice(0, 214),
      ranges: listOf(ranges, most.ranges)
        .map(membersOf)
        .filter(({ type }) => type === 'SEMVER' || type === 'ECOSYSTEM')
        .flatMap(({ events }) => rangesOf(listOf(events, most.ranges).map(membersOf)))
        .slice(0, most.ranges),
      versions: textsOf(versions, most.versions, longest.version),
    },
  ];
}

/** Events say in their order where a range begins and where it ends. */
function rangesOf(events: readonly Members[]): Range[] {
  const ranges: Range[] = [];
  let introduced: string | undefined;
  for (const event of events) {
    if (typeof event.introduced === 'string') introduced = event.introduced.slice(0, longest.version);
    else if (introduced !== undefined) {
      const [fixed, last] = [textOf(event.fixed, longest.version), textOf(event.last_affected, longest.version)];
      if (fixed === '' && last === '') continue;
      ranges.push(fixed === '' ? { introduced, last_affected: last } : { introduced, fixed });
      introduced = undefined;
    }
  }
  return introduced === undefined ? ranges : [...ranges, { introduced }];
}

/** `0` stands for the first version ever. */
const isFrom = (version: string, first: string): boolean => first === '0' || compareVersions(version, first) >= 0;

const isIn = (version: string, { introduced, fixed, last_affected }: Range): boolean =>
  isFrom(version, introduced) &&
  (fixed === undefined || compareVersions(version, fixed) < 0) &&
  (last_affected === undefined || compareVersions(version, last_affected) <= 0);

export const isAffected = (version: string, { ranges, versions }: AffectedPackage): boolean =>
  versions.includes(version) || (isVersion(version) && ranges.some((range) => isIn(version, range)));

/** The lowest version above this one that is fixed and not affected again. */
export const fixedIn = (version: string, affected: AffectedPackage): string | null =>
  affected.ranges
    .flatMap(({ fixed }) => fixed ?? [])
    .filter((fixed) => compareVersions(fixed, version) > 0 && !isAffected(fixed, affected))
    .sort(compareVersions)[0] ?? null;

/** `>=4.0.0 <4.10.2, 5.0.0` */
export const rangeText = ({ ranges, versions }: AffectedPackage): string =>
  [
    ...ranges.map(({ introduced, fixed, last_affected }) =>
      [
        introduced === '0' ? '' : `>=${introduced}`,
        fixed === undefined ? '' : `<${fixed}`,
        last_affected === undefined ? '' : `<=${last_affected}`,
      ]
        .filter((one) => one !== '')
        .join(' '),
    ),
    ...(ranges.length === 0 ? versions.slice(0, 20) : []),
  ]
    .map((one) => one || 'all versions')
    .join(', ');

// The base score of CVSS 3, from its vector: https://www.first.org/cvss/v3.1/specification-document

const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
const privileges = { U: { N: 0.85, L: 0.62, H: 0.27 }, C: { N: 0.85, L: 0.68, H: 0.5 } } as const;

function scoreOf(severity: unknown): number | null {
  const vectors = listOf(severity, 10).map((one) => textOf(membersOf(one).score, 200));
  for (const vector of vectors) {
    const score = baseScore(vector);
    if (score !== undefined) return score;
  }
  return null;
}

export function baseScore(vector: string): number | undefined {
  if (!/^CVSS:3\.[01]\//.test(vector)) return undefined;
  const metrics = Object.fromEntries(vector.split('/').map((one) => one.split(':', 2)));
  const scope = metrics.S === 'C' ? 'C' : 'U';
  const weight = (name: string): number => weights[name]?.[metrics[name] ?? ''] ?? Number.NaN;
  const privilege = (privileges[scope] as Readonly<Record<string, number>>)[metrics.PR ?? ''] ?? Number.NaN;
  const lost = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'));
  const impact = scope === 'U' ? 6.42 * lost : 7.52 * (lost - 0.029) - 3.25 * (lost - 0.02) ** 15;
  const ease = 8.22 * weight('AV') * weight('AC') * privilege * weight('UI');
  const sum = scope === 'U' ? impact + ease : 1.08 * (impact + ease);
  if (Number.isNaN(sum)) return undefined;
  return impact <= 0 ? 0 : roundUp(Math.min(sum, 10));
}

/** To one decimal, upwards. */
function roundUp(value: number): number {
  const whole = Math.round(value * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}
