import { pipeline } from 'node:stream/promises';
import { csvLine } from '#lib/csv.ts';
import { printable } from '#lib/printable.ts';
import { flagNames } from '../../config.ts';
import type { Entry } from '../../extensions/secsuite/logs/entry.ts';
import { cellsOf, heads } from '../../extensions/secsuite/logs/log-file.ts';
import { number } from '../archive.ts';
import { type Command, given, WrongUse } from '../command.ts';
import { filters, inLogs, recordOf } from './house.ts';

interface Form {
  readonly head: string;
  readonly line: (entry: Entry) => string;
}

const shown = (cell: string | number): string | number => (typeof cell === 'string' ? printable(cell) : cell);

const forms: Readonly<Record<string, Form>> = {
  csv: { head: csvLine(['id', ...heads]), line: (entry) => csvLine([entry.id, ...cellsOf(entry)].map(shown)) },
  jsonl: { head: '', line: (entry) => `${recordOf(entry)}\n` },
};

export const command: Command = {
  name: 'logs export',
  about: `Writes the entries of the security log to standard output, the oldest first, however many there are. Spreadsheets take no cell
of the CSV for a formula: an apostrophe stands before what looks like one.`,
  settings: flagNames,
  options: {
    format: { value: 'format', meaning: 'csv, or jsonl: a JSON document on each line', required: true },
    ...filters,
  },
  run: async (ask) => {
    const form = formNamed(given(ask.options, 'format'));
    return inLogs(ask, async (logs, wanted) => {
      const entries = logs.every(wanted);
      let written = 0;
      await pipeline(
        async function* () {
          if (form.head !== '') yield form.head;
          for await (const entry of entries) {
            written += 1;
            yield form.line(entry);
          }
        },
        process.stdout,
        { end: false },
      );
      ask.note(`${number(written)} ${written === 1 ? 'entry' : 'entries'}.`);
    });
  },
};

function formNamed(name: string): Form {
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (form !== undefined) return form;
  throw new WrongUse(`There is no format ${name}; there are ${Object.keys(forms).join(' and ')}.`);
}
