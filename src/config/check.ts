// Small checks for a document a person wrote: each names the place in it and what belongs there.
import { suggestion } from './nearest.ts';

/** Something the operator wrote is wrong: one sentence that names it and the way out. Exit code 2. */
export class BadSetting extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadSetting';
  }
}

/** A place in a document: the file, then the keys that lead there. */
export interface Place {
  readonly file: string;
  readonly path: readonly string[];
}

export const at = (place: Place, key: string | number): Place => ({
  file: place.file,
  path: [...place.path, String(key)],
});

/** `deployments/x.json: roles.editor.capabilities must be a list of text values.` */
export function wrong(place: Place, sentence: string): never {
  const path = place.path.join('.');
  throw new BadSetting(`${place.file}: ${path === '' ? 'the file' : path} ${sentence}`);
}

type Check<T> = (value: unknown, place: Place) => T;

export const text: Check<string> = (value, place) =>
  typeof value === 'string' ? value : wrong(place, 'must be text.');

export const flag: Check<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : wrong(place, 'must be true or false.');

export const whole =
  (least: number, most = Number.MAX_SAFE_INTEGER): Check<number> =>
  (value, place) => {
    const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
    const fits = Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
    return fits ? (value as number) : wrong(place, `must be a whole number ${range}.`);
  };

export const oneOf =
  <const T extends string>(...allowed: readonly T[]): Check<T> =>
  (value, place) =>
    allowed.find((one) => one === value) ?? wrong(place, `must be ${allowed.map((one) => `"${one}"`).join(' or ')}.`);

export const texts: Check<readonly string[]> = (value, place) => {
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
    wrong(place, 'must be a list of text values.');
  const list = value as string[];
  const twice = list.find((item, index) => list.indexOf(item) !== index);
  return twice === undefined ? list : wrong(place, `must name ${twice} only once.`);
};

export function object(value: unknown, place: Place): Record<string, unknown> {
  const plain = typeof value === 'object' && value !== null && !Array.isArray(value);
  return plain ? (value as Record<string, unknown>) : wrong(place, 'must be an object.');
}

/** An object whose keys are free and whose values are alike. */
export const record =
  <T>(each: Check<T>): Check<Readonly<Record<string, T>>> =>
  (value, place) =>
    Object.fromEntries(Object.entries(object(value, place)).map(([key, item]) => [key, each(item, at(place, key))]));

/** Refuses a key, or a name in a list, that means nothing here. */
export function known(given: Iterable<string>, allowed: readonly string[], place: Place, what: string): void {
  for (const name of given) {
    if (allowed.includes(name)) continue;
    wrong(place, `names the ${what} "${name}", which does not exist.${suggestion(name, allowed)}`);
  }
}
