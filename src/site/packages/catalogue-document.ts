// A catalogue as it is written: a JSON object that people can read, and that stays signed however it is laid out.
//
//   { "format": "gatehouse-catalogue-1", "issued": "2026-11-22T12:00:00.000Z", "entries": [ … ], "signature": "…" }
//
// What is signed (Ed25519, the signature in base64) is the text `gatehouse-catalogue-1`, a line feed, the date as it stands there with
// another line feed, and the entries as JSON without any space between, in UTF-8: of each entry its thirteen members in their order
// (`catalogue-entry.ts`), those of `requires` in the order of their names. So what is verified is exactly what is used, and anything
// else in the file is nothing. One that has no date is signed without that line: entries begin otherwise than any date.
import { type CatalogueEntry, entryIn } from './catalogue-entry.ts';
import { isSigned, sign } from './signature.ts';

const format = 'gatehouse-catalogue-1';
const mostEntries = 1000;

/** It cannot be used; the message is a sentence. */
export class BadCatalogue extends Error {}

export interface Issue {
  readonly entries: readonly CatalogueEntry[];
  /** When it was signed. */
  readonly issued: Date | undefined;
}

const signedBytes = (entries: readonly CatalogueEntry[], issued: string | undefined): Buffer =>
  Buffer.from(`${format}\n${issued === undefined ? '' : `${issued}\n`}${JSON.stringify(entries)}`);

/** In the order of their slugs. */
export function writeCatalogue(entries: readonly CatalogueEntry[], privateKey: string, at?: Date): string {
  const sorted = readEntries(entries.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)));
  const issued = at?.toISOString();
  const signature = sign(signedBytes(sorted, issued), privateKey);
  return `${JSON.stringify({ format, issued, entries: sorted, signature }, null, 2)}\n`;
}

export function readCatalogue(bytes: Uint8Array, publicKey: string | undefined): Issue {
  if (publicKey === undefined)
    throw new BadCatalogue('There is no key to check its signature with (GATEHOUSE_CATALOGUE_KEY).');
  const said = objectOf(bytes);
  if (said.format !== format) throw new BadCatalogue('It is no catalogue that this version can read.');
  const entries = readEntries(said.entries);
  const { issued, signature } = said;
  if (issued !== undefined && !isMoment(issued)) throw new BadCatalogue('Its date ("issued") is none.');
  if (typeof signature !== 'string' || !isSigned(signedBytes(entries, issued), signature, publicKey))
    throw new BadCatalogue('It is not signed with the key that this site trusts, or was changed afterwards.');
  return { entries, issued: issued === undefined ? undefined : new Date(issued) };
}

/** As RFC 3339 writes it, in UTC. What no calendar has would be taken for another day. */
function isMoment(said: unknown): said is string {
  if (typeof said !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(said)) return false;
  const moment = new Date(said);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 19) === said.slice(0, 19);
}

/** Whoever signed it, and whatever is in it. */
export function isCatalogue(bytes: Uint8Array): boolean {
  try {
    return objectOf(bytes).format === format;
  } catch {
    return false;
  }
}

function objectOf(bytes: Uint8Array): Record<string, unknown> {
  try {
    const said: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof said === 'object' && said !== null) return { ...said };
  } catch {
    // Told below.
  }
  throw new BadCatalogue('It is not JSON.');
}

function readEntries(said: unknown): CatalogueEntry[] {
  if (!Array.isArray(said) || said.length > mostEntries)
    throw new BadCatalogue(`It has no list of entries, or one of more than ${mostEntries}.`);
  const entries = said.map((one, at) => {
    const entry = entryIn(one);
    if (typeof entry === 'string')
      throw new BadCatalogue(`Of its entry ${at + 1} it does not say "${entry}" properly.`);
    return entry;
  });
  if (new Set(entries.map(({ slug }) => slug)).size < entries.length)
    throw new BadCatalogue('It lists the same slug twice.');
  return entries;
}
