import { dirname, resolve } from 'node:path';
import { printable } from '#lib/printable.ts';
import { day } from '#lib/spans.ts';
import { BadCatalogue, type Issue, readCatalogue, writeCatalogue } from '#site/packages/catalogue-document.ts';
import type { CatalogueEntry } from '#site/packages/catalogue-entry.ts';
import { signPackage } from '#site/packages/signature.ts';
import { systemClock } from '#site/platform/clock.ts';
import { type Ask, type Command, Failed, given, WrongUse } from '../command.ts';
import { readIfThere, writeWhole } from './files.ts';
import { aboutNewKeys, keysIn, newKeys, refuseAmongFiles } from './keys.ts';
import { type Offered, offeredIn, shownUrl } from './offered.ts';

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
    const [key, catalogue] = [resolve(given(ask.options, 'key')), resolve(given(ask.options, 'catalogue'))];
    const known = keysIn(key);
    const { entries: before, issued } = issueIn(catalogue, known?.publicKey, key);
    const dropped = dropsIn(ask, before);
    const offered = await offeredIn(ask.lists.PACKAGE ?? [], {
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
