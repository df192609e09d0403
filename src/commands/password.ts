// How a command is told a password: never on the command line, which every user of a machine can read.
import { randomInt } from 'node:crypto';
import { type Ask, Failed, type Option, WrongUse } from '#cli/command.ts';
import { faultForAnybody } from '#site/identity/passwords/rule.ts';

export const passwordOptions = {
  'password-stdin': { meaning: 'Read the password from standard input, one line' },
  generate: { meaning: 'Generate a password and print only it to standard output' },
} satisfies Record<string, Option>;

/** Without those that are taken for one another. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Nearly 100 bits. */
export const generatedPassword = (): string =>
  Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('');

interface Chosen {
  readonly password: string;
  /** To be printed: nobody has seen it yet. */
  readonly generated: boolean;
}

/** Why the account cannot have it. */
type PasswordFault = (password: string) => Promise<string | undefined>;

/** How the password will come; refused at once, before anything is opened, where none could or the one that came cannot be one. */
export async function passwordSource(ask: Ask): Promise<(fault: PasswordFault) => Promise<Chosen>> {
  const { options, input } = ask;
  const [given, generate] = [options['password-stdin'] !== undefined, options.generate !== undefined];
  if (given && generate) throw new WrongUse('Give --password-stdin or --generate, not both.');
  if (generate) return async () => ({ password: generatedPassword(), generated: true });
  if (input.hasTerminal) return async (fault) => ({ password: await typed(ask, fault), generated: false });
  if (given) {
    const password = await read(ask);
    return async (faultOf) => {
      refuseStandardInput(await faultOf(password));
      return { password, generated: false };
    };
  }
  throw new WrongUse('There is no terminal to ask for a password; add --password-stdin or --generate.');
}

async function read({ input }: Ask): Promise<string> {
  const password = await input.line();
  if (password === '') throw new WrongUse('--password-stdin found no password on standard input.');
  refuseStandardInput(faultForAnybody(password));
  return password;
}

function refuseStandardInput(fault: string | undefined): void {
  if (fault !== undefined) throw new WrongUse(`The password on standard input cannot be used: ${fault}`);
}

const tries = 3;

async function typed({ input, note }: Ask, faultOf: PasswordFault): Promise<string> {
  for (let left = tries; left > 0; left--) {
    const password = await input.askHidden('Password: ');
    const fault = await faultOf(password);
    if (fault === undefined && (await input.askHidden('Repeat the password: ')) === password) return password;
    note(fault ?? 'The two passwords differ.');
  }
  throw new Failed('Nothing was changed.');
}
