// What is written for a request, told to the guards before it is done: whichever way it was asked for, by a route, a part of a batch, an
// ability or a page.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Problem, problemFrom } from '#kernel/problem.ts';
import { currentRequest, type IncomingRequest, workUnderWay } from '#kernel/request.ts';
import type { JudgeWrite, PlannedWrite, Refusal } from '#kernel/request-guard.ts';
import type { AnyStore } from '#store/store.ts';
import type { WriteJudge } from '#store/writing.ts';
import { Hopeless, type Kind } from '../../jobs/job.ts';
import { type Guards, whileFailing } from '../guards.ts';
import { isKnownTable, type RecordKinds, writtenBy } from './records.ts';

interface Needs {
  readonly store: Pick<AnyStore, 'judge'>;
  readonly guards: Pick<Guards, 'at'>;
  readonly kinds: RecordKinds;
  /** A guard failed. */
  report(error: unknown, request: string): void;
}

export function judgeWrites({ store, guards, kinds, report }: Needs): void {
  store.judge(() => {
    const job = announcedJob();
    if (job !== undefined) return judgeBy(kinds, job.refuseUnannounced, job.answersFor);
    const incoming = currentRequest();
    const judges = incoming === undefined ? [] : judgesFor(incoming, guards, report);
    if (judges.length === 0) return undefined;
    // What a guard has written down is no part of this write.
    const outside = AsyncLocalStorage.snapshot();
    return judgeBy(kinds, (written) => {
      for (const judge of judges) {
        const refusal = outside(judge, written);
        if (refusal !== undefined) throw problemOf(refusal);
      }
    });
  });
}

/** A guard that fails judges each change by what it says while it fails. */
function judgesFor(incoming: IncomingRequest, guards: Needs['guards'], report: Needs['report']): JudgeWrite[] {
  return guards.at('onWrite').flatMap((guard) => {
    const failed = (error: unknown): Refusal | undefined => {
      report(error, incoming.id);
      return whileFailing(guard, incoming);
    };
    try {
      const judge = guard.onWrite?.(incoming);
      if (judge === undefined) return [];
      return (write: PlannedWrite) => {
        try {
          return judge(write);
        } catch (error) {
          return failed(error);
        }
      };
    } catch (error) {
      const refusal = failed(error);
      return refusal === undefined ? [] : () => refusal;
    }
  });
}

/** Of the same done to the same kind of record it is asked once in a write. */
function judgeBy(
  kinds: RecordKinds,
  judge: (written: PlannedWrite) => void,
  concerns: (table: string) => boolean = () => true,
): WriteJudge {
  const passed = new Set<string>();
  const announced = ({ record, action }: PlannedWrite): void => {
    const name = `${action} ${record}`;
    if (passed.has(name)) return;
    judge({ record, action });
    passed.add(name);
  };
  return {
    announced,
    async change(change, rows) {
      if (!concerns(change.table)) return;
      for (const written of await writtenBy(change, rows, kinds)) announced(written);
    },
  };
}

const problemOf = ({ problem: { status, code, message, details, headers }, to }: Refusal): Problem =>
  problemFrom(
    status,
    { code, message, data: details },
    { headers: { ...headers, ...(to !== undefined && { Location: to }) } },
  );

/**
 * Jobs of packages write what their kinds say they write. A rule is asked about that when somebody has a job begun, and not while it runs;
 * so what was not said is refused.
 */
interface AnnouncedJob {
  /** Whether it answers for what is written to this table: to those of the site and its own, and not to those of others who listen. */
  answersFor(table: string): boolean;
  refuseUnannounced(written: PlannedWrite): void;
}

declare module '#kernel/request.ts' {
  interface WorkFacts {
    readonly job: AnnouncedJob | undefined;
  }
}

/** The job that writes; nothing outside of jobs of packages. */
const announcedJob = (): AnnouncedJob | undefined => workUnderWay.now.job;

/** Others hear of what a job does, and do what they do for themselves. */
export const besideJobs = <R>(work: () => R): R => workUnderWay.with({ job: undefined }, work);

type Said = Pick<Kind<never>, 'name' | 'writes' | 'deletes'>;

/** The same kind, of a package whose tables begin with `prefix`. It writes only what it says. */
export function announcing<K extends Said & { run(...args: never[]): unknown }>(kind: K, prefix: string): K {
  const job: AnnouncedJob = {
    answersFor: (table) => isKnownTable(table) || table.startsWith(prefix),
    refuseUnannounced: (written) => refuseUnannounced(kind, written),
  };
  return { ...kind, run: (...args) => workUnderWay.with({ job }, () => kind.run(...args)) };
}

function refuseUnannounced({ name, writes = [], deletes = [] }: Said, { record, action }: PlannedWrite): void {
  if ((action === 'delete' ? deletes : writes).includes(record)) return;
  const [list, did] = action === 'delete' ? ['deletes', 'deletes'] : ['writes', 'writes'];
  throw new Hopeless(
    `The job ${name} ${did} ${record} without a declaration: add '${record}' to \`${list}\` of its kind.`,
  );
}
