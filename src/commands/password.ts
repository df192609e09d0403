// How a command is told a password: never on the command line, which every user of a machine can read.
import { randomInt } from 'node:crypto';
import type { Passwords } from '#site/identity/passwords/passwords.ts';
import { type Ask, Failed, type Option, WrongUse } from './command.ts';

export const passwordOptions = {
  'password-stdin': { meaning: 'Read the password from standard input, one line' },
  generate: { meaning: 'Make a password and print it, alone' },
} satisfies Record<string, Option>;

/** Without those that are taken for one another. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Nearly 100 bits. */
export const generatedPassword = (): string =>
  Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('');

export interface Chosen {
  readonly password: string;
  /** To be printed: nobody has seen it yet. */
  readonly generated: boolean;
}

/** How the password will come; refused at once where none could. */
export function passwordSource(ask: Ask): (passwords: Passwords) => Promise<Chosen> {
  const { options, input } = ask;
  const [given, generate] = [options['password-stdin'] !== undefined, options.generate !== undefined];
  if (given && generate) throw new WrongUse('Give --password-stdin or --generate, not both.');
  if (generate) return async () => ({ password: generatedPassword(), generated: true });
  if (input.hasTerminal) return async (passwords) => ({ password: await typed(ask, passwords), generated: false });
  if (given) return async () => ({ password: await read(ask), generated: false });
  throw new WrongUse('Nobody can be asked for a password here; add --password-stdin or --generate.');
}

async function read({ input }: Ask): Promise<string> {
  const password = await input.line();
  if (password === '') throw new WrongUse('--password-stdin found no password on standard input.');
  return password;
}

const tries = 3;

async function typed({ input, note }: Ask, passwords: Passwords): Promise<string> {
  for (let left = tries; left > 0; left--) {
    const password = await input.askHidden('Password: ');
    const fault = password === '' ? 'A password must not be empty.' : passwords.fault(password);
    if (fault === undefined && (await input.askHidden('The same again: ')) === password) return password;
    note(fault ?? 'The two are not the same.');
  }
  throw new Failed('Nothing was changed.');
}
