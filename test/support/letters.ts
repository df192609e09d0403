// The letters of a site, as a person would read them.
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
  mailFiles(data).map((name) => readLetter(readFileSync(join(data, 'mail', name), 'utf8')));

export function mailFiles(data: string): string[] {
  try {
    return readdirSync(join(data, 'mail'))
      .filter((name) => name.endsWith('.eml'))
      .sort();
  } catch {
    return [];
  }
}

export function readLetter(letter: string): ReadLetter {
  const header = (name: string): string => decodedWords(headersOf(letter).get(name) ?? '');
  const body = letter.slice(letter.indexOf('\r\n\r\n') + 4);
  const text = header('Content-Transfer-Encoding') === 'quoted-printable' ? decoded(body) : body;
  return {
    from: header('From'),
    to: header('To').replace(/^<|>$/g, ''),
    subject: header('Subject'),
    text: text.replaceAll('\r\n', '\n').trimEnd(),
  };
}

/** As they stand there, each on one line. */
export const headersOf = (letter: string): Map<string, string> =>
  new Map(
    letter
      .slice(0, letter.indexOf('\r\n\r\n'))
      .replace(/\r\n(?=[ \t])/g, '')
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );

const decodedWords = (line: string): string =>
  line
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?B\?(.*?)\?=/gi, (_, word: string) => Buffer.from(word, 'base64').toString())
    .replace(/=\?utf-8\?Q\?(.*?)\?=/gi, (_, word: string) => decoded(word.replaceAll('_', ' ')));

const decoded = (body: string): string =>
  Buffer.from(
    body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`))),
    'latin1',
  ).toString();
