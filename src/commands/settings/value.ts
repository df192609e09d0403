// How a command is told what a setting shall be.
import type { Field } from '#site/platform/settings/group.ts';
import { type Ask, WrongUse } from '../command.ts';

type Asked = Pick<Ask, 'words' | 'input'>;

export const valueWord = { name: 'VALUE', meaning: 'What it shall be; left out for one that is confidential' } as const;

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
      `${name} is confidential: leave the value out, and it is asked for or read from standard input.`,
    );
  const text = await (input.hasTerminal ? input.askHidden(`${name}: `) : input.line());
  // Nothing also comes from a program that failed on the other side of a pipe.
  if (text === '')
    throw new WrongUse(`Nothing came for ${name}, so it is as it was; "gatehouse settings reset" takes it away.`);
  return text;
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
