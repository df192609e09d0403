// What lies in the trash long enough is deleted for good, by a job that looks for it every hour.
import { day, hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../platform/clock.ts';

/** So many are looked for at a time. */
const atOnce = 100;

interface Needs {
  readonly clock: Clock;
  readonly trashDays: number;
}

interface Trash<Row> {
  /** Of the job. */
  readonly name: string;
  readonly about: string;
  /** What was put there before that, by number, from the one after this. */
  trashed(before: string, after: number, limit: number): Promise<readonly Row[]>;
  /** Unless somebody brought it back meanwhile. */
  erase(row: Row, before: string): Promise<void>;
}

export function emptying<Row extends { readonly id: number }>(
  { clock, trashDays }: Needs,
  jobs: Pick<Jobs, 'kind' | 'schedule'>,
  { name, about, trashed, erase }: Trash<Row>,
): void {
  async function* all(before: string, after: number): AsyncGenerator<Row> {
    for (let last = after; ; ) {
      const rows = await trashed(before, last, atOnce);
      yield* rows;
      if (rows.length < atOnce) return;
      last = rows.at(-1)!.id;
    }
  }
  const queue = jobs.kind<null>({
    name,
    about,
    attempts: 3,
    async run(_, { each }) {
      const before = instant(new Date(clock().getTime() - trashDays * day));
      await each((after) => all(before, Number(after ?? 0)), {
        key: ({ id }) => `${id}`,
        do: (row) => erase(row, before),
      });
    },
  });
  jobs.schedule({ name, every: hour, add: () => queue.add(null, { key: name }) });
}
