// Lines of CSV as RFC 4180 has them, which no spreadsheet takes for anything but text and numbers.

/** What a spreadsheet would take for a formula begins so; an apostrophe before it says that it is text. */
const formula = /^[\t\r\n ]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

const cellOf = (value: string | number): string => {
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(cellOf).join(',')}\r\n`;

export interface CsvRow {
  /** Where it begins in the text, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A text that is not CSV; the message is a sentence. */
export class MalformedCsv extends Error {}

/**
 * The rows of a CSV text: RFC 4180, with any line ending, and without rows that are empty. An apostrophe that `csvLine` put before what a
 * spreadsheet would take for a formula stays.
 */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let [at, line] = [text.startsWith('\ufeff') ? 1 : 0, 1];
  let [cells, begun]: [string[], number] = [[], 1];
  const endRow = (): void => {
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: begun, cells });
    [cells, begun] = [[], line];
  };
  while (at < text.length) {
    if (text[at] === '"') {
      const quoted = quotedCell(text, at, line);
      cells.push(quoted.value);
      line += linesIn(quoted.value);
      at = quoted.end;
    } else {
      const end = plainEnd(text, at);
      cells.push(text.slice(at, end));
      at = end;
    }
    if (text[at] === ',') {
      at += 1;
      if (at === text.length) cells.push('');
      continue;
    }
    if (at < text.length) line += 1;
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    endRow();
  }
  if (cells.length > 0) endRow();
  return rows;
}

const separator = /[,\r\n]/g;

function plainEnd(text: string, from: number): number {
  separator.lastIndex = from;
  return separator.exec(text)?.index ?? text.length;
}

const linesIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** A cell in quotes: two of them stand for one. */
function quotedCell(text: string, from: number, line: number): { readonly value: string; readonly end: number } {
  let close = text.indexOf('"', from + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) throw new MalformedCsv(`The quotation mark in line ${line} is not closed.`);
  const after = text[close + 1];
  if (after !== undefined && !',\r\n'.includes(after))
    throw new MalformedCsv(`There is text after the closing quotation mark in line ${line}.`);
  return { value: text.slice(from + 1, close).replaceAll('""', '"'), end: close + 1 };
}
