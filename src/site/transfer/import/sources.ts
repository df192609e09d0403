// Where the files of records that arrive are found: in a folder or an archive of them, else, where that is wished, where they were.
import { createReadStream } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { kernelErrors } from '#kernel/errors.ts';
import type { Problem } from '#kernel/problem.ts';
import type { Spool } from '#kernel/upload.ts';
import { isFilePath } from '../../files/files.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { transferErrors } from '../errors.ts';
import { addressKey } from './addresses.ts';
import { nameIn } from './media.ts';
import { type Found, openTar, type Shelf } from './sources/tar.ts';
import type { TheirFile, TheirRecord } from './theirs.ts';

/** Everything in a folder, whatever is linked there left out. */
const deepest = 30;

/** Paths with `/` between their parts. */
async function* listFolder(folder: string, below = '', depth = 0): AsyncGenerator<string> {
  if (depth > deepest) return;
  const names: { name: string; isFolder: boolean }[] = [];
  for await (const entry of await opendir(join(folder, below)))
    if (entry.isFile() || entry.isDirectory()) names.push({ name: entry.name, isFolder: entry.isDirectory() });
  names.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const { name, isFolder } of names) {
    const path = below === '' ? name : `${below}/${name}`;
    if (isFolder) yield* listFolder(folder, path, depth + 1);
    else yield path;
  }
}

export interface SourcesNeeds {
  readonly spool: Spool;
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** A folder or an archive; without it, none is looked into. */
  readonly uploads?: string | undefined;
  /** Whether those that are not there are asked for where they were. */
  readonly isFetching: boolean;
  /** Whether a file that is fetched may not lie at another host than its address says. */
  readonly withinHost?: true;
  /** The largest file that is taken, in bytes. */
  readonly limit: number;
  /** Whether files are only looked for, and none is copied or fetched. */
  readonly isDry: boolean;
}

export interface Sources {
  file(record: TheirRecord): Promise<TheirFile | undefined>;
  close(): Promise<void>;
}

export async function openSources(needs: SourcesNeeds): Promise<Sources> {
  const { uploads, spool, isDry } = needs;
  const shelf = uploads === undefined ? undefined : await openShelf(uploads, spool);
  let names: Promise<Map<string, string>> | undefined;
  const taken = async (found: Found): Promise<TheirFile> =>
    isDry ? seen('copied', found.size) : laid(found.read(), found.size, 'copied', needs);
  const copied = async (url: string): Promise<TheirFile | undefined> => {
    if (shelf === undefined) return undefined;
    for (const path of pathsOf(url)) {
      const found = await shelf.find(path);
      if (found !== undefined) return taken(found);
    }
    names ??= byName(shelf);
    const named = (await names).get(nameIn(url));
    const found = named === undefined ? undefined : await shelf.find(named);
    return found && taken(found);
  };
  return {
    async file({ file_url }) {
      if (file_url === '' || nameIn(file_url) === '') return undefined;
      const found = await copied(file_url);
      if (found !== undefined || !needs.isFetching) return found;
      return isDry ? seen('fetched', 0) : fetched(file_url, needs);
    },
    close: async () => shelf?.close(),
  };
}

/** One of which nothing is taken. */
const seen = (from: TheirFile['from'], size: number): TheirFile => ({ path: '', size, from, release: async () => {} });

async function openShelf(path: string, spool: Spool): Promise<Shelf> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return folderShelf(await realpath(path));
  if (found?.isFile()) return openTar(path, spool);
  throw transferErrors.noUploads(`The folder or archive ${path} does not exist.`);
}

const folderShelf = (folder: string): Shelf => ({
  async find(path) {
    if (!isFilePath(path)) return undefined;
    const real = await realpath(join(folder, path)).catch(() => undefined);
    // A link may not lead out of it.
    if (real === undefined || !real.startsWith(`${folder}${sep}`)) return undefined;
    const found = await stat(real).catch(() => undefined);
    return found?.isFile() ? { size: found.size, read: () => createReadStream(real) } : undefined;
  },
  paths: () => listFolder(folder),
  close: async () => {},
});

/** Where it may lie below a folder of uploads, or below what holds that folder. */
function pathsOf(url: string): string[] {
  const path = addressKey(url).replace(/^[^/]*\/+/, '');
  const [, below] = /(?:^|\/)uploads\/(.+)$/.exec(path) ?? [];
  const dated = /(?:^|\/)(\d{4}\/\d{2}\/[^/]+)$/.exec(path)?.[1];
  const bare = [below, dated].filter((one) => one !== undefined);
  return [
    ...new Set([
      ...bare,
      ...bare.map((one) => `uploads/${one}`),
      ...bare.map((one) => `wp-content/uploads/${one}`),
      path,
    ]),
  ];
}

/** The first of a name counts. */
async function byName(shelf: Shelf): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const path of shelf.paths()) {
    const name = path.replace(/^.*\//, '');
    if (!names.has(name)) names.set(name, path);
  }
  return names;
}

async function laid(
  bytes: AsyncIterable<Uint8Array>,
  claimed: number | undefined,
  from: TheirFile['from'],
  { spool, limit }: Pick<SourcesNeeds, 'spool' | 'limit'>,
): Promise<TheirFile> {
  if (claimed !== undefined && claimed > limit) throw tooLarge(limit);
  let size = 0;
  const { path, release } = await spool(
    (async function* () {
      for await (const piece of bytes) {
        size += piece.length;
        if (size > limit) throw tooLarge(limit);
        yield piece;
      }
    })(),
  );
  if (claimed === undefined || claimed === size) return { path, size, from, release };
  await release();
  throw transferErrors.sizeMismatch(size, claimed);
}

const tooLarge = (limit: number): Problem =>
  kernelErrors.uploadFileTooBig(`The file is larger than ${limit} bytes, the limit of this site.`);

/** Longer than an embed may take: files are large. */
const within = 120_000;

async function fetched(url: string, needs: SourcesNeeds): Promise<TheirFile> {
  const { outgoing, limit, withinHost } = needs;
  const purpose = { name: 'moving', types: ['*'], most: limit, within, ...(withinHost && { withinHost }) };
  const answer = await outgoing.fetch(url, purpose);
  const said = Number(answer.headers.get('content-length') ?? Number.NaN);
  return laid(answer.body, Number.isSafeInteger(said) ? said : undefined, 'fetched', needs);
}
