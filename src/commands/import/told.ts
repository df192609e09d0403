// What became of everything that came, for the person who moved it or the script that did.

import type { Ask } from '#cli/command.ts';
import { aligned, number } from '#cli/table.ts';
import { printable, printableJson } from '#lib/printable.ts';
import type { Fault, Report, Tally } from '#site/transfer/import/report.ts';

/** Tells it however the work ends, as far as it came. */
export async function telling(
  report: Report,
  ask: Pick<Ask, 'options' | 'out' | 'note'>,
  work: Promise<unknown>,
): Promise<number> {
  try {
    await work;
  } catch (error) {
    if (!report.isEmpty) tell(report, ask);
    throw error;
  }
  return tell(report, ask);
}

/** Prints it, and answers the exit code. */
export function tell(report: Report, ask: Pick<Ask, 'options' | 'out' | 'note'>): number {
  const told = report.told();
  if (ask.options.json === undefined) printTold(told, ask);
  else ask.out(printableJson(told));
  return report.hasFailed ? 1 : 0;
}

function printTold(told: Told, ask: Pick<Ask, 'options' | 'out' | 'note'>): void {
  const { authors, terms, items, comments, files, errors, more, notes, moreNotes } = told;
  const rows = [row('users', authors), row('terms', terms)];
  for (const [type, tally] of Object.entries(items)) rows.push(row(type, tally));
  rows.push(row('comments', comments));
  for (const line of aligned([['', 'CREATED', 'SKIPPED', 'FAILED'], ...rows])) ask.out(line);
  const { copied, fetched, missing } = files;
  ask.out(`Files: ${number(copied)} copied, ${number(fetched)} downloaded, ${number(missing)} missing.`);
  for (const fault of errors) ask.note(faultLine(fault));
  if (more > 0) ask.note(`… and ${number(more)} more.`);
  for (const note of notes) ask.note(noteLine(note));
  if (moreNotes > 0) ask.note(`… and ${number(moreNotes)} more.`);
  if (files.missing > 0) ask.note(missingHint);
  if (ask.options['dry-run'] !== undefined) ask.note('Nothing was changed.');
}

type Told = ReturnType<Report['told']>;

const row = (name: string, { created, skipped, failed }: Tally): string[] => [
  printable(name),
  number(created),
  number(skipped),
  number(failed),
];

/** For whoever forgot the folder. */
const missingHint =
  'To import the missing files, run the command again with their folder as --uploads, or with --fetch to download them.';

const faultLine = ({ code, message, ...place }: Fault): string =>
  printable(`Failed: ${placeOf(place)}: ${message} (${code})`);

const noteLine = ({ message, ...place }: Fault): string => printable(`Note: ${placeOf(place)}: ${message}`);

const placeOf = ({ line, id, title }: Pick<Fault, 'line' | 'id' | 'title'>): string =>
  [line !== undefined && `line ${line}`, id !== undefined && id > 0 && `number ${id}`, title]
    .filter((part) => part !== false)
    .join(', ');
