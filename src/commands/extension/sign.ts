import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type Ask, type Command, Failed, given, WrongUse } from '#cli/command.ts';
import { Problem } from '#kernel/problem.ts';
import { urlBelow } from '#lib/addresses.ts';
import { printable } from '#lib/printable.ts';
import { day } from '#lib/spans.ts';
import { isArchivePath } from '#lib/zip.ts';
import { refuseKeys } from '#site/packages/archive-packing.ts';
import {
  BadCatalogue,
  type CatalogueEntry,
  type Issue,
  readCatalogue,
  writeCatalogue,
} from '#site/packages/catalogue-document.ts';
import { type Manifest, manifestFile } from '#site/packages/manifest.ts';
import { type KeyPair, makeKeys, publicKeyOf, signPackage } from '#site/packages/signature.ts';
import { unpack } from '#site/packages/unpacking.ts';
import { systemClock } from '#site/platform/clock.ts';
import { readIfThere, refused, writeNew, writeWhole } from './files.ts';

export const command: Command = {
  name: 'extension sign',
  about: `Signs packages and lists them in a catalogue, which is signed as a whole: what sites may install is what stands there. An
entry of the same slug is replaced. Where there is neither the key nor the catalogue yet, they are made. Put the packages beside the
catalogue, or say with --base where they are. Without a package the catalogue is signed again.`,
  settings: [],
  words: [{ name: 'PACKAGE', meaning: 'A package that "extension pack" made', optional: true, many: true }],
  options: {
    key: { value: 'file', meaning: 'The private key; made when there is none', required: true },
    catalogue: { value: 'file', meaning: 'The catalogue; made when there is none', required: true },
    base: { value: 'url', meaning: 'Where the packages are, when they are not beside the catalogue: https://…/' },
    url: { value: 'url', meaning: 'A page about these extensions' },
    logo: { value: 'url', meaning: 'A picture of these extensions' },
    drop: { value: 'slug', meaning: 'Take this extension out of the catalogue; may be given again', many: true },
  },
  run: async (ask) => {
    const [key, catalogue] = [ask.path(given(ask.options, 'key')), ask.path(given(ask.options, 'catalogue'))];
    const known = keysIn(key);
    const { entries: before, issued } = issueIn(catalogue, known?.publicKey, key);
    const dropped = dropsIn(ask, before);
    const offered = await offeredIn((ask.lists.PACKAGE ?? []).map(ask.path), {
      folder: dirname(catalogue),
      base: shownUrl(ask, 'base'),
    });
    const about = { url: shownUrl(ask, 'url'), logo: shownUrl(ask, 'logo') };
    if (known === undefined) refuseAmongFiles(key);
    const keys = known ?? newKeys(key);
    const signed = offered.map((one) => signedEntry(one, before, about, keys.privateKey));
    const slugs = new Set([...dropped, ...signed.map(({ slug }) => slug)]);
    const entries = [...before.filter(({ slug }) => !slugs.has(slug)), ...signed];
    writeWhole(catalogue, writeCatalogue(entries, keys.privateKey, after(issued, systemClock())));
    if (known === undefined) for (const line of aboutNewKeys(key)) ask.note(printable(line));
    for (const slug of dropped) ask.note(`${slug} is no longer in the catalogue.`);
    for (const one of signed) ask.note(printable(told(one, before)));
    ask.note(printable(`${catalogue} lists ${entries.length} ${entries.length === 1 ? 'extension' : 'extensions'}.`));
    ask.out(keys.publicKey);
    return 0;
  },
};

/** Sites take none that is older than the one before, and none of a day that is still to come. */
function after(before: Date | undefined, now: Date): Date {
  if (before === undefined || before < now || before.getTime() > now.getTime() + day) return now;
  return new Date(before.getTime() + 1);
}

