// A publisher of extensions, for tests: packages and the catalogue that lists them, signed with a key that was made just now.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CatalogueEntry, writeCatalogue } from '#site/packages/catalogue-document.ts';
import type { Manifest } from '#site/packages/manifest.ts';
import { makeKeys, signPackage } from '#site/packages/signature.ts';
import type { TestEngine } from './databases.ts';
import { type MadeFile, madeZip } from './zips.ts';

export interface Ware {
  /** What its manifest says otherwise. */
  readonly manifest?: Partial<Manifest>;
  /** Its entry, as text. */
  readonly entry?: string;
  /** Beside its manifest and its entry. */
  readonly files?: readonly MadeFile[];
  /** What the catalogue says of it otherwise. */
  readonly listed?: Partial<CatalogueEntry>;
  /** Sold in place of the package that the catalogue tells of. */
  readonly instead?: Buffer;
}

export interface Shop {
  readonly folder: string;
  readonly catalogue: { readonly kind: 'file'; readonly path: string };
  /** The public half. */
  readonly key: string;
  /** Puts it into the catalogue, beside what is there. */
  offer(ware?: Ware): CatalogueEntry;
  /** From now on the catalogue says that it is of this moment; before that, of none. */
  date(issued: Date): void;
  /** Takes it out again. */
  withdraw(slug: string): void;
}

export const bell: Manifest = {
  slug: 'bell',
  name: 'Bell',
  version: '1.2.0',
  description: 'Rings.',
  requires: {},
  entry: 'extension.ts',
  namespaces: ['bell/v1'],
  capabilities: [],
};

/** Answers `{"ring": "ding"}` to everybody at `bell/v1/ring`. */
export const ringing = (slug = bell.slug): string => `
export default ({ route }) => ({
  name: '${slug}',
  nouns: () => ({}),
  routes: {
    '${slug}/v1': [
      route({ method: 'GET', path: 'ring', summary: 'Rings', access: 'public', handle: () => ({ ring: 'ding' }) }),
    ],
  },
});
`;

export function aShop(engine: Pick<TestEngine, 'atEnd'>): Shop {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-shop-'));
  engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const { privateKey, publicKey } = makeKeys();
  const path = join(folder, 'catalogue.json');
  const entries = new Map<string, CatalogueEntry>();
  let issued: Date | undefined;
  const write = () => writeFileSync(path, writeCatalogue([...entries.values()], privateKey, issued));
  write();
  return {
    folder,
    catalogue: { kind: 'file', path },
    key: publicKey,
    offer({ manifest: said, entry, files = [], listed, instead } = {}) {
      const manifest = { ...bell, ...said };
      const bytes = madeZip([
        { name: 'extension.json', content: JSON.stringify(manifest) },
        { name: 'extension.ts', content: entry ?? ringing(manifest.slug) },
        ...files,
      ]);
      const facts = {
        slug: manifest.slug,
        version: manifest.version,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        ...pick(listed),
      };
      const { name, description, requires } = manifest;
      const made: CatalogueEntry = {
        ...facts,
        name,
        description,
        requires,
        type: 'free',
        logo: '',
        url: '',
        path: `${manifest.slug}/extension.ts`,
        download_url: `${manifest.slug}.zip`,
        signature: signPackage(facts, privateKey),
        ...listed,
      };
      writeFileSync(join(folder, `${manifest.slug}.zip`), instead ?? bytes);
      entries.set(made.slug, made);
      write();
      return made;
    },
    date(moment) {
      issued = moment;
      write();
    },
    withdraw(slug) {
      entries.delete(slug);
      write();
    },
  };
}

/** What is signed together. */
const pick = (listed: Partial<CatalogueEntry> = {}) =>
  Object.fromEntries(
    (['slug', 'version', 'size', 'sha256'] as const).flatMap((name) =>
      listed[name] === undefined ? [] : [[name, listed[name]]],
    ),
  );
