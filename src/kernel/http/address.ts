// Which part of a request's address is the interface's: the face it speaks and the path below its root.
import { nameIn } from '../args/query.ts';
import type { Face } from '../faces.ts';
import { decodedPath } from '../table.ts';

export interface Place {
  readonly face: Face;
  readonly path: string;
  readonly query: string;
}

export interface Layout {
  /** The path of the public address, without a slash at the end; empty for a whole host. */
  readonly base: string;
  readonly prefix: string;
  readonly faces: 'neutral' | 'classic' | 'both';
}

const classicPrefix = '/wp-json';
const routeArgument = 'rest_route';

/** Where in the interface an address below the base points, or undefined when it is a page. */
export function placeOf(url: string, layout: Layout): Place | undefined {
  const at = url.indexOf('?');
  const query = at < 0 ? '' : url.slice(at + 1);
  const path = at < 0 ? url : url.slice(0, at);
  const face = faceOf(path, layout);
  if (face === 'neutral') return { face, path: below(path, layout.prefix.length + 1), query };
  if (face === 'classic') return { face, path: below(path, classicPrefix.length), query };
  return queryPlace(path, query, layout);
}

/** The address below the path of the public one. A proxy may have taken that path away already. */
export function belowBase(url: string, base: string): string {
  if (base === '' || !url.startsWith(base)) return url;
  const rest = url.slice(base.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}

function faceOf(path: string, { prefix, faces }: Layout): Face | undefined {
  if (faces !== 'classic' && isBelow(path, `/${prefix}`)) return 'neutral';
  return faces !== 'neutral' && isBelow(path, classicPrefix) ? 'classic' : undefined;
}

const isBelow = (path: string, root: string): boolean =>
  path.startsWith(root) && (path.length === root.length || path.charCodeAt(root.length) === 47);

/** The classic face also answers at the front page, with the path as an argument: as every argument, the last of its name counts. */
function queryPlace(path: string, query: string, { faces }: Layout): Place | undefined {
  if (faces === 'neutral' || query === '' || (path !== '/' && path !== '/index.php')) return undefined;
  const [others, routes] = [[] as string[], [] as string[]];
  for (const pair of query.split('&')) (nameIn(pair)[0] === routeArgument ? routes : others).push(pair);
  const route = routeIn(routes.at(-1) ?? '');
  if (route === '') return undefined;
  return { face: 'classic', path: route.startsWith('/') ? route : `/${route}`, query: others.join('&') };
}

/** Nothing where it is no text. */
const routeIn = (pair: string): string =>
  nameIn(pair).length > 1 || !pair.includes('=')
    ? ''
    : decodedPath(pair.slice(pair.indexOf('=') + 1).replaceAll('+', ' '));

const below = (path: string, length: number): string => decodedPath(path.slice(length)) || '/';
