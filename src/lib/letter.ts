// A message in the form in which mail travels (RFC 5322), so that nothing said in it can become a header.

export interface Letter {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  readonly date: Date;
  /** Unlike any other, in the form of an address. */
  readonly id: string;
  /** Plain text. */
  readonly text: string;
}

/** Lines end as mail wants it, and are short enough for the strictest server. */
export function written({ from, to, subject, date, id, text }: Letter): string {
  const body = bodyOf(text);
  return [
    `From: ${from.name === '' ? '' : `${words(from.name, quotedString)} `}<${one(from.address)}>`,
    `To: <${one(to)}>`,
    `Subject: ${words(subject, (line) => line)}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${one(id)}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Transfer-Encoding: ${body.encoding}`,
    'Auto-Submitted: auto-generated',
    '',
    ...body.lines,
    '',
  ].join('\r\n');
}

const address = /^[^\s\p{C}<>()[\]:;,"\\@]+@(?:\[[\w:.]+\]|[^\s\p{C}<>()[\]:;,"\\@]+)$/u;

/** An address stands in a header as it is: it must be one, and nothing else. */
function one(text: string): string {
  if (text.length > 254 || !address.test(text)) throw new Error('A letter goes to one email address.');
  return text;
}

/** Words in a header: as they are when they are plain, else encoded (RFC 2047). A line break becomes a blank. */
function words(text: string, asTheyAre: (line: string) => string): string {
  const line = text.replace(/\p{C}+/gu, ' ').trim();
  return /^[ -~]{0,200}$/.test(line) && !line.includes('=?') ? asTheyAre(line) : encodedWords(line);
}

const quotedString = (line: string): string => `"${line.replace(/["\\]/g, '\\$&')}"`;

/** An encoded word has at most 75 characters, so that many bytes fit into one. */
const bytesInWord = 42;

function encodedWords(line: string): string {
  const parts: string[] = [''];
  for (const character of line.slice(0, 500).toWellFormed()) {
    const longer = parts.at(-1)! + character;
    if (Buffer.byteLength(longer) > bytesInWord) parts.push(character);
    else parts[parts.length - 1] = longer;
  }
  return parts.map((part) => `=?utf-8?B?${Buffer.from(part).toString('base64')}?=`).join('\r\n ');
}

/**
 * Text stays as it is, so that whoever reads the file finds every link whole. Only what no mail can carry that way (a word
 * longer than a line, signs that steer a terminal) is quoted-printable.
 */
function bodyOf(text: string): { encoding: string; lines: string[] } {
  const lines = text.toWellFormed().split(/\r\n|\r|\n/);
  const folded = lines.flatMap(foldedAtBlanks);
  if (folded.every((line) => /^[\t -~]*$/.test(line) && fits(line))) return { encoding: '7bit', lines: folded };
  if (folded.every((line) => /^[\t\P{Cc}]*$/u.test(line) && fits(line))) return { encoding: '8bit', lines: folded };
  return { encoding: 'quoted-printable', lines: lines.flatMap(quotedPrintable) };
}

const longestLine = 998;
const fits = (line: string): boolean => Buffer.byteLength(line) <= longestLine;

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

const lineLength = 76;

function quotedPrintable(line: string): string[] {
  const bytes = [...Buffer.from(line)];
  const lines: string[] = [''];
  for (const [at, byte] of bytes.entries()) {
    const sign = quotedByte(byte, at === bytes.length - 1);
    if (lines.at(-1)!.length + sign.length >= lineLength) lines.push('');
    lines[lines.length - 1] += sign;
  }
  return lines.map((part, at) => (at < lines.length - 1 ? `${part}=` : part));
}

const isPlain = (byte: number): boolean => byte >= 0x20 && byte <= 0x7e && byte !== 0x3d;

/** A blank that ends a line would get lost on the way. */
function quotedByte(byte: number, isLast: boolean): string {
  if (isPlain(byte) && !(isLast && byte === 0x20)) return String.fromCharCode(byte);
  return `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
