// One table of routes, two spellings. Only names and the root differ between the faces; routes are declared neutrally.

export type Face = 'neutral' | 'classic';

const classicNames = new Map([
  ['core/v2', 'wp/v2'],
  ['core-site-health/v1', 'wp-site-health/v1'],
  ['core-block-editor/v1', 'wp-block-editor/v1'],
  ['core-abilities/v1', 'wp-abilities/v1'],
]);
const neutralNames = new Map(Array.from(classicNames, ([neutral, classic]) => [classic, neutral]));

const beginsWith = (names: Iterable<string>): RegExp => new RegExp(`^/(${[...names].join('|')})(?=/|$)`, 'i');
const neutralName = beginsWith(classicNames.keys());
const classicName = beginsWith(neutralNames.keys());

/** The neutral path a face means, or undefined when the name belongs to the other face. */
export function neutralPath(face: Face, path: string): string | undefined {
  if (face === 'neutral') return classicName.test(path) ? undefined : path;
  const name = classicName.exec(path)?.[1];
  if (name === undefined) return neutralName.test(path) ? undefined : path;
  return `/${neutralNames.get(name.toLowerCase())}${path.slice(name.length + 1)}`;
}

/** Inside a batch both spellings are understood on both faces. */
export function neutralPathOfEither(path: string): string {
  return neutralPath('classic', path) ?? path;
}

/** A neutral path or pattern as this face spells it. */
export function spell(face: Face, path: string): string {
  const name = face === 'neutral' ? undefined : neutralName.exec(path)?.[1];
  return name === undefined ? path : `/${classicNames.get(name.toLowerCase())}${path.slice(name.length + 1)}`;
}

export const spellNamespace = (face: Face, namespace: string): string => spell(face, `/${namespace}`).slice(1);

/** Where the interface lives, without a slash at the end. */
export type Roots = Readonly<Record<Face, string>>;

export const apiUrl = (roots: Roots, face: Face, path: string): string =>
  path === '/' ? `${roots[face]}/` : `${roots[face]}${spell(face, path)}`;
