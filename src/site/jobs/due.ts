// When what waits is due.
import type { Store } from '#store/store.ts';
import { isAlone, isFree, type JobTables } from './tables.ts';

/** When the first job of a kind is due: of those that may run beside any other, and of those that must be alone. */
interface First {
  readonly free?: Date | undefined;
  readonly alone?: Date | undefined;
}

export type Firsts = ReadonlyMap<string, First>;

export const isDue = (first: Date | undefined, now: Date): boolean => first !== undefined && first <= now;

export const momentsOf = (firsts: Firsts): Date[] =>
  [...firsts.values()].flatMap(({ free, alone }) => [free, alone].filter((at) => at !== undefined));

/** Two looks into an index for each kind. */
export async function firstDue({ db }: Store<JobTables>, kinds: readonly string[]): Promise<Firsts> {
  if (kinds.length === 0) return new Map();
  const row = await db
    .selectNoFrom((of) => {
      const first = (kind: string, which: typeof isFree) =>
        of.selectFrom('jobs').select('run_at').where(which).where('kind', '=', kind).orderBy('run_at').limit(1);
      return kinds.flatMap((kind, at) => [
        first(kind, isFree).as(`free_${at}`),
        first(kind, isAlone).as(`alone_${at}`),
      ]);
    })
    .executeTakeFirstOrThrow();
  const at = (name: string): Date | undefined => {
    const text = (row as Record<string, string | null>)[name];
    return text == null ? undefined : new Date(text);
  };
  return new Map(kinds.map((kind, n) => [kind, { free: at(`free_${n}`), alone: at(`alone_${n}`) }]));
}
