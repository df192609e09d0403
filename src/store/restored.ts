// What a restore leaves in the database while the files of the site are not in their places yet.
import { CompiledQuery, type Transaction } from 'kysely';
import type { Engine, Run } from './engine.ts';
import type { AnyTables } from './handles.ts';
import { StoreProblem } from './problem.ts';

/** Among the counters of changes, which are in no backup, so that it is never put back itself. */
const mark = { topic: 'restore:files', slot: 0, counter: 1 };

export const isMark = ({ topic }: { readonly topic: string }): boolean => topic === mark.topic;

/** Whether a restore has filled this database and not placed all files. */
export async function isHalfRestored(engine: Pick<Engine, 'knows'>, run: Run): Promise<boolean> {
  if (!(await engine.knows(run, 'changes'))) return false;
  const found = await run(CompiledQuery.raw(`select 1 from "changes" where "topic" = '${mark.topic}'`));
  return found.rows.length > 0;
}

export const markHalf = async (tx: Transaction<AnyTables>): Promise<void> =>
  void (await tx.insertInto('changes').values(mark).execute());

export const markWhole = async (tx: Transaction<AnyTables>): Promise<void> =>
  void (await tx.deleteFrom('changes').where('topic', '=', mark.topic).execute());

/**
 * Nobody works with a site that is only half there. Asked by whoever has it open already: a restore first keeps others from opening
 * it and then looks whether anybody has, so that one of the two always sees the other.
 */
export async function refuseHalf(engine: Engine): Promise<void> {
  if (await engine.isBeingRestored())
    throw new StoreProblem(`A restore of the site in ${engine.place} is running`, 'try again when it has ended');
  if (await isHalfRestored(engine, engine.read))
    throw new StoreProblem(
      `A restore into ${engine.place} stopped before all files were restored`,
      'run the same restore again with --force',
    );
}
