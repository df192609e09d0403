// A feed of rules as it is written: a JSON object.
//
//   { "format": "gatehouse-rules-1", "issued": "2026-11-22T12:00:00.000Z", "entries": [ … ], "signature": "…" }
//
// What is signed (Ed25519, the signature in base64) is the text `gatehouse-rules-1`, a line feed, the date as it stands there, another line
// feed, and the entries as JSON without any space between, in UTF-8: of each entry `id`, `vulnerability`, `product_keys` and `vpatch`, in
// this order. So exactly what is used is verified, and anything else in the file is ignored.
import { isSigned, sign } from '#site/packages/signature.ts';

const format = 'gatehouse-rules-1';
export const largestFeed = 8 * 1024 * 1024;
const most = { entries: 2_000, products: 100, product: 214 };

export interface FeedEntry {
  readonly id: string;
  /** The id of an advisory, or one of its aliases. */
  readonly vulnerability: string;
  /** The software that it protects; all that has the vulnerability, if it is empty. */
  readonly product_keys: readonly string[];
  /** The conditions of the rule. */
  readonly vpatch: readonly unknown[];
}

export interface RuleFeed {
  readonly issued: Date;
  readonly entries: readonly FeedEntry[];
}

/** It cannot be used; the message is a sentence. */
export class BadRuleFeed extends Error {}

const signedBytes = (issued: string, entries: readonly FeedEntry[]): Buffer =>
  Buffer.from(`${format}\n${issued}\n${JSON.stringify(entries)}`);

export function writeRuleFeed(entries: unknown, privateKey: string, at: Date): string {
  const issued = at.toISOString();
  const read = readEntries(entries);
  const signature = sign(signedBytes(issued, read), privateKey);
  return `${JSON.stringify({ format, issued, entries: read, signature }, null, 2)}\n`;
}

export function readRuleFeed(text: string, publicKey: string): RuleFeed {
  const { format: found, issued, entries: listed, signature } = membersOf(text);
  if (found !== format) throw new BadRuleFeed('It is not a list of rules that this version can read.');
  if (typeof issued !== 'string' || !isMoment(issued)) throw new BadRuleFeed('Its date ("issued") is not valid.');
  const entries = readEntries(listed);
  if (typeof signature !== 'string' || !isSignedWith(publicKey, signature, issued, entries))
    throw new BadRuleFeed('It is not signed with the key that this site trusts, or was changed after signing.');
  return { issued: new Date(issued), entries };
}

function isSignedWith(publicKey: string, signature: string, issued: string, entries: readonly FeedEntry[]): boolean {
  try {
    return isSigned(signedBytes(issued, entries), signature, publicKey);
  } catch {
    // Conditions may be nested too deeply to be written as JSON.
    return false;
  }
}

const isMoment = (text: string): boolean => {
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === text;
};

function membersOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw new BadRuleFeed('It is not a JSON object.');
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[\w.:-]{1,128}$/.test(value);

function readEntries(listed: unknown): FeedEntry[] {
  if (!Array.isArray(listed) || listed.length > most.entries)
    throw new BadRuleFeed(`It has no list of entries, or more than ${most.entries} of them.`);
  const entries = listed.map((one: unknown, at): FeedEntry => {
    const { id, vulnerability, product_keys: products = [], vpatch } = Object(one) as Record<string, unknown>;
    if (!isId(id) || !isId(vulnerability) || !areProducts(products) || !Array.isArray(vpatch))
      throw new BadRuleFeed(`Entry ${at + 1} is not valid.`);
    return { id, vulnerability, product_keys: products, vpatch };
  });
  if (new Set(entries.map(({ id }) => id)).size < entries.length)
    throw new BadRuleFeed('It has two entries with the same id.');
  return entries;
}

const areProducts = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= most.products &&
  value.every((one) => typeof one === 'string' && one.length <= most.product);
