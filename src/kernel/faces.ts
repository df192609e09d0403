// One table of routes, two spellings. Only names and the root differ between the faces; routes are declared neutrally.

export type Face = 'neutral' | 'classic';

const classicNames: readonly (readonly [neutral: string, classic: string])[] = [
  ['core/v2', 'wp/v2'],
  ['core-site-health/v1', 'wp-site-health/v1'],
  ['core-block-editor/v1', 'wp-block-editor/v1'],
  ['core-abilities/v1', 'wp-abilities/v1'],
];

const startsWithName = (path: string, name: string): boolean =>
  path.length > name.length
    ? path.charCodeAt(name.length + 1) === 47 && path.slice(1, name.length + 1).toLowerCase() === name
    : false;

const names = (path: string, name: string): boolean =>
  path.slice(1).toLowerCase() === name || startsWithName(path, name);

/** The neutral path a face means, or undefined when the name belongs to the other face. */
export function neutralPath(face: Face, path: string): string | undefined {
  if (face === 'neutral') return classicNames.some(([, classic]) => names(path, classic)) ? undefined : path;
  for (const [neutral, classic] of classicNames) {
    if (names(path, classic)) return `/${neutral}${path.slice(classic.length + 1)}`;
    if (names(path, neutral)) return undefined;
  }
  return path;
}

/** Inside a batch both spellings are understood on both faces. */
export function neutralPathOfEither(path: string): string {
  return neutralPath('classic', path) ?? path;
}

/** A neutral path or pattern as this face spells it. */
export function spell(face: Face, path: string): string {
  if (face === 'neutral') return path;
  for (const [neutral, classic] of classicNames) {
    if (names(path, neutral)) return `/${classic}${path.slice(neutral.length + 1)}`;
  }
  return path;
}

export const spellNamespace = (face: Face, namespace: string): string => spell(face, `/${namespace}`).slice(1);

/** Where the interface lives, without a slash at the end. */
export type Roots = Readonly<Record<Face, string>>;

export const apiUrl = (roots: Roots, face: Face, path: string): string =>
  path === '/' ? `${roots[face]}/` : `${roots[face]}${spell(face, path)}`;
