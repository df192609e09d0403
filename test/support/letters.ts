// The letters a site has written to its mail folder, as a person would read them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ReadLetter {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** In the order they were written; none where there is no mail folder yet. */
export const lettersIn = (data: string): ReadLetter[] =>
  mailFiles(data).map((name) => read(readFileSync(join(data, 'mail', name), 'utf8')));

export function mailFiles(data: string): string[] {
  try {
    return readdirSync(join(data, 'mail')).sort();
  } catch {
    return [];
  }
}

function read(letter: string): ReadLetter {
  const end = letter.indexOf('\r\n\r\n');
  const headers = letter.slice(0, end).replaceAll('\r\n ', ' ').split('\r\n');
  const header = (name: string): string => {
    const line = headers.find((one) => one.startsWith(`${name}: `));
    return decodedWords(line?.slice(name.length + 2) ?? '');
  };
  const body = letter.slice(end + 4);
  const text = header('Content-Transfer-Encoding') === 'quoted-printable' ? decoded(body) : body;
  return {
    from: header('From'),
    to: header('To').slice(1, -1),
    subject: header('Subject'),
    text: text.replaceAll('\r\n', '\n').trimEnd(),
  };
}

const decodedWords = (line: string): string =>
  line
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?B\?(.*?)\?=/g, (_, word: string) => Buffer.from(word, 'base64').toString());

const decoded = (body: string): string =>
  Buffer.from(
    body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`))),
    'latin1',
  ).toString();
