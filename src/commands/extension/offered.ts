// Packages that an author wants to offer: what they are, and where sites find them.
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import { Problem } from '#kernel/problem.ts';
import { urlBelow } from '#lib/addresses.ts';
import { isArchivePath } from '#lib/zip.ts';
import { refuseKeys } from '#site/packages/archive-packing.ts';
import type { Manifest } from '#site/packages/manifest.ts';
import { unpack } from '#site/packages/unpacking.ts';
import { type Ask, Failed, WrongUse } from '../command.ts';
import { refused } from './files.ts';

export interface Offered {
  readonly manifest: Manifest;
  readonly size: number;
  readonly sha256: string;
  readonly download_url: string;
}

interface Where {
  /** Of the catalogue. */
  readonly folder: string;
  readonly base: string | undefined;
}

/** Each is unpacked, as a site would, and forgotten again. */
export async function offeredIn(packages: readonly string[], where: Where): Promise<Offered[]> {
  const offered: Offered[] = [];
  for (const one of packages) offered.push(await offer(resolve(one), where));
  const twice = offered.find(
    ({ manifest }, at) => offered.findIndex((one) => one.manifest.slug === manifest.slug) < at,
  );
  if (twice !== undefined)
    throw new WrongUse(`Two of these packages are ${twice.manifest.slug}; a catalogue lists one version of each.`);
  return offered;
}

async function offer(file: string, where: Where): Promise<Offered> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sign-'));
  try {
    const { manifest, files } = await unpack(file, join(folder, 'files'));
    await refuseKeys(
      join(folder, 'files'),
      files.map(({ path }) => path),
    );
    const hash = createHash('sha256');
    for await (const piece of createReadStream(file)) hash.update(piece);
    return { manifest, size: statSync(file).size, sha256: hash.digest('hex'), download_url: addressOf(file, where) };
  } catch (error) {
    if (error instanceof Problem) throw new Failed(`${file} cannot be offered. ${error.message}`);
    return refused(file, error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function addressOf(file: string, { folder, base }: Where): string {
  if (base !== undefined) return urlBelow(base, encodeURIComponent(basename(file)));
  const beside = relative(folder, file).split(sep).join('/');
  if (isArchivePath(beside)) return beside;
  throw new Failed(
    `${file} does not lie beside the catalogue, in ${folder}; put it there, or say with --base where it is.`,
  );
}

export function shownUrl({ options }: Pick<Ask, 'options'>, name: string): string | undefined {
  const url = options[name];
  if (url === undefined || (/^https:\/\/[^\s@]+$/.test(url) && URL.canParse(url))) return url;
  throw new WrongUse(`--${name} must be an address that begins with https://, not "${url}".`);
}
