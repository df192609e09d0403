// A message in the form in which mail travels (RFC 5322), so that nothing said in it can become a header.

import { isIPv4 } from 'node:net';
import { isEmailAddress } from '#lib/addresses.ts';

/** `20261120T120000000Z` */
export const stamp = (date: Date): string => date.toISOString().replace(/[-:.]/g, '');

export const letterId = (date: Date, rest: string, host: string): string => `${stamp(date)}-${rest}@${host}`;

export const localPart = (id: string): string => id.slice(0, id.lastIndexOf('@'));

/** The host of a site as an email address has it: a number instead of a name stands in brackets. */
export function mailHost(url: string): string {
  const { hostname } = new URL(url);
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1)}`;
  return isIPv4(hostname) ? `[${hostname}]` : hostname;
}

export interface Letter {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  readonly date: Date;
  /** Unlike any other, in the form of an address; the same however often it is tried. */
  readonly id: string;
  /** Plain text. */
  readonly text: string;
}

/** Which bytes may stand in it: every server takes 7 bits. */
export type Bits = 7 | 8;

/**
 * Text stays as it is, so that whoever reads it as a file finds every link whole. Only what cannot travel that way (a word longer
 * than a line, signs that steer a terminal, other letters over 7 bits) is encoded.
 */
export async function composed(letter: Letter, bits: Bits): Promise<Buffer> {
  const { default: MimeNode } = await import('nodemailer/lib/mime-node');
  const node = new MimeNode('text/plain; charset=utf-8', { disableFileAccess: true, disableUrlAccess: true });
  node.setHeader(headersOf(letter));
  const lines = letter.text.toWellFormed().split(/\r\n|\r|\n/);
  const folded = lines.flatMap(foldedAtBlanks);
  const needs = bitsOf(folded);
  if (needs === undefined || needs > bits) {
    node.setHeader('Content-Transfer-Encoding', 'quoted-printable');
    node.setContent([...lines, ''].join('\r\n'));
    return node.build();
  }
  node.setHeader('Content-Transfer-Encoding', `${needs}bit`);
  return Buffer.from([node.buildHeaders(), '', ...folded, ''].join('\r\n'));
}

const headersOf = ({ from, to, subject, date, id }: Letter) => [
  { key: 'From', value: { name: oneLine(from.name), address: oneAddress(from.address) } },
  { key: 'To', value: { name: '', address: oneAddress(to) } },
  { key: 'Subject', value: oneLine(subject) },
  { key: 'Date', value: date.toUTCString().replace('GMT', '+0000') },
  { key: 'Message-ID', value: `<${oneAddress(id)}>` },
  { key: 'Auto-Submitted', value: 'auto-generated' },
];

export function oneAddress(text: string): string {
  if (!isEmailAddress(text)) throw new Error('An email must have one recipient.');
  return text;
}

const longestHeader = 500;

/** A line break becomes a blank, and what only looks as if it were encoded is not decoded by whoever reads it. */
const oneLine = (text: string): string =>
  text
    .slice(0, longestHeader)
    .toWellFormed()
    .replace(/\p{C}+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim();

const longestLine = 998;
const fits = (line: string): boolean => Buffer.byteLength(line) <= longestLine;

function bitsOf(lines: readonly string[]): Bits | undefined {
  if (!lines.every((line) => /^[\t\P{Cc}]*$/u.test(line) && fits(line))) return undefined;
  return lines.every((line) => /^[\t -~]*$/.test(line)) ? 7 : 8;
}

/** A line that is too long goes on in the next one, from word to word. */
function foldedAtBlanks(line: string): string[] {
  if (fits(line)) return [line];
  const lines: string[] = [''];
  for (const word of line.split(' ')) {
    const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`;
    if (fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
