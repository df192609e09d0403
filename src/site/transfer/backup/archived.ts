// The packages of an archive: their rows and files are picked up while it is read, and what they are needed for is found out after.

import { fileErrorReason } from '#lib/file-error.ts';
import type { TableOwner } from '#store/migrate.ts';
import { packageOwner, slugOf } from '#store/packaged.ts';
import type { Files } from '../../files/files.ts';
import { packageLimits } from '../../packages/archive.ts';
import { packagePath } from '../../packages/keeping.ts';
import { ArchiveProblem, type FileEntry, type Manifest, type TableEntry } from './format.ts';
import { bring, fetchFrom, ownerOf, type Package, packageIn, reason, type Workshop } from './packages.ts';
import { Withdrawn } from './parts.ts';
import type { Row } from './rows.ts';

/** Owners of packages, as the migrations of the archive name them. */
export const ownersIn = ({ migrations }: Pick<Manifest, 'migrations'>): string[] => {
  const owners = migrations.map((name) => name.split('/')[0] ?? '');
  return [...new Set(owners.filter((owner) => slugOf(owner) !== undefined))];
};

export class ArchivedPackages {
  readonly #workshop: Workshop | undefined;
  /** By slug. */
  readonly #leftOut: readonly string[];
  readonly #known = new Map<string, Package>();
  readonly #brought = new Set<string>();
  #wanted: string[] = [];
  #media = false;

  constructor(workshop: Workshop | undefined, leftOut: readonly string[] = []) {
    this.#workshop = workshop;
    this.#leftOut = leftOut;
  }

  /** Owners whose tables somebody said to leave out. */
  get leftOut(): ReadonlySet<string> {
    return new Set(this.#leftOut.map((slug) => packageOwner(slug).owner));
  }

  manifest(manifest: Manifest): void {
    const slugs = ownersIn(manifest).map((owner) => slugOf(owner)!);
    const odd = this.#leftOut.find((slug) => !slugs.includes(slug));
    if (odd !== undefined) throw new ArchiveProblem(`The archive holds no tables of an extension ${odd}.`);
    this.#wanted = slugs.filter((slug) => !this.#leftOut.includes(slug));
    this.#media = manifest.media;
  }

  row(row: Row, table: TableEntry): void {
    const one = table.name === 'extensions' ? packageIn(row) : undefined;
    if (one !== undefined && this.#wanted.includes(one.slug)) this.#known.set(one.slug, one);
  }

  async file({ path, size }: FileEntry, content: AsyncIterable<Uint8Array>): Promise<void> {
    const one = this.#known.values().find((known) => packagePath(known) === path);
    if (one === undefined || this.#workshop === undefined || size > packageLimits.packed) return;
    try {
      await bring(this.#workshop, one, content);
      this.#brought.add(one.slug);
    } catch (error) {
      if (error instanceof Withdrawn) return; // it may come again
      const why = fileErrorReason(error);
      if (why === undefined) throw error;
      throw new ArchiveProblem(`The package ${path} of the archive cannot be read: ${why}.`, { cause: error });
    }
  }

  /** Those whose tables are put back. An archive without files leaves them where they are, so they are looked for there. */
  async owners(files: () => Promise<Files>): Promise<TableOwner[]> {
    const owners: TableOwner[] = [];
    let opened: Promise<Files> | undefined;
    const place = (): Promise<Files> => {
      opened ??= files();
      return opened;
    };
    for (const slug of this.#wanted) {
      try {
        owners.push(await this.#load(slug, place));
      } catch (error) {
        throw new ArchiveProblem(
          `The archive holds tables of the extension ${slug}, which cannot be created here: ${reason(error)}. Add --leave-out ${slug} to restore everything else.`,
          { cause: error },
        );
      }
    }
    return owners;
  }

  async #load(slug: string, files: () => Promise<Files>): Promise<TableOwner> {
    const one = this.#known.get(slug);
    if (one === undefined || this.#workshop === undefined) throw new Error('it was not installed on that site');
    if (!this.#media) await fetchFrom(await files(), this.#workshop, one);
    else if (!this.#brought.has(slug)) throw new Error('its package is not in the archive');
    return ownerOf(this.#workshop, one);
  }
}
