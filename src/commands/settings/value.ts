// How a command is told what a setting shall be.
import type { Field } from '#site/settings/group.ts';
import { type Ask, WrongUse } from '../command.ts';

type Asked = Pick<Ask, 'words' | 'input'>;

export const valueWord = { name: 'VALUE', meaning: 'What it shall be; left out for one that is confidential' } as const;

export const valueIn = async (ask: Asked, name: string, field: Field): Promise<unknown> =>
  read(await textIn(ask, name, field), name, field);

/** What is confidential never stands on the command line, which every user of the machine can read. */
async function textIn({ words, input }: Asked, name: string, field: Field): Promise<string> {
  const value = words[valueWord.name];
  if (!field.confidential) {
    if (value === undefined) throw new WrongUse(`gatehouse settings set needs ${valueWord.name} for ${name}.`);
    return value;
  }
  if (value !== undefined)
    throw new WrongUse(
      `${name} is confidential: leave the value out, and it is asked for or read from standard input.`,
    );
  return input.hasTerminal ? input.askHidden(`${name}: `) : input.line();
}

/** Lists and objects may be written as JSON; anything else is text, and becomes what the setting is. */
function read(text: string, name: string, { type }: Field): unknown {
  if (type !== 'object' && !(type === 'array' && text.startsWith('['))) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongUse(`${name} must be written as JSON.`);
  }
}
