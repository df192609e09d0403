// Which extensions there are on this site: those that come with the program, and those that were installed from packages. Each is
// on or off; what people said of that beats the deployment file.

import type { Reads } from '#store/handles.ts';
import type { Doing } from '../identity/doing.ts';
import type { Manifest } from './manifest.ts';
import type { PackageTables } from './tables.ts';
import type { PackedFile } from './unpacking.ts';

/** An extension that comes with the program. */
export interface BundledCard {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly namespaces: readonly string[];
  /** Whether the deployment file switches it on. */
  readonly on: boolean;
  /** Part of every site: it is never switched. */
  readonly always: boolean;
  /** Whether this version of the program has it. */
  readonly here: boolean;
  /** Which services of others it cannot be without, and which it has for others. */
  readonly needs: readonly string[];
  readonly provides: readonly string[];
}

export interface Card {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly namespaces: readonly string[];
  /** Whether it comes with the program. */
  readonly bundled: boolean;
  /** Whether it is here: a deployment file may name what this version of the program does not have. */
  readonly installed: boolean;
  readonly active: boolean;
}

export interface InstalledPackage {
  readonly slug: string;
  readonly version: string;
  /** Of the package. */
  readonly sha256: string;
  readonly size: number;
  readonly manifest: Manifest;
  /** All of them, as they were when it was installed. */
  readonly files: readonly PackedFile[];
  readonly active: boolean;
  /** Migrations of a later version that was taken back. This one ran beside them, so it may go on doing so. */
  readonly beside: readonly string[];
}

/** What a process is to have running; other than before whenever the topic `extensionsTopic` moved. */
export interface Wanted {
  /** What people said of bundled ones. Of those that are not in it the deployment file says whether they are on. */
  readonly switched: ReadonlyMap<string, boolean>;
  readonly installed: readonly InstalledPackage[];
}

/** Moved whenever an extension is installed, switched or removed, by whichever process. */
export const extensionsTopic = 'extensions';

export interface Newer {
  /** Of those from packages that have a newer version in the catalogue, which that is. */
  readonly versions: ReadonlyMap<string, string>;
  /** Why there may be others by now, as a sentence. */
  readonly fault?: string | undefined;
}

export interface Offer {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** Whether it can be installed here: what is not free is listed alone. */
  readonly free: boolean;
  /** The version that is installed. */
  readonly installed: string | null;
}

export interface Offers {
  /** In the order of their slugs. */
  readonly offers: readonly Offer[];
  /** Why there may be others by now, or none, as a sentence. */
  readonly fault?: string | undefined;
}

export interface UpdateOptions {
  /** The site updates it by itself. */
  readonly automatic?: true;
  /** Asked once the new version runs in this process. If it answers a sentence that says what is wrong, the earlier version goes on. */
  readonly faultAfter?: (() => Promise<string | undefined>) | undefined;
}

export interface Extensions {
  /** All but what is part of every site, in the order of their slugs. */
  list(): Promise<readonly Card[]>;
  find(slug: string): Promise<Card | undefined>;
  /** Whether others may recommend it: it comes with the program, or is in the catalogue and free. */
  isOffered(slug: string): Promise<boolean>;
  /** What the catalogue has, as it was so many milliseconds ago at most. */
  offers(age: number): Promise<Offers>;
  /** From the catalogue: checked and kept, not switched on. One that is here already is left as it is. */
  install(slug: string, doing: Doing): Promise<Card>;
  /** By a catalogue that was asked for so many milliseconds ago at most. A catalogue that does not answer fails nothing. */
  newer(age: number): Promise<Newer>;
  /** To the version in the catalogue, which is tried first where it is on. The newest is left as it is. */
  update(slug: string, doing: Doing, options?: UpdateOptions): Promise<Card>;
  /** Does the rest of an automatic update in the middle of which a process was killed; without one, nothing. */
  finishUpdate(slug: string, faultAfter: () => Promise<string | undefined>): Promise<Card>;
  /** Nothing is done to one that is so already. */
  activate(slug: string, doing: Doing): Promise<Card>;
  deactivate(slug: string, doing: Doing): Promise<Card>;
  /** Its files are gone; what it kept in its tables stays. */
  remove(slug: string, doing: Doing): Promise<void>;
  wanted(): Promise<Wanted>;
  /** Of those from packages that are on, by slug: why their files cannot be used on this machine, and what helps. Nothing is made. */
  faults(): Promise<ReadonlyMap<string, string>>;
  /** What this machine has unpacked of those that are not installed any more is gone. */
  tidy(): Promise<void>;
  /** This machine's own copy of its files, as they were when it was installed: the path of its entry. */
  unpacked(one: InstalledPackage): Promise<string>;
}

