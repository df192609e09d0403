// Other installations on this machine that were left behind: found by their manifests, below folders that the operator names.
import { createHash } from 'node:crypto';
import { join, sep } from 'node:path';
import { entriesOf, exists, readText, realPath } from '../../disk/reading.ts';

interface FoundSite {
  readonly path: string;
  /** As its manifest says it. */
  readonly version: string;
}

interface Search {
  readonly roots: readonly string[];
  /** Not an old site: the program that runs. */
  readonly own: string;
  readonly limits: { readonly depth: number; readonly folders: number };
  readonly signal?: AbortSignal;
}

export const searchLimits = { depth: 8, folders: 50_000 };

const longestManifest = 256 * 1024;

/** A link is followed once, and only to a folder below the roots. What was found until the signal is answered. */
export async function findSites({ roots, own, limits, signal }: Search): Promise<FoundSite[]> {
  const real = (await Promise.all(roots.map(realPath))).filter((one) => one !== undefined);
  const ownFolder = await realPath(own);
  const seen = new Set<string>();
  const found: FoundSite[] = [];
  const waiting = real.map((path) => ({ path, depth: 0 }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, depth } = next;
    if (signal?.aborted || seen.size >= limits.folders) break;
    if (seen.has(path)) continue;
    seen.add(path);
    const version = path === ownFolder ? undefined : await installedVersion(path);
    if (version !== undefined) found.push({ path, version });
    const below = depth < limits.depth ? await foldersBelow(path, real) : [];
    waiting.push(...below.map((place) => ({ path: place, depth: depth + 1 })));
  }
  return found;
}

async function foldersBelow(path: string, roots: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for (const entry of await entriesOf(path)) {
    const place = join(path, entry.name);
    if (entry.isDirectory() && entry.name !== '.git') all.push(place);
    const target = entry.isSymbolicLink() ? await realPath(place) : undefined;
    if (target !== undefined && roots.some((root) => isBelow(root, target))) all.push(target);
  }
  return all;
}

const isBelow = (root: string, path: string): boolean => path === root || path.startsWith(withSlash(root));

const withSlash = (path: string): string => (path.endsWith(sep) ? path : path + sep);

/** Files that say which version of a system is installed in a folder. */
const markers: readonly (readonly [file: string, version: (text: string) => string | undefined])[] = [
  ['package.json', ownVersion],
  // A site of the kind that Gatehouse imports from.
  ['wp-includes/version.php', (text) => /\$wp_version\s*=\s*'([^']{1,40})'/.exec(text)?.[1] && legacy],
];

/** No list of releases has it, so it counts as outdated. */
const legacy = 'legacy';

async function installedVersion(folder: string): Promise<string | undefined> {
  for (const [file, read] of markers) {
    const place = join(folder, file);
    const version = exists(place) ? read((await readText(place, longestManifest)) ?? '') : undefined;
    if (version !== undefined) return version;
  }
  return undefined;
}

function ownVersion(text: string): string | undefined {
  try {
    const { name, version, bin } = JSON.parse(text) as Record<string, unknown>;
    const isOurs = name === 'gatehouse' && typeof bin === 'object' && bin !== null && 'gatehouse' in bin;
    return isOurs ? String(version ?? '').slice(0, 40) : undefined;
  } catch {
    return undefined;
  }
}

export const idOf = (path: string): string => createHash('md5').update(path).digest('hex');

export const describeSite = (version: string): string =>
  version === legacy
    ? 'An earlier system is installed here. Delete it if nothing uses it.'
    : `Gatehouse ${version || 'of an unknown version'} is installed here, which is outdated. Update or delete it.`;
