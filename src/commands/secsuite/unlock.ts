// Everybody who is locked out is let in again: what `doctor --unlock` does.
import { type Ask, WrongUse } from '../command.ts';
import { consentOf } from '../consent.ts';
import { counted, inSuite, noted } from './house.ts';

export async function unlock(ask: Ask): Promise<number> {
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
    if (banned > 0) ask.note(staying(banned));
  });
}

const staying = (bans: number): string =>
  `There ${bans === 1 ? 'is one ban as well, and it stays' : `are ${bans.toLocaleString('en')} bans as well, and they stay`}: "gatehouse secsuite release ADDRESS" lifts those of an address.`;
