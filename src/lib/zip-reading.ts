// Reads the list of an archive that strangers made, and trusts nothing: every file stands where the list says and is what the list
// says, one directly after the other, and no byte belongs to none. So all programs that read it find the same.
import { isArchivePath, sameName } from './zip.ts';
import {
  BadZip,
  descriptorLength,
  endIn,
  headIn,
  type Listed,
  lengths,
  listedIn,
  nameOf,
  refuseExtra,
} from './zip-records.ts';

export { BadZip } from './zip-records.ts';

export interface ZipSource {
  /** In bytes. */
  readonly size: number;
  read(at: number, length: number): Promise<Buffer>;
}

export interface ZipLimits {
  readonly files: number;
  /** Of all files, unpacked. */
  readonly bytes: number;
  /** How many times its packed size a file may be, and all of them together. */
  readonly ratio: number;
}

export interface ZipEntry {
  readonly path: string;
  readonly size: number;
  readonly packed: number;
  readonly sum: number;
  readonly isDeflated: boolean;
  /** Where its bytes begin. */
  readonly start: number;
}

/** An entry of the list, with what it means. */
interface Read extends Listed {
  readonly path: string;
  readonly isFolder: boolean;
}

const mostListed = 4 * 1024 * 1024;

/** The files, as they are listed. Nothing of them is unpacked yet, so their sums are still to be tried. */
export async function readZip(source: ZipSource, limits: ZipLimits): Promise<ZipEntry[]> {
  const read = (at: number, length: number): Promise<Buffer> => {
    if (at + length > source.size) throw new BadZip('is cut off');
    return source.read(at, length);
  };
  const end = endIn(
    await read(Math.max(0, source.size - lengths.end), Math.min(lengths.end, source.size)),
    source.size,
  );
  if (end.entries > 2 * limits.files || end.size > mostListed) throw new BadZip('lists too many files');
  const listed = listedIn(await read(end.start, end.size), end.entries).map(understood);
  const files = listed.filter(({ isFolder }) => !isFolder);
  refuseTooMuch(files, source.size, limits);
  refuseClashes(listed);
  const starts = await startsOf(listed, end.start, read);
  return files.map((file) => {
    const { path, size, packed, sum } = file;
    return { path, size, packed, sum, isDeflated: file.method === methods.deflated, start: starts.get(file)! };
  });
}

const methods = { stored: 0, deflated: 8 };
const flag = { descriptor: 0x0008, utf8: 0x0800, speed: 0x0006 };
const knownFlags = flag.descriptor | flag.utf8 | flag.speed;

function understood(listed: Listed): Read {
  const name = nameOf(listed);
  const isFolder = name.endsWith('/');
  const path = isFolder ? name.slice(0, -1) : name;
  if (!isArchivePath(path)) throw new BadZip('has a name that is no path of a file inside it');
  if ((listed.flags & ~knownFlags) !== 0) throw new BadZip('is encrypted, or written in a way that is not read here');
  if (listed.method !== methods.stored && listed.method !== methods.deflated)
    throw new BadZip('is packed in a way that is not read here');
  if (listed.method === methods.stored && listed.packed !== listed.size)
    throw new BadZip('has a file of two sizes at once');
  if (isFolder && (listed.size !== 0 || listed.packed > 2)) throw new BadZip('has a folder with bytes of its own');
  if (!isPlain(listed.attributes, isFolder)) throw new BadZip('holds something that is neither a file nor a folder');
  return { ...listed, path, isFolder };
}

const kinds = { mask: 0o170000, file: 0o100000, folder: 0o040000 };
const dos = { label: 0x08, folder: 0x10, device: 0x40, link: 0x400 };

/** Links, devices and pipes are told by attributes, in the way of one system or the other. */
function isPlain(attributes: number, isFolder: boolean): boolean {
  const kind = (attributes >>> 16) & kinds.mask;
  if (kind !== 0 && kind !== (isFolder ? kinds.folder : kinds.file)) return false;
  if ((attributes & dos.folder) !== 0 && !isFolder) return false;
  return (attributes & (dos.label | dos.device | dos.link)) === 0;
}

/** What is this small swells to nothing, however well it was packed. */
const excused = { file: 100 * 1024, all: 1024 * 1024 };

function refuseTooMuch(files: readonly Read[], archive: number, { files: most, bytes, ratio }: ZipLimits): void {
  if (files.length > most) throw new BadZip(`holds more than ${most} files`);
  const all = files.reduce((sum, { size }) => sum + size, 0);
  if (all > bytes) throw new BadZip(`holds more than ${bytes} bytes`);
  const swells = files.some(({ size, packed }) => size > excused.file && size > ratio * packed);
  if (swells || (all > excused.all && all > ratio * archive))
    throw new BadZip(`swells to more than ${ratio} times its size`);
}

/** No name twice, not even where capitals or the spelling of accents make no difference, and no file inside a file. */
function refuseClashes(listed: readonly Read[]): void {
  const known = new Map<string, { readonly path: string; readonly isFolder: boolean }>();
  const named = new Set<string>();
  const note = (path: string, isFolder: boolean): void => {
    const key = sameName(path);
    const other = known.get(key);
    if (other !== undefined && (other.path !== path || !isFolder || !other.isFolder))
      throw new BadZip('has two names for which some system has room once only');
    known.set(key, { path, isFolder });
  };
  for (const { path, isFolder } of listed) {
    if (named.has(path)) throw new BadZip('has the same name twice');
    named.add(path);
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) note(path.slice(0, at), true);
    note(path, isFolder);
  }
}

type Reading = (at: number, length: number) => Promise<Buffer>;

/** Walks through the archive as it lies there: from the first byte to the list, with nothing between files and nothing twice. */
async function startsOf(listed: readonly Read[], list: number, read: Reading): Promise<Map<Read, number>> {
  const starts = new Map<Read, number>();
  let at = 0;
  for (const one of listed.toSorted((a, b) => a.offset - b.offset)) {
    if (one.offset !== at) throw new BadZip('has files that lie in one another, or bytes that belong to none');
    const start = await afterHead(one, read);
    starts.set(one, start);
    at = await afterBytes(one, start + one.packed, read);
    if (at > list) throw new BadZip('has files that lie in one another');
  }
  if (at !== list) throw new BadZip('has bytes that belong to no file');
  return starts;
}

async function afterHead(one: Read, read: Reading): Promise<number> {
  const head = headIn(await read(one.offset, lengths.head));
  const rest = await read(one.offset + lengths.head, head.named + head.extra);
  const later = (one.flags & flag.descriptor) !== 0;
  const isSame = (said: number, listed: number) => said === listed || (later && said === 0);
  const agrees =
    head.flags === one.flags &&
    head.method === one.method &&
    rest.subarray(0, head.named).equals(one.name) &&
    isSame(head.sum, one.sum) &&
    isSame(head.packed, one.packed) &&
    isSame(head.size, one.size);
  if (!agrees) throw new BadZip('says one thing of a file in its list, and another before the file');
  refuseExtra(rest.subarray(head.named));
  return one.offset + lengths.head + rest.length;
}

async function afterBytes(one: Read, ends: number, read: Reading): Promise<number> {
  if ((one.flags & flag.descriptor) === 0) return ends;
  // The list and the end of the archive follow, so there are more bytes than these.
  const length = descriptorLength(await read(ends, 16), one);
  if (length === undefined) throw new BadZip('says one thing of a file in its list, and another behind the file');
  return ends + length;
}
