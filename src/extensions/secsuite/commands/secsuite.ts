// The commands of the security suite, for people whom it keeps out of their own site; and what `doctor --unlock` does.
import { type Ask, type Command, type Family, given, type Word, WrongUse } from '#cli/command.ts';
import { consentOf } from '#cli/consent.ts';
import { printable } from '#lib/printable.ts';
import { hour } from '#lib/spans.ts';
import { addressOf, type Block, blockOf, isRange, written } from '../addresses/block.ts';
import type { Ban } from '../bans/tables.ts';
import { minute } from '../base.ts';
import { secsuite } from '../extension.ts';
import type { Suite } from '../parts.ts';

const addressWord: Word = { name: 'ADDRESS', meaning: 'One address: 198.51.100.7 or 2001:db8::7' };

function addressIn({ words }: Ask): Block {
  const text = given(words, addressWord.name);
  const address = addressOf(text);
  if (address !== undefined) return address;
  const range = blockOf(text);
  const isMany = range !== undefined && isRange(range);
  throw new WrongUse(
    isMany ? `${text} is a range; give one address.` : `${printable(text).slice(0, 64)} is no address.`,
  );
}

/** Once the suite knows whom it keeps out. */
export const inSuite = (ask: Ask, work: (suite: Suite, now: Date) => Promise<void>): Promise<number> =>
  ask.inSite(async ({ clock }, _, nounsOf) => {
    const suite = nounsOf(secsuite);
    await suite.ready;
    await work(suite, clock());
  });

/** What is done from the machine stands in the security log as well. */
export const noted = ({ logs }: Suite, code: string, data: object): void =>
  logs.write({ module: 'lockout', code, type: 'action', data: { actor: 'command line', ...data } });

export const counted = (many: number, one: string, more = `${one}s`): string =>
  many === 1 ? `one ${one}` : `${many.toLocaleString('en')} ${more}`;

const release: Command = {
  name: 'secsuite release',
  about: `Ends what keeps an address out: its lockouts, and the ban of just this address. A banned range that it lies in is named,
and stays unless --ranges is given. Locked accounts stay so; "gatehouse doctor --unlock" lets them in as well.`,
  words: [addressWord],
  options: { ranges: { meaning: 'Lift the bans of ranges that it lies in as well, with all their other addresses' } },
  run: async (ask) => {
    const address = addressIn(ask);
    return inSuite(ask, (suite) => letIn(suite, address, ask));
  },
};

async function letIn(suite: Suite, block: Block, { options, out, note }: Ask): Promise<void> {
  const { lockouts, bans } = suite;
  const address = written(block);
  const released = await lockouts.releaseAddress(address);
  const covering = await bans.allCovering(block);
  const lifted = covering.filter(({ type }) => type === 'ip' || options.ranges !== undefined);
  for (const { id } of lifted) await bans.remove(id);
  const left = covering.filter((ban) => !lifted.includes(ban));
  if (released + lifted.length > 0)
    noted(suite, `released::${address}`, { lockouts: released, bans: lifted.map(({ host }) => host) });
  if (released > 0) out(`${address} was released from ${counted(released, 'lockout')}.`);
  for (const ban of lifted) out(`The ban of ${ban.host} was lifted.`);
  if (released + covering.length === 0) out(`${address} is neither locked out nor banned.`);
  for (const ban of left) note(staying(ban));
  if (left.length > 0) note('Add --ranges to lift that as well, with all the other addresses in it.');
}

const staying = ({ host }: Ban): string => `It still lies in ${host}, which is banned.`;

const usual = 24;
/** Thirty days: for longer there is the list in the settings. */
const most = 720;

const allow: Command = {
  name: 'secsuite allow',
  about: `Lets an address in for a day, whatever it is kept out by: lockouts, bans and firewall rules that block do not meet it, and
accounts that are locked may sign in from there. Rules that send elsewhere do meet it: "serve" runs none with --firewall off.`,
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

export const command: Family = {
  name: 'secsuite',
  about:
    'The way back in from the machine, when the security suite keeps out somebody whom it should not. A site that serves hears of it within a second.',
  members: [
    { name: 'release', summary: 'Let an address in again that is locked out or banned', command: release },
    { name: 'allow', summary: 'Let an address in for a while, whatever it is kept out by', command: allow },
  ],
};

/** Ends all lockouts: what `doctor --unlock` does. */
export async function act(ask: Ask): Promise<number> {
  if (ask.options.json !== undefined) throw new WrongUse('--unlock prints no JSON.');
  const consent = consentOf(ask, 'Attackers who are locked out may try again at once');
  return inSuite(ask, async (suite) => {
    const { lockouts, bans } = suite;
    const { total } = await lockouts.list({ limit: 1, offset: 0 });
    if (total === 0) ask.out('Nobody is locked out.');
    else {
      await consent(
        `Let everybody in again who is locked out: ${counted(total, 'address or account', 'addresses and accounts')}?`,
      );
      const released = await lockouts.releaseAll();
      noted(suite, 'released-all', { lockouts: released });
      ask.out(`${counted(released, 'lockout')} ended.`);
    }
    const banned = await bans.count();
    if (banned > 0) ask.note(stayingBans(banned));
  });
}

const stayingBans = (bans: number): string =>
  `There ${bans === 1 ? 'is one ban as well, and it stays' : `are ${bans.toLocaleString('en')} bans as well, and they stay`}: "gatehouse secsuite release ADDRESS" lifts those of an address.`;
