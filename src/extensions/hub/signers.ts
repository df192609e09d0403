// Whether a message comes from the site whose key it names: found by the key, and signed with it, body and time together. A
// message that came before is refused, because an attacker may have recorded it.
import { createHmac, hash } from 'node:crypto';
import { type Caller, nobody } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Problem } from '#kernel/problem.ts';
import type { Request } from '#kernel/request.ts';
import { minute, second } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import { isSame } from '#site/platform/keys.ts';
import type { RateLimits } from '#site/platform/rate-limits.ts';
import { instant } from '#store/columns.ts';
import { inSlices } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import { hubErrors } from './errors.ts';
import type { Sites } from './sites.ts';
import type { HubTables, Writing } from './tables.ts';

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
      if (key === undefined || site === undefined)
        throw (await sites.tally()).all === 0 ? hubErrors.hubIsEmpty() : hubErrors.invalidApiKey();
      const time = timeIn(headers['x-hub-timestamp'], clock());
      // The signature is over the body, and what stands in the address is not in it.
      if (query !== '') throw kernelErrors.invalidParam('The URL of a message to the hub cannot have a query.');
      const { bytes = new Uint8Array() } = await sources(largest, 'bytes');
      const signature = `sha256=${createHmac('sha256', key).update(`${time}.`).update(bytes).digest('hex')}`;
      if (!isSame(headers['x-hub-signature'] ?? '', signature)) throw hubErrors.hubWrongSignature();
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
  if (!/^\d{1,12}$/.test(text))
    throw kernelErrors.invalidParam('X-Hub-Timestamp must be the time of the message, in whole seconds since 1970.');
  if (Math.abs(Number(text) * second - now.getTime()) <= mostOff) return text;
  const off = Math.round((Number(text) * second - now.getTime()) / second);
  const how = off > 0 ? 'ahead of' : 'behind';
  throw hubErrors.hubWrongTime(Math.abs(off), how);
}

function nameIn(key: string | undefined): string | undefined {
  if (key === undefined || (key !== '' && key.length <= longestKey)) return key;
  throw kernelErrors.invalidParam(`Idempotency-Key must have 1 to ${longestKey} characters.`);
}

/** How far the clock of a site may be off, either way. */
const mostOff = 300 * second;
/** Longer than a message can be sent at all: from the most that its clock is ahead to the most that it is behind. */
const remembered = 2 * mostOff;
/** Messages of one site in that time. */
const most = 60;

export interface HearDeps {
  readonly rateLimits: Pick<RateLimits, 'take'>;
  readonly clock: Clock;
}

/** What a message is known by again. */
const marksOf = (signature: string, idempotencyKey: string | undefined): string[] => [
  `signature ${signature}`,
  ...(idempotencyKey === undefined ? [] : [`key ${hash('sha256', idempotencyKey)}`]),
];

/** Takes note of a message, or refuses one that came before. */
export async function hear(
  tx: Writing,
  { rateLimits, clock }: HearDeps,
  site: number,
  marks: readonly string[],
): Promise<void> {
  if (!(await rateLimits.take(`hub ${site}`, most, remembered))) throw tooOften();
  const until = instant(new Date(clock().getTime() + remembered));
  const fresh = await tx
    .insertInto('hub_heard')
    .values(marks.map((mark) => ({ site_id: site, mark, until })))
    .onConflict((there) => there.columns(['site_id', 'mark']).doNothing())
    .returning('mark')
    .execute();
  if (fresh.length < marks.length) throw hubErrors.hubReplayed();
}

const tooOften = (): Problem =>
  hubErrors
    .hubTooOften(most, remembered / minute)
    .with({}, { headers: { 'Retry-After': String(remembered / second) } });

/** Forgets what would be refused for its age alone. */
export const createSweeping =
  (store: Store<HubTables>, clock: Clock) =>
  async (signal: AbortSignal): Promise<{ forgotten: number }> => {
    const now = instant(clock());
    const forget = (most: number): Promise<number> =>
      store.write(async (tx) => {
        const over = tx.selectFrom('hub_heard').select(['site_id', 'mark']).where('until', '<=', now).limit(most);
        const { numDeletedRows } = await tx
          .deleteFrom('hub_heard')
          .where(({ eb, refTuple }) => eb(refTuple('site_id', 'mark'), 'in', over.$asTuple('site_id', 'mark')))
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      });
    return { forgotten: await inSlices(forget, { signal }) };
  };
