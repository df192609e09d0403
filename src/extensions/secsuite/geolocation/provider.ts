// A service elsewhere that knows where addresses are. None is asked that the operator did not name.
import { readJson } from '#kernel/args/json.ts';
import { Problem } from '#kernel/problem.ts';
import { type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { Log } from '#store/engine.ts';
import { creditOf, type Location, locationOf, membersOf, plainly } from './location.ts';

const purpose = {
  name: 'secsuite-geolocation',
  types: ['application/json'],
  most: 64 * 1024,
  within: 5000,
} as const;

/** `url` holds `{ip}` where the address belongs, or ends where it follows. */
export const createProvider =
  (url: string, { outgoing, log }: { readonly outgoing: Pick<Outgoing, 'fetch'>; readonly log: Pick<Log, 'info'> }) =>
  async (address: string): Promise<Location | undefined> => {
    try {
      const fetched = await outgoing.fetch(addressed(url, encodeURIComponent(address)), purpose);
      const said = membersOf(readJson(await fetched.bytes()));
      return locationOf(plainly(said), creditOf(said.credit));
    } catch (error) {
      if (!(error instanceof Upstream) && !(error instanceof Problem)) throw error;
      log.info({ err: error }, 'Nobody elsewhere told where an address is.');
      return undefined;
    }
  };

const addressed = (url: string, address: string): string =>
  url.includes('{ip}') ? url.replaceAll('{ip}', address) : `${url}${address}`;
