// The commands about settings.

import { isDeepStrictEqual } from 'node:util';
import { type Ask, type Command, type Family, given, json, type Word, WrongUse } from '#cli/command.ts';
import { aligned } from '#cli/table.ts';
import { suggestion } from '#config/nearest.ts';
import { Problem } from '#kernel/problem.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { type Checked, type Field, fieldsOf, type Group } from '#site/platform/settings/group.ts';
import type { Settings } from '#site/platform/settings/settings.ts';

const groupWord: Word = {
  name: 'GROUP',
  meaning: 'Name of a group of settings, as "gatehouse settings list" shows it',
};
const nameWord: Word = { name: 'NAME', meaning: 'Name of a setting of the group' };

function groupIn({ words }: Ask, { groups }: Settings): Group {
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

function fieldIn(name: string, group: Group): Field {
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
  `The ${what} does not exist.${suggestion(name, known) || ` Choose from ${known.join(', ')}.`}`;

/** One that is to change, and is not fixed by the configuration. */
function changeableIn(name: string, group: Group): Field {
  const field = fieldIn(name, group);
  if (field.readonly)
    throw new WrongUse(`${name} is set by the configuration of this site and cannot be changed here.`);
  return field;
}

type Asked = Pick<Ask, 'words' | 'input'>;

const valueWord = { name: 'VALUE', meaning: 'The new value; leave it out if the setting is confidential' } as const;

export const valueIn = async (ask: Asked, name: string, field: Field): Promise<unknown> =>
  read(await (field.confidential ? unseen(ask, name) : textIn(ask, name)), name, field);

async function textIn({ words }: Asked, name: string): Promise<string> {
  const value = words[valueWord.name];
  if (value === undefined) throw new WrongUse(`gatehouse settings set needs ${valueWord.name} for ${name}.`);
  return value;
}

/** What is confidential never stands on the command line, which every user of the machine can read. */
async function unseen({ words, input }: Asked, name: string): Promise<string> {
  if (words[valueWord.name] !== undefined)
    throw new WrongUse(
      `${name} is confidential: leave VALUE out, and the command asks for it or reads it from standard input.`,
    );
  const text = await (input.hasTerminal ? input.askHidden(`${name}: `) : input.line());
  // Nothing also comes from a program that failed on the other side of a pipe.
  if (text === '')
    throw new WrongUse(
      `No value was given for ${name}, so it is unchanged; to delete the value, run "gatehouse settings reset".`,
    );
  return text;
}

/** Lists and objects may be written as JSON; anything else is text, and becomes what the setting is. */
function read(text: string, name: string, { type }: Field): unknown {
  if (type !== 'object' && !(type === 'array' && text.startsWith('['))) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongUse(`${name} must be valid JSON.`);
  }
}

/** One setting as people and scripts may see it: of a confidential one, only whether it is set. */
interface Shown {
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

export function cellOf({ value, differs, confidential }: Shown): string {
  if (!confidential) return textOf(value);
  return differs ? '(set, not shown)' : '(not set)';
}

const heads = ['NAME', 'VALUE', 'DIFFERS'];

function linesOf(shown: readonly Shown[], one: string | undefined, { options }: Ask): string[] {
  const [only] = shown;
  if (options.json !== undefined) return [printableJson(one === undefined ? shown : only)];
  if (one !== undefined && only !== undefined) return [cellOf(only)];
  const rows = shown.map((field) => [printable(field.name), cellOf(field), field.differs ? 'yes' : '']);
  return aligned([heads, ...rows]);
}

const show: Command = {
  name: 'settings show',
  about: 'Shows the settings of a group, or one value. Confidential values are not shown.',
  words: [groupWord, { ...nameWord, optional: true }],
  options: { json },
  run: (ask) =>
    ask.inSite(async ({ settings }) => {
      const group = groupIn(ask, settings);
      const one = ask.words[nameWord.name];
      if (one !== undefined) fieldIn(one, group);
      const shown = shownOf(group, await settings.read(group));
      const wanted = one === undefined ? shown : shown.filter(({ name }) => name === one);
      for (const line of linesOf(wanted, one, ask)) ask.out(line);
    }),
};

/** What the setting does not take was wrong on the set line. */
function asWrongUse(error: unknown): never {
  throw error instanceof Problem ? new WrongUse(error.message) : error;
}

const set: Command = {
  name: 'settings set',
  about: `Changes a setting. The command asks for a confidential value, or reads it from the first line of standard input, and does not show
it again.`,
  words: [groupWord, nameWord, { ...valueWord, optional: true, empty: true }],
  run: (ask) =>
    ask.inSite(async ({ settings }) => {
      const group = groupIn(ask, settings);
      const name = given(ask.words, nameWord.name);
      const field = changeableIn(name, group);
      const value = await valueIn(ask, name, field);
      const before = new Map(shownOf(group, await settings.read(group)).map((one) => [one.name, cellOf(one)]));
      const after = await settings.change(group, { [name]: value }, 0).catch(asWrongUse);
      // Some take others along.
      for (const shown of shownOf(group, after)) {
        const cell = cellOf(shown);
        if (shown.name === name || cell !== before.get(shown.name))
          ask.out(`${group.name}.${shown.name} is now ${cell || 'empty'}.`);
      }
    }),
};

const reset: Command = {
  name: 'settings reset',
  about: 'Resets a setting, or all settings of a group, to the default.',
  words: [groupWord, { ...nameWord, optional: true }],
  run: (ask) =>
    ask.inSite(async ({ settings }) => {
      const group = groupIn(ask, settings);
      const one = ask.words[nameWord.name];
      if (one !== undefined) changeableIn(one, group);
      const names = one === undefined ? fieldsOf(group).map(([name]) => name) : [one];
      await settings.change(group, Object.fromEntries(names.map((name) => [name, null])), 0);
      const what = one === undefined ? `every setting of ${group.name}` : `${group.name}.${one}`;
      ask.out(`Reset ${what} to its default.`);
    }),
};

const list: Command = {
  name: 'settings list',
  about: 'Lists the groups of settings, and how many settings differ from their defaults.',
  options: { json },
  run: (ask) =>
    ask.inSite(async ({ settings }) => {
      const rows: { group: string; differs: string[] }[] = [];
      for (const group of settings.groups) {
        const differing = shownOf(group, await settings.read(group)).filter(({ differs }) => differs);
        rows.push({ group: group.name, differs: differing.map(({ name }) => name) });
      }
      if (ask.options.json !== undefined) return ask.out(printableJson(rows));
      const cells = rows.map(({ group, differs }) => [group, differs.join(', ') || 'nothing']);
      for (const line of aligned([['GROUP', 'DIFFERS FROM ITS DEFAULT'], ...cells])) ask.out(line);
    }),
};

export const command: Family = {
  name: 'settings',
  about: 'Shows and changes the settings of the site and its extensions. A running site follows within 1 second.',
  members: [
    { name: 'list', summary: 'List the groups of settings', command: list },
    { name: 'show', summary: 'Show a group of settings, or one setting', command: show },
    { name: 'set', summary: 'Change a setting', command: set },
    { name: 'reset', summary: 'Reset a setting, or a group, to the default', command: reset },
  ],
};
