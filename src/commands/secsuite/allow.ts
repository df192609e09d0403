import { hour } from '#lib/spans.ts';
import { flagNames } from '../../config.ts';
import { written } from '../../extensions/secsuite/addresses/block.ts';
import { minute } from '../../extensions/secsuite/dates.ts';
import { type Ask, type Command, WrongUse } from '../command.ts';
import { addressIn, addressWord, inSuite, noted } from './house.ts';

const usual = 24;
/** Thirty days: for longer there is the list in the settings. */
const most = 720;

export const command: Command = {
  name: 'secsuite allow',
  about: `Lets an address in for a day, whatever it is kept out by: lockouts, bans and firewall rules that block do not meet it, and
accounts that are locked may sign in from there. Rules that send elsewhere do meet it: "serve" runs none with --firewall off.`,
  settings: flagNames,
  words: [addressWord],
  options: { for: { value: 'hours', meaning: `For so many hours, ${most} at most (default: ${usual})` } },
  run: async (ask) => {
    const address = written(addressIn(ask));
    const hours = hoursIn(ask);
    return inSuite(ask, async (suite, now) => {
      const until = await suite.client.authorised.authorise(address, new Date(now.getTime() + hours * hour));
      noted(suite, `authorised::${address}`, { until });
      ask.out(`${address} is let in until ${minute(until)}.`);
    });
  },
};

function hoursIn({ options: { for: hours } }: Ask): number {
  if (hours === undefined) return usual;
  if (/^[1-9]\d{0,2}$/.test(hours) && Number(hours) <= most) return Number(hours);
  throw new WrongUse(`--for takes a number of hours from 1 to ${most}.`);
}
