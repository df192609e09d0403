// What came lately is not taken a second time: whoever recorded a message cannot send it again.
import { hash } from 'node:crypto';
import { Problem } from '#kernel/problem.ts';
import { minute, second } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import { inSlices } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import type { HubTables, Writing } from './tables.ts';

/** How far the clock of a site may be off, either way. */
export const mostOff = 300 * second;
/** Longer than a message can be sent at all: from the most that its clock is ahead to the most that it is behind. */
const remembered = 2 * mostOff;
/** Messages of one site in that time; each leaves two marks. */
const most = 60;

/** What a message is known by again. */
export const marksOf = (signature: string, idempotencyKey: string | undefined): string[] => [
  `signature ${signature}`,
  ...(idempotencyKey === undefined ? [] : [`key ${hash('sha256', idempotencyKey)}`]),
];

/** Takes note of a message, or refuses one that came before. */
export async function hear(tx: Writing, site: number, marks: readonly string[], now: Date): Promise<void> {
  const { heard } = await tx
    .selectFrom('hub_heard')
    .select((row) => row.fn.countAll<number>().as('heard'))
    .where('site_id', '=', site)
    .where('until', '>', instant(now))
    .executeTakeFirstOrThrow();
  if (heard >= 2 * most) throw tooOften();
  const until = instant(new Date(now.getTime() + remembered));
  const fresh = await tx
    .insertInto('hub_heard')
    .values(marks.map((mark) => ({ site_id: site, mark, until })))
    .onConflict((there) => there.columns(['site_id', 'mark']).doNothing())
    .returning('mark')
    .execute();
  if (fresh.length < marks.length) throw replayed();
}

const replayed = (): Problem =>
  new Problem(409, 'hub_replayed', 'This message came before, so nothing was changed. Please send a new one.');

const tooOften = (): Problem =>
  new Problem(
    429,
    'hub_too_often',
    `A site may send ${most} messages in ${remembered / minute} minutes. Please wait.`,
    {},
    { headers: { 'Retry-After': String(remembered / second) } },
  );

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
