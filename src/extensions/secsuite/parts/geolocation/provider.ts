// A service elsewhere that knows where addresses are. None is asked that the operator did not name.
import { readJson } from '#kernel/args/json.ts';
import { Problem } from '#kernel/problem.ts';
import { minute } from '#lib/spans.ts';
import { type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Log } from '#store/engine.ts';
import { creditOf, type Location, locationOf, membersOf, plainly } from './location.ts';

const purpose = {
  name: 'secsuite-geolocation',
  types: ['application/json'],
  most: 64 * 1024,
  within: 5000,
} as const;

interface Needs {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info'>;
}

/** In that time nobody waits once more for a service that did not answer, or wants to be left alone. */
const pause = minute;

/** `url` holds `{ip}` where the address belongs, or ends where it follows. */
export function createProvider(url: string, { outgoing, clock, log }: Needs) {
  let silentUntil = 0;
  return async (address: string): Promise<Location | undefined> => {
    if (clock().getTime() < silentUntil) return undefined;
    try {
      const fetched = await outgoing.fetch(addressed(url, encodeURIComponent(address)), purpose);
      const said = membersOf(readJson(await fetched.bytes()));
      return locationOf(plainly(said), creditOf(said.credit));
    } catch (error) {
      if (!(error instanceof Upstream) && !(error instanceof Problem)) throw error;
      if (isSilence(error)) silentUntil = clock().getTime() + pause;
      log.info({ err: error }, 'Nobody elsewhere told where an address is.');
      return undefined;
    }
  };
}

const isSilence = (error: Upstream | Problem): boolean =>
  error instanceof Upstream && (['unreachable', 'late', 'broken'].includes(error.fault) || error.status === 429);

const addressed = (url: string, address: string): string =>
  url.includes('{ip}') ? url.replaceAll('{ip}', address) : `${url}${address}`;
