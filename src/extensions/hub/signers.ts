// Whether a message comes from the site whose key it names: found by the key, and signed with it, body and time together.
import { createHmac } from 'node:crypto';
import { type Caller, nobody } from '#kernel/caller.ts';
import { Problem } from '#kernel/problem.ts';
import type { Request } from '#kernel/request.ts';
import { second } from '#lib/spans.ts';
import { isSame } from '#site/identity/keyed-hash.ts';
import type { Clock } from '#site/platform/clock.ts';
import { marksOf, mostOff } from './heard.ts';
import type { Sites } from './sites.ts';

/** A message that its site signed. */
export interface Signed {
  readonly site: number;
  /** What it is known by, should it come again. */
  readonly marks: readonly string[];
}

export const signedOf = ({ credential }: Caller): Signed => credential as Signed;

/** The largest message of a site, in bytes. */
export const largest = 1024 * 1024;
const longestKey = 200;

export type Signers = ReturnType<typeof createSigners>;

export function createSigners(sites: Pick<Sites, 'findByKey' | 'tally'>, clock: Clock) {
  return {
    /** The caller of a message; nothing of its body is read for a key that nobody has. */
    async of({ headers, query, sources }: Request): Promise<Caller> {
      const key = keyIn(headers.authorization);
      const site = key === undefined ? undefined : await sites.findByKey(key);
      if (key === undefined || site === undefined) throw (await sites.tally()).all === 0 ? empty() : unknown();
      const time = timeIn(headers['x-hub-timestamp'], clock());
      // The signature is over the body, and what stands in the address is not in it.
      if (query !== '') throw unfit('Nothing may follow the address of a message to the hub.');
      const { bytes = new Uint8Array() } = await sources(largest, 'bytes');
      const signature = `sha256=${createHmac('sha256', key).update(`${time}.`).update(bytes).digest('hex')}`;
      if (!isSame(headers['x-hub-signature'] ?? '', signature)) throw unsigned();
      const signed: Signed = { site: site.id, marks: marksOf(signature, nameIn(headers['idempotency-key'])) };
      return { ...nobody, credential: signed };
    },
  };
}

const keyIn = (authorization = ''): string | undefined => {
  const [, key = ''] = /^bearer +([\w-]+)$/i.exec(authorization.slice(0, longestKey)) ?? [];
  return key === '' ? undefined : key;
};

/** Also refused where the hub would have forgotten it by now. */
function timeIn(text = '', now: Date): string {
  if (!/^\d{1,12}$/.test(text)) throw unfit('X-Hub-Timestamp must be the time of the message in whole seconds.');
  if (Math.abs(Number(text) * second - now.getTime()) <= mostOff) return text;
  const off = Math.round((Number(text) * second - now.getTime()) / second);
  const how = off > 0 ? 'ahead of' : 'behind';
  throw new Problem(
    403,
    'hub_wrong_time',
    `The clock of this site is ${Math.abs(off)} seconds ${how} that of the hub. Please set it, and try again.`,
  );
}

function nameIn(key: string | undefined): string | undefined {
  if (key === undefined || (key !== '' && key.length <= longestKey)) return key;
  throw unfit(`Idempotency-Key must have 1 to ${longestKey} characters.`);
}

const unfit = (message: string): Problem => new Problem(400, 'rest_invalid_param', message);

/** A site that is told so forgets its key: nothing else is answered with 401. */
const unknown = (): Problem =>
  new Problem(401, 'invalid_api_key', 'This hub knows no site by this key. "gatehouse hub add" makes a new one.');

/** Perhaps it was started with a wrong folder: sites keep their keys until it is back. */
const empty = (): Problem =>
  new Problem(503, 'hub_is_empty', 'This hub knows no site at all yet. "gatehouse hub add" makes a key for one.');

const unsigned = (): Problem =>
  new Problem(403, 'hub_wrong_signature', 'The signature of this message is not that of its key and its body.');