/** The sentence that says why it cannot start, or nothing. Nothing of it is left running. */
export type Trial = (one: InstalledPackage | BundledCard) => Promise<string | undefined>;

/** What `followed` rejects with: this process cannot run all that is wanted, but it runs everything else. */
export class LeftOut extends Error {
  readonly slugs: readonly string[];

  constructor(slugs: readonly string[], options: ErrorOptions = {}) {
    super(`This process cannot run these extensions, which are on: ${slugs.join(', ')}.`, options);
    this.name = 'LeftOut';
    this.slugs = slugs;
  }
}

declare module '../platform/events.ts' {
  interface SiteEvents {
    /** `by`: who did it, 0 at the command line. */
    'extension.changed': {
      readonly slug: string;
      readonly change: 'installed' | 'updated' | 'activated' | 'deactivated' | 'removed';
      readonly by: number;
      /** The site updated it by itself. */
      readonly automatic?: true;
    };
  }
}

type Db = Reads<PackageTables>;

const seen = ['slug', 'active', 'manifest'] as const;

export async function listCards(db: Db, bundled: readonly BundledCard[]): Promise<Card[]> {
  const rows = await db.selectFrom('extensions').select(seen).execute();
  const said = new Map(rows.map(({ slug, active }) => [slug, active === 1]));
  const own = bundled.filter(({ always }) => !always).map((one) => bundledCard(one, said.get(one.slug)));
  const slugs = new Set(bundled.map(({ slug }) => slug));
  const packed = rows
    .filter(({ slug }) => !slugs.has(slug))
    .flatMap(({ manifest, active }) => (manifest === null ? [] : [packedCard(JSON.parse(manifest), active === 1)]));
  return [...own, ...packed].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

/** What a file of a deployment, or somebody, says of one that is not here has no effect yet. */
function bundledCard(one: BundledCard, said: boolean = one.on): Card {
  const { slug, name, description, version, namespaces, here } = one;
  return { slug, name, description, version, namespaces, bundled: true, installed: here, active: here && said };
}

function packedCard({ slug, name, description, version, namespaces }: Manifest, active: boolean): Card {
  return { slug, name, description, version, namespaces, bundled: false, installed: true, active };
}

export async function wantedNow(db: Db, bundled: readonly Pick<BundledCard, 'slug'>[]): Promise<Wanted> {
  const slugs = new Set(bundled.map(({ slug }) => slug));
  const rows = await db.selectFrom('extensions').selectAll().orderBy('slug').execute();
  return {
    switched: new Map(rows.filter(({ slug }) => slugs.has(slug)).map(({ slug, active }) => [slug, active === 1])),
    installed: rows.filter(({ slug }) => !slugs.has(slug)).flatMap((row) => packageOf(row) ?? []),
  };
}

export async function findPackage(db: Db, slug: string): Promise<InstalledPackage | undefined> {
  const row = await db.selectFrom('extensions').selectAll().where('slug', '=', slug).executeTakeFirst();
  return row && packageOf(row);
}

/** The version before the one that is installed, while the site is looked at after an update. */
export async function findEarlier(db: Db, slug: string): Promise<InstalledPackage | undefined> {
  const row = await db.selectFrom('extensions').select('earlier').where('slug', '=', slug).executeTakeFirst();
  return row?.earlier ? (JSON.parse(row.earlier) as InstalledPackage) : undefined;
}

/** What is in the table was checked before it was written. Nothing, of one that came with an earlier version of the program. */
function packageOf(row: PackageTables['extensions']): InstalledPackage | undefined {
  const { slug, version, sha256, size, manifest, files, active, beside } = row;
  if (version === null || sha256 === null || size === null || manifest === null || files === null) return undefined;
  return {
    slug,
    version,
    sha256,
    size,
    active: active === 1,
    manifest: JSON.parse(manifest) as Manifest,
    files: JSON.parse(files) as PackedFile[],
    beside: beside === null ? [] : (JSON.parse(beside) as string[]),
  };
}
