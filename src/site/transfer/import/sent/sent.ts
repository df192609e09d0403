// Export files that people send to the site to be moved in: one at a time, each done by a job, and told of while it is done.
import { randomUUID } from 'node:crypto';
import type { Upload } from '#kernel/upload.ts';
import { printable } from '#lib/printable.ts';
import { day } from '#lib/spans.ts';
import { inSlices, pausing } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import type { Files } from '../../../files/files.ts';
import type { Doing } from '../../../identity/doing.ts';
import type { Job, Kind } from '../../../jobs/job.ts';
import type { Jobs } from '../../../jobs/jobs.ts';
import { isUnfinished } from '../../../jobs/tables.ts';
import type { Clock } from '../../../platform/clock.ts';
import { transferErrors } from '../../errors.ts';
import { importLock, isImportRunning } from '../import-lease.ts';
import type { Told } from '../report.ts';
import { demandHere } from '../users.ts';
import { readExport } from '../wxr/read.ts';
import { type Counts, type DoingNeeds, type Given, movingIn } from './doing.ts';
import type { How } from './how.ts';
import type { SentStore } from './store.ts';

// What is left of files that were sent, when their job ended without erasing them: its process died too often, say.

/** Nothing in a folder with such a name is ever shown to anybody. */
const folder = '.moving/';

interface SweepDeps {
  readonly store: Store<SentStore>;
  readonly files: Pick<Files, 'list' | 'erase'>;
  readonly clock: Clock;
}

const sweepingSent = ({ store, files, clock }: SweepDeps): Kind<null> => ({
  name: 'moving.sweep',
  about: 'Deletes uploaded export files that no import needs',
  attempts: 3,
  async run(_, { signal }) {
    const wanted = await store.db
      .selectFrom('sent_files')
      .innerJoin('jobs', 'jobs.id', 'sent_files.job')
      .select('path')
      .where(isUnfinished)
      .execute();
    const kept = new Set(wanted.map(({ path }) => path));
    const before = clock().getTime() - day;
    const pause = pausing();
    let swept = 0;
    for await (const { path, modified } of files.list(folder)) {
      await pause();
      // One that came just now may get its job at this very moment.
      if (kept.has(path) || modified.getTime() > before) continue;
      await files.erase(path);
      swept += 1;
    }
    await inSlices((most) => forget(store, most), { signal });
    return { swept };
  },
});

/** Those whose job is forgotten. */
const forget = (store: Store<SentStore>, most: number): Promise<number> =>
  store.write(async (tx) => {
    const left = await tx
      .selectFrom('sent_files')
      .select('job')
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('jobs').select('id').whereRef('jobs.id', '=', 'sent_files.job'))),
      )
      .limit(most)
      .execute();
    if (left.length === 0) return 0;
    const jobs = left.map(({ job }) => job);
    await tx.deleteFrom('sent_files').where('job', 'in', jobs).execute();
    return left.length;
  });

export interface Sent {
  /** The largest file that is taken, in bytes. */
  readonly limit: number;
  /** Throws while a file is moved in already. */
  refuseSecond(): Promise<void>;
  /** Keeps the file, and has it moved in. Refused with 409 while another one is. */
  start(file: Pick<Upload, 'name' | 'path'>, how: How, doing: Required<Doing>): Promise<void>;
  /** The one that was sent last, for as long as jobs are remembered. */
  last(): Promise<Move | undefined>;
}

export interface Move {
  readonly name: string;
  readonly status: Job['status'];
  /** How far it has come. */
  readonly counts: Counts | undefined;
  /** What became of everything, once it is done. */
  readonly told: Told | undefined;
  /** Why nothing, or nothing more, was moved in. */
  readonly reason: string | undefined;
  /** When it ended. */
  readonly ended: string | undefined;
}

interface Needs extends DoingNeeds {
  readonly jobs: Jobs;
}

const longestName = 200;
/** No export is larger. */
const largest = 512 * 2 ** 20;

export function createSent(needs: Needs): Sent {
  const { store, clock, files, jobs, identity, uploadLimit } = needs;
  const kind = movingIn(needs);
  const queue = jobs.kind<Given>(kind);
  const sweep = jobs.kind(sweepingSent(needs));
  jobs.schedule({ name: 'moving.sweep', every: day, add: () => sweep.add(null, { key: 'moving.sweep' }) });
  return {
    limit: Math.min(uploadLimit, largest),
    async refuseSecond() {
      const [last] = await jobs.list({ kind: kind.name, most: 1 });
      if (last?.status === 'queued' || last?.status === 'running') throw transferErrors.importUnderWay();
      if (await isImportRunning(store.db, clock())) throw transferErrors.importUnderWay();
    },
    async start({ name, path: place }, how, { by, again }) {
      await demandHere(identity.users, how);
      await refuseOther(place);
      const path = `${folder}${randomUUID()}.xml`;
      await files.adopt(path, place);
      try {
        await store.write(async (tx, during) => {
          await again(tx, undefined);
          await during.lock(importLock);
          if (await isImportRunning(tx, clock())) throw transferErrors.importUnderWay();
          const job = await queue.addIn(tx as never, during, { ...how, path, by }, { key: 'one', alone: 'moving', by });
          const row = { job, name: printable(name).slice(0, longestName).toWellFormed(), path, counts: null };
          const added = tx
            .insertInto('sent_files')
            .values(row)
            .onConflict((on) => on.doNothing());
          if ((await added.executeTakeFirst()).numInsertedOrUpdatedRows === 0n) throw transferErrors.importUnderWay();
        });
      } catch (error) {
        await files.erase(path);
        throw error;
      }
    },
    async last() {
      const [job] = await jobs.list({ kind: kind.name, most: 1 });
      if (job === undefined) return undefined;
      const row = await store.db.selectFrom('sent_files').selectAll().where('job', '=', job.id).executeTakeFirst();
      return row && moveOf(job, row);
    },
  };
}

/** What is no export file is told at once, and not when its turn has come: its beginning says it. */
async function refuseOther(path: string): Promise<void> {
  for await (const _ of readExport(path, () => {})) return;
}

function moveOf(
  { status, result, errors, finished_at }: Job,
  { name, counts }: { name: string; counts: string | null },
): Move {
  return {
    name,
    status,
    counts: counts === null ? undefined : (JSON.parse(counts) as Counts),
    told: result === null ? undefined : (result as unknown as Told),
    reason: errors.find(({ item }) => item === '')?.message,
    ended: finished_at ?? undefined,
  };
}
