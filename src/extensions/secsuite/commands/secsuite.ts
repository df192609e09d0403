// Names of 0.6 for `security unblock` and `security trust`. They work in this version and are gone in the next.
import { type Ask, type Command, type Family, WrongUse } from '#cli/command.ts';
import { addressWord, hoursOption, rangesOption, trust, unblockAddress, unblockAll } from './unblock.ts';

const sayNewName = ({ note }: Ask, former: string, name: string): void =>
  note(`"gatehouse ${former}" is now "gatehouse ${name}". The old name stops working in the next version.`);

const oldName = (former: string, name: string, options: Command['options'], run: Command['run']): Command => ({
  name: former,
  about: `The old name of "gatehouse ${name}", which stops working in the next version.`,
  words: [addressWord],
  ...(options && { options }),
  run: async (ask) => {
    sayNewName(ask, former, name);
    return run(ask);
  },
});

export const command: Family = {
  name: 'secsuite',
  about:
    'Old names of "gatehouse security unblock" and "gatehouse security trust". They stop working in the next version.',
  members: [
    {
      name: 'release',
      summary: 'Old name of "security unblock"',
      command: oldName('secsuite release', 'security unblock', { ranges: rangesOption }, unblockAddress),
    },
    {
      name: 'allow',
      summary: 'Old name of "security trust"',
      command: oldName('secsuite allow', 'security trust', { for: hoursOption }, trust.run),
    },
  ],
};

/** `doctor --unlock`. */
export async function act(ask: Ask): Promise<number> {
  if (ask.options.json !== undefined) throw new WrongUse('--unlock prints no JSON.');
  sayNewName(ask, 'doctor --unlock', 'security unblock --all');
  return unblockAll(ask);
}
