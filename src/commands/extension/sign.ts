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
  about: `Signs packages and lists them in a signed catalogue. Sites can install only packages that the catalogue lists. A package replaces
the entry with the same slug. If the key and the catalogue do not exist, the command creates them. Put the packages beside the
catalogue, or give their URL with --base. Without a package, the command signs the catalogue again.`,
  settings: [],
  words: [{ name: 'PACKAGE', meaning: 'A package from "gatehouse extension pack"', optional: true, many: true }],
  options: {
    key: { value: 'file', meaning: 'File of the private key; created if it does not exist', required: true },
    catalogue: { value: 'file', meaning: 'File of the catalogue; created if it does not exist', required: true },
    base: {
      value: 'url',
      meaning: 'URL of the packages if they are not beside the catalogue, for example https://example.com/packages/',
    },
    url: { value: 'url', meaning: 'URL of a page about these extensions' },
    logo: { value: 'url', meaning: 'URL of a picture of these extensions' },
    drop: { value: 'slug', meaning: 'Remove this extension from the catalogue; can be repeated', many: true },
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
    throw new Failed(`${key} holds no key, but ${file} was signed with one; name the file of that key.`);
  try {
    return readCatalogue(bytes, publicKey);
  } catch (error) {
    if (!(error instanceof BadCatalogue)) throw error;
    throw new Failed(
      `${file} cannot be used with the key in ${key}. ${error.message.replace('this site trusts', 'is in this file')}`,
    );
  }
}

function dropsIn({ lists }: Ask, before: readonly CatalogueEntry[]): readonly string[] {
  const drops = lists.drop ?? [];
  const unknown = drops.find((drop) => !before.some(({ slug }) => slug === drop));
  if (unknown !== undefined) throw new WrongUse(`The catalogue does not list ${unknown}.`);
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
  if (earlier === undefined) return `Added ${name} ${version} (${slug}) to the catalogue.`;
  return `Added ${name} ${version} (${slug}) to the catalogue in place of ${earlier.version}.`;
}

// The key of a publisher, in a file of theirs.

/** Nothing, when there is no such file. */
function keysIn(file: string): KeyPair | undefined {
  const privateKey = readIfThere(file)?.toString('utf8');
  if (privateKey === undefined) return undefined;
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Failed(`Other users can read the private key in ${file}; run "chmod 600 ${file}".`);
  try {
    return { privateKey, publicKey: publicKeyOf(privateKey) };
  } catch {
    throw new Failed(
      `${file} does not hold an Ed25519 private key; name another file, and the command creates a key there.`,
    );
  }
}

/** What lies in the folder of an extension is packed, published and shared sooner or later. */
function refuseAmongFiles(file: string): void {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, manifestFile)))
      throw new Failed(
        `A private key must not be in ${folder}, the folder of an extension; name a file outside it, for example ~/publisher.key.`,
      );
}

function newKeys(file: string): KeyPair {
  const keys = makeKeys();
  writeNew(file, keys.privateKey, 0o600);
  return keys;
}

const aboutNewKeys = (file: string): readonly string[] => [
  `Created a new key pair, because ${file} did not exist.`,
  '  That file holds the private key. Keep it secret, and keep a copy in a safe place. Its holder decides which packages your',
  '  sites can install. Without it you cannot sign more packages.',
  '  Set the public key below on every site as GATEHOUSE_CATALOGUE_KEY.',
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
    if (error instanceof Problem) throw new Failed(`${file} cannot be listed. ${error.message}`);
    return refused(file, error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function addressOf(file: string, { folder, base }: Where): string {
  if (base !== undefined) return urlBelow(base, encodeURIComponent(basename(file)));
  const beside = relative(folder, file).split(sep).join('/');
  if (isArchivePath(beside)) return beside;
  throw new Failed(`${file} is not beside the catalogue, in ${folder}; put it there, or give its URL with --base.`);
}

function shownUrl({ options }: Pick<Ask, 'options'>, name: string): string | undefined {
  const url = options[name];
  if (url === undefined || (/^https:\/\/[^\s@]+$/.test(url) && URL.canParse(url))) return url;
  throw new WrongUse(`--${name} must be a URL that begins with https://, not "${url}".`);
}
