// Commands for operators whom the security suite locks out of their own site: `security unblock` and `security trust`.
import { type Ask, type Command, given, type Word, WrongUse } from '#cli/command.ts';
import { consentOf, yes } from '#cli/consent.ts';
import { printable } from '#lib/printable.ts';
import { hour } from '#lib/spans.ts';
import { addressOf, type Block, blockOf, isRange, written } from '../addresses/block.ts';
import type { Ban } from '../bans/tables.ts';
import { minute } from '../base.ts';
import { secsuite } from '../extension.ts';
import type { Suite } from '../parts.ts';

export const addressWord: Word = { name: 'ADDRESS', meaning: 'One IP address: 198.51.100.7 or 2001:db8::7' };

function addressIn({ words }: Ask): Block {
  const text = given(words, addressWord.name);
  const address = addressOf(text);
  if (address !== undefined) return address;
  const range = blockOf(text);
  const isMany = range !== undefined && isRange(range);
  throw new WrongUse(
    isMany
      ? `${text} is an IP range. Name one IP address.`
      : `${printable(text).slice(0, 64)} is not a valid IP address. Lockouts of accounts end with "gatehouse security unblock --all".`,
  );
}

/** Waits until the suite has read all lockouts and bans. */
export const inSuite = (ask: Ask, work: (suite: Suite, now: Date) => Promise<void>): Promise<number> =>
  ask.inSite(async ({ clock }, _, nounsOf) => {
    const suite = nounsOf(secsuite);
    await suite.ready;
    await work(suite, clock());
  });

/** Writes what is done from the machine into the security log. */
const noted = ({ logs }: Suite, code: string, data: object): void =>
  logs.write({ module: 'lockout', code, type: 'action', data: { actor: 'command line', ...data } });

const counted = (many: number, one: string, more = `${one}s`): string =>
  many === 1 ? `1 ${one}` : `${many.toLocaleString('en')} ${more}`;

/** `--ranges` of `security unblock`. */
export const rangesOption = {
  meaning: 'Lift the bans of IP ranges that contain it too, with all their other IP addresses',
};

export const unblock: Command = {
  name: 'security unblock',
  about: `Ends the lockouts of an IP address, and lifts the ban of just this IP address. A banned IP range that contains it is named, and stays
unless --ranges is given. With --all, ends every lockout of IP addresses and accounts instead; it asks for confirmation first, and bans stay. A running site
follows within 1 second.`,
  words: [{ ...addressWord, optional: true }],
  options: { ranges: rangesOption, all: { meaning: 'End every lockout of IP addresses and accounts' }, yes },
  run: async (ask) => {
    const { words, options } = ask;
    if (options.all === undefined) {
      if (words.ADDRESS === undefined) throw new WrongUse('Name an IP address, or add --all to end every lockout.');
      return unblockAddress(ask);
    }
    if (words.ADDRESS !== undefined || options.ranges !== undefined)
      throw new WrongUse('--all cannot be combined with an IP address or --ranges.');
    return unblockAll(ask);
  },
};

export async function unblockAddress(ask: Ask): Promise<number> {
  const address = addressIn(ask);
  return inSuite(ask, (suite) => release(suite, address, ask));
}

async function release(suite: Suite, block: Block, { options, out, note }: Ask): Promise<void> {
  const { lockouts, bans } = suite;
  const address = written(block);
  const released = await lockouts.releaseAddress(address);
  const covering = await bans.allCovering(block);
  const lifted = covering.filter(({ type }) => type === 'ip' || options.ranges !== undefined);
  for (const { id } of lifted) await bans.remove(id);
  const left = covering.filter((ban) => !lifted.includes(ban));
  if (released + lifted.length > 0)
    noted(suite, `released::${address}`, { lockouts: released, bans: lifted.map(({ host }) => host) });
  if (released > 0) out(`${counted(released, 'lockout')} of ${address} ended.`);
  for (const ban of lifted) out(`The ban of ${ban.host} was lifted.`);
  if (released + covering.length === 0) out(`${address} is neither locked out nor banned.`);
  for (const ban of left) note(staying(ban));
  if (left.length > 0) note('Add --ranges to lift that ban too, for all the other IP addresses in it.');
}

const staying = ({ host }: Ban): string => `The IP range ${host}, which contains it, is still banned.`;

const defaultHours = 24;
/** 30 days. `lockout_white_list` in the settings is for longer. */
const maxHours = 720;

export const hoursOption = {
  value: 'hours',
  meaning: `For this many hours, ${maxHours} at most (default: ${defaultHours})`,
};

export const trust: Command = {
  name: 'security trust',
  about: `Makes an IP address a trusted one for 24 hours: lockouts, bans and firewall rules that block do not stop it, and locked accounts may
sign in from there. Firewall rules that redirect still apply: "serve" runs none with --firewall off. A running site follows within 1 second.`,
  words: [addressWord],
  options: { for: hoursOption },
  run: async (ask) => {
    const address = written(addressIn(ask));
    const hours = hoursIn(ask);
    return inSuite(ask, async (suite, now) => {
      const until = await suite.client.authorised.authorise(address, new Date(now.getTime() + hours * hour));
      noted(suite, `authorised::${address}`, { until });
      ask.out(`${address} is a trusted IP address until ${minute(until)}.`);
    });
  },
};

function hoursIn({ options: { for: hours } }: Ask): number {
  if (hours === undefined) return defaultHours;
  if (/^[1-9]\d{0,2}$/.test(hours) && Number(hours) <= maxHours) return Number(hours);
  throw new WrongUse(`--for must be a number of hours from 1 to ${maxHours}.`);
}

export async function unblockAll(ask: Ask): Promise<number> {
  const consent = consentOf(ask, 'Locked-out attackers can try again at once');
  return inSuite(ask, async (suite) => {
    const { lockouts, bans } = suite;
    const { total } = await lockouts.list({ limit: 1, offset: 0 });
    if (total === 0) ask.out('No IP address or account is locked out.');
    else {
      await consent(`End ${counted(total, 'lockout')} of IP addresses and accounts?`);
      const released = await lockouts.releaseAll();
      noted(suite, 'released-all', { lockouts: released });
      ask.out(`${counted(released, 'lockout')} ended.`);
    }
    const banned = await bans.count();
    if (banned > 0)
      ask.note(`${counted(banned, 'ban stays', 'bans stay')}. To lift one: gatehouse security unblock ADDRESS`);
  });
}
