// Names of folders: how they are cleaned, compared, and made free.
import { stripTags } from '#lib/tags.ts';
import { folderErrors } from './errors.ts';

export const maxNameLength = 250;
const maxNamesAtOnce = 100;

/** Control characters, and those that turn the direction of the text around them. */
const control = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** Characters without any mark on the screen: alone they would be a folder without a name. */
const invisible = /^[\p{Default_Ignorable_Code_Point}\p{Z}]*$/u;
/** A name that begins so would be a formula in a spreadsheet. */
const formulaStart = /^[=+\-@|\s]+/;

/** The name as it is stored; empty if nothing of it is left. */
export function cleanFolderName(raw: string): string {
  const text = stripTags(raw.toWellFormed().replace(/\s+/g, ' ').replace(control, ''));
  const name = text.replace(/ +/g, ' ').replace(formulaStart, '').trimEnd().normalize('NFC');
  return invisible.test(name) ? '' : name;
}

/** The name as it is compared. */
export const folderNameKey = (name: string): string => name.normalize('NFC').toLowerCase();

/** Throws what is wrong with the name. */
export function demandFolderName(raw: string): string {
  const name = cleanFolderName(raw);
  if (name === '') throw folderErrors.validationFailed('`title` is empty once tags and leading = + - @ | are removed.');
  if (lengthOf(name) > maxNameLength)
    throw folderErrors.validationFailed(`\`title\` has ${lengthOf(name)} characters. Use at most ${maxNameLength}.`);
  return name;
}

const lengthOf = (text: string): number => Array.from(text).length;

export const withSuffix = (name: string, number: number): string => {
  const suffix = ` (${number})`;
  return (
    Array.from(name)
      .slice(0, maxNameLength - suffix.length)
      .join('') + suffix
  );
};

/** Names in one text, divided by commas: each once. */
export function folderNamesIn(text: string): string[] {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  if (parts.length > maxNamesAtOnce)
    throw folderErrors.validationFailed(
      `\`title\` holds ${parts.length} names. Send at most ${maxNamesAtOnce} at a time.`,
    );
  const names = parts.map(cleanFolderName).filter((name) => name !== '');
  return [...new Map(names.map((name) => [folderNameKey(name), demandFolderName(name)])).values()];
}
