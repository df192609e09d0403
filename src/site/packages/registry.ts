// Which extensions there are: those of the program as people switched them, and those of packages as they were installed.
import type { Reads } from '#store/handles.ts';
import type { Manifest } from './manifest.ts';
import type { BundledCard, Card, InstalledPackage, Wanted } from './packages.ts';
import type { PackageTables } from './tables.ts';
import type { PackedFile } from './unpacking.ts';

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
