// Versions of programs, as semver.org orders them, and the ranges that somebody asks for.

interface Parts {
  readonly numbers: readonly number[];
  /** `beta`, `2`: what makes it come before the version of these numbers. */
  readonly early: readonly string[];
}

const part = '(?:0|[1-9]\\d{0,8})';
const written = new RegExp(`^(${part})\\.(${part})\\.(${part})(?:-([0-9A-Za-z.-]{1,60}))?(?:\\+[0-9A-Za-z.-]{1,60})?$`);

function partsOf(version: string): Parts | undefined {
  const found = written.exec(version);
  if (found === null) return undefined;
  const early = found[4]?.split('.') ?? [];
  if (early.some((one) => one === '' || /^0\d+$/.test(one))) return undefined;
  return { numbers: found.slice(1, 4).map(Number), early };
}

export const isVersion = (text: string): boolean => partsOf(text) !== undefined;

/** Below zero when the first is older. What is no version is older than any. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  for (const [at, number] of a.numbers.entries()) if (number !== b.numbers[at]) return number - b.numbers[at]!;
  if (a.early.length === 0 || b.early.length === 0) return b.early.length - a.early.length;
  return earlier(a.early, b.early);
}

function earlier(a: readonly string[], b: readonly string[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (one === other) continue;
    const [first, second] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (first && second) return Number(one) - Number(other);
    if (first !== second) return first ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return a.length - b.length;
}

const bound = /^(>=|<=|>|<|=)(\S{1,140})$/;
const holds: Readonly<Record<string, (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
  '=': (order) => order === 0,
};

const boundsOf = (range: string): readonly (readonly [sign: string, version: string])[] =>
  range.split(' ').map((one) => {
    const [, sign = '', version = ''] = bound.exec(one) ?? [];
    return [sign, version];
  });

/** `>=0.4.0`, or several with one space between them: `>=0.4.0 <2.0.0`. */
export const isRange = (text: string): boolean => {
  const bounds = boundsOf(text);
  return bounds.length <= 4 && bounds.every(([sign, version]) => sign !== '' && isVersion(version));
};

export const isWithin = (version: string, range: string): boolean =>
  isVersion(version) &&
  isRange(range) &&
  boundsOf(range).every(([sign, other]) => holds[sign]?.(compareVersions(version, other)));