function issueIn(file: string, publicKey: string | undefined, key: string): Issue {
  const bytes = readIfThere(file);
  if (bytes === undefined) return { entries: [], issued: undefined };
  if (publicKey === undefined)
    throw new Failed(`There is no key in ${key}, and ${file} was signed with one; name the file that holds it.`);
  try {
    return readCatalogue(bytes, publicKey);
  } catch (error) {
    if (!(error instanceof BadCatalogue)) throw error;
    throw new Failed(
      `${file} cannot be used with the key in ${key}. ${error.message.replace('this site trusts', 'this is')}`,
    );
  }
}

function dropsIn({ lists }: Ask, before: readonly CatalogueEntry[]): readonly string[] {
  const drops = lists.drop ?? [];
  const unknown = drops.find((drop) => !before.some(({ slug }) => slug === drop));
  if (unknown !== undefined) throw new WrongUse(`The catalogue lists no ${unknown}.`);
  return drops;
}

interface About {
  readonly url: string | undefined;
  readonly logo: string | undefined;
}

/** What is not said now stays as it was said before. */
function signedEntry(
  { manifest, size, sha256, download_url }: Offered,
  before: readonly CatalogueEntry[],
  about: About,
  privateKey: string,
): CatalogueEntry {
  const { slug, name, version, description, requires, entry } = manifest;
  const earlier = before.find((one) => one.slug === slug);
  const facts = { slug, version, size, sha256 };
  return {
    ...facts,
    name,
    description,
    requires,
    download_url,
    type: earlier?.type ?? 'free',
    path: `${slug}/${entry}`,
    logo: about.logo ?? earlier?.logo ?? '',
    url: about.url ?? earlier?.url ?? '',
    signature: signPackage(facts, privateKey),
  };
}

function told({ slug, name, version }: CatalogueEntry, before: readonly CatalogueEntry[]): string {
  const earlier = before.find((one) => one.slug === slug);
  if (earlier === undefined) return `${name} ${version} (${slug}) is in the catalogue now.`;
  return `${name} ${version} (${slug}) is in the catalogue in the place of ${earlier.version}.`;
}

// The key of a publisher, in a file of theirs.

/** Nothing, when there is no such file. */
function keysIn(file: string): KeyPair | undefined {
  const privateKey = readIfThere(file)?.toString('utf8');
  if (privateKey === undefined) return undefined;
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Failed(`The private key in ${file} can be read by others; run "chmod 600 ${file}".`);
  try {
    return { privateKey, publicKey: publicKeyOf(privateKey) };
  } catch {
    throw new Failed(`${file} holds no private key of Ed25519; name another file, and one is made there.`);
  }
}

/** What lies in the folder of an extension is packed, published and shared sooner or later. */
function refuseAmongFiles(file: string): void {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, manifestFile)))
      throw new Failed(
        `${folder} is the folder of an extension, and no place for a private key; name a file outside it, such as ~/publisher.key.`,
      );
}

function newKeys(file: string): KeyPair {
  const keys = makeKeys();
  writeNew(file, keys.privateKey, 0o600);
  return keys;
}

const aboutNewKeys = (file: string): readonly string[] => [
  `A new pair of keys was made, for there was none in ${file}.`,
  '  That file holds the private half. Keep it to yourself, and a copy of it in a safe place: anyone who has it decides what your',
  '  sites may install, and without it nothing more can be signed.',
  '  The public half below goes to every site, as GATEHOUSE_CATALOGUE_KEY.',
];

/** Packages that an author wants to offer: what they are, and where sites find them. */
interface Offered {
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
async function offeredIn(packages: readonly string[], where: Where): Promise<Offered[]> {
  const offered: Offered[] = [];
  for (const one of packages) offered.push(await offer(one, where));
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

function shownUrl({ options }: Pick<Ask, 'options'>, name: string): string | undefined {
  const url = options[name];
  if (url === undefined || (/^https:\/\/[^\s@]+$/.test(url) && URL.canParse(url))) return url;
  throw new WrongUse(`--${name} must be an address that begins with https://, not "${url}".`);
}
