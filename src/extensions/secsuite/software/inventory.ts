// The software that a site runs: Gatehouse itself, Node.js, extensions, and npm packages by the lock file.
import { join } from 'node:path';
import { compareVersions } from '#lib/version-number.ts';
import type { Extensions } from '#site/packages/packages.ts';
import { exists, readText } from '../disk/reading.ts';

export const softwareKinds = ['core', 'plugin', 'theme', 'dependency'] as const;
export type SoftwareKind = (typeof softwareKinds)[number];

export interface Software {
  /** `plugin:garden`: the key in the setting `packages`. */
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly kind: SoftwareKind;
  readonly version: string;
  readonly active: boolean;
  /** The newest version that is known, if it is newer than the installed one. */
  readonly update: string | null;
  /** By which advisories name it, in the terms of OSV. */
  readonly advisoryPackage: { readonly ecosystem: string; readonly name: string };
}

export interface Inventory {
  /** Asks the catalogue for newer versions, if its last answer is older than `age` milliseconds. */
  list(age: number): Promise<readonly Software[]>;
}

interface InventoryDeps {
  readonly extensions: Pick<Extensions, 'list' | 'newer'>;
  readonly version: string;
  /** The folder of the program. */
  readonly root: string;
}

export const programFolder = join(import.meta.dirname, '../../../..');

/** Of Gatehouse and its extensions: no public database of advisories has them, so the name is ours. */
export const ownEcosystem = 'Gatehouse';

export function createInventory({ extensions, version, root }: InventoryDeps): Inventory {
  let dependencies: Promise<readonly Software[]> | undefined;
  return {
    async list(age) {
      // The lock file does not change while the program runs.
      dependencies ??= readDependencies(root).catch((error) => {
        dependencies = undefined;
        throw error;
      });
      const [cards, newer, packages] = await Promise.all([extensions.list(), extensions.newer(age), dependencies]);
      const plugins = cards
        .filter(({ installed }) => installed)
        .map(
          ({ slug, name, version, active }): Software => ({
            id: `plugin:${slug}`,
            name,
            file: slug,
            kind: 'plugin',
            version,
            active,
            update: newer.versions.get(slug) ?? null,
            advisoryPackage: { ecosystem: ownEcosystem, name: slug },
          }),
        );
      return [...coreSoftware(version), ...byName(plugins), ...packages];
    },
  };
}

const coreSoftware = (version: string): Software[] => [
  core('gatehouse', 'Gatehouse', version, { ecosystem: ownEcosystem, name: 'gatehouse' }),
  core('node', 'Node.js', process.versions.node, { ecosystem: 'Node.js', name: 'node' }),
];

const core = (file: string, name: string, version: string, advisoryPackage: Software['advisoryPackage']): Software => ({
  id: `core:${file}`,
  name,
  file,
  kind: 'core',
  version,
  active: true,
  update: null,
  advisoryPackage,
});

const byName = (all: readonly Software[]): Software[] => all.toSorted((a, b) => (a.name < b.name ? -1 : 1));

interface LockFile {
  readonly packages?: Readonly<Record<string, { version?: string; dev?: boolean; optional?: boolean; link?: boolean }>>;
}

const longestLockFile = 16 * 1024 * 1024;

/** An installation by npm has no lock file of the program, but one in the folder of packages. */
const lockFiles = (root: string): string[] =>
  ['package-lock.json', 'npm-shrinkwrap.json', 'node_modules/.package-lock.json', '../.package-lock.json'].map((name) =>
    join(root, name),
  );

/** Packages that are needed to run. Optional ones count only if they are installed, because each is for one kind of machine. */
async function readDependencies(root: string): Promise<readonly Software[]> {
  const place = lockFiles(root).find((path) => exists(path));
  if (place === undefined) return [];
  const { packages = {} } = JSON.parse((await readText(place, longestLockFile)) ?? '{}') as LockFile;
  const found = new Map<string, Software>();
  for (const [path, { version, dev, optional, link }] of Object.entries(packages)) {
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (name === undefined || version === undefined || dev || link) continue;
    if (optional && !exists(join(root, path))) continue;
    found.set(`${name}@${version}`, {
      id: `dependency:npm/${name}`,
      name,
      file: `npm/${name}`,
      kind: 'dependency',
      version,
      active: true,
      update: null,
      advisoryPackage: { ecosystem: 'npm', name },
    });
  }
  return [...found.values()].sort((a, b) =>
    a.name === b.name ? compareVersions(a.version, b.version) : a.name < b.name ? -1 : 1,
  );
}

/** One entry for each id: of several versions of a package, the oldest. */
export const oldestOfEach = (all: readonly Software[]): Software[] =>
  [...new Map(all.toReversed().map((one) => [one.id, one])).values()].reverse();
