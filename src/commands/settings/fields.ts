// What the commands about settings share: how a setting is named on the command line, and how it is shown.
import { isDeepStrictEqual } from 'node:util';
import { printable } from '#lib/printable.ts';
import { type Checked, type Field, fieldsOf, type Group } from '#site/platform/settings/group.ts';
import type { Settings } from '#site/platform/settings/settings.ts';
import { suggestion } from '../../config/nearest.ts';
import { type Ask, given, type Word, WrongUse } from '../command.ts';

export const groupWord: Word = { name: 'GROUP', meaning: 'A group of settings, as the list names it' };
export const nameWord: Word = { name: 'NAME', meaning: 'A setting of the group' };

export function groupIn({ words }: Ask, { groups }: Settings): Group {
  const name = given(words, groupWord.name);
  const found = groups.find((group) => group.name === name);
  if (found !== undefined) return found;
  throw new WrongUse(
    unknown(
      `group of settings ${name}`,
      name,
      groups.map((group) => group.name),
    ),
  );
}

export function fieldIn(name: string, group: Group): Field {
  const fields = fieldsOf(group);
  const found = fields.find(([known]) => known === name);
  if (found !== undefined) return found[1];
  throw new WrongUse(
    unknown(
      `setting ${name} in ${group.name}`,
      name,
      fields.map(([known]) => known),
    ),
  );
}

const unknown = (what: string, name: string, known: readonly string[]): string =>
  `There is no ${what}.${suggestion(name, known) || ` There are ${known.join(', ')}.`}`;

/** One setting as people and scripts may see it: of a confidential one, only whether it is set. */
export interface Shown {
  readonly name: string;
  readonly value?: unknown;
  readonly default?: unknown;
  readonly differs: boolean;
  readonly confidential?: true;
}

export const shownOf = (group: Group, values: Checked): Shown[] =>
  fieldsOf(group).map(([name, field]) => {
    const differs = !isDeepStrictEqual(values[name], field.default);
    if (field.confidential) return { name, differs, confidential: true };
    return { name, value: values[name], default: field.default, differs };
  });

const textOf = (value: unknown): string => printable(typeof value === 'string' ? value : JSON.stringify(value));

/** One that is to change, and is not fixed by the configuration. */
export function changeableIn(name: string, group: Group): Field {
  const field = fieldIn(name, group);
  if (field.readonly) throw new WrongUse(`${name} is fixed by the configuration of this site.`);
  return field;
}

export function cellOf({ value, differs, confidential }: Shown): string {
  if (!confidential) return textOf(value);
  return differs ? '(set, and not shown)' : '(not set)';
}
