// What is written for a request, told to the guards before it is done: whichever way it was asked for, by a route, a part of a batch, an
// ability or a page.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Knock, knocking } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import type { AnyStore } from '#store/store.ts';
import type { WriteJudge } from '#store/writing.ts';
import type { Guards, JudgeWritten, Refusal, Written } from '../guards.ts';
import { announcedJob } from './announcing.ts';
import { type RecordKinds, writtenBy } from './records.ts';

interface Needs {
  readonly store: Pick<AnyStore, 'judge'>;
  readonly guards: Pick<Guards, 'all'>;
  readonly kinds: RecordKinds;
  /** A guard failed: the write goes on. */
  report(error: unknown, request: string): void;
}

export function judgeWrites({ store, guards, kinds, report }: Needs): void {
  store.judge(() => {
    const job = announcedJob();
    if (job !== undefined) return judgeBy(kinds, job.refuseUnannounced, job.answersFor);
    const knock = knocking();
    const judges = knock === undefined ? [] : judgesFor(knock, guards, report);
    if (knock === undefined || judges.length === 0) return undefined;
    // What a guard has written down is no part of this write.
    const outside = AsyncLocalStorage.snapshot();
    return judgeBy(kinds, (written) => {
      for (const judge of judges) {
        const refusal = outside(() => unlessItFails(() => judge(written), knock, report));
        if (refusal !== undefined) throw problemOf(refusal);
      }
    });
  });
}

function judgesFor(knock: Knock, { all }: Needs['guards'], report: Needs['report']): JudgeWritten[] {
  return all.flatMap((guard) => unlessItFails(() => guard.writes?.(knock), knock, report) ?? []);
}

/** Of the same done to the same kind of record it is asked once in a write. */
function judgeBy(
  kinds: RecordKinds,
  judge: (written: Written) => void,
  concerns: (table: string) => boolean = () => true,
): WriteJudge {
  const passed = new Set<string>();
  const announced = ({ record, action }: Written): void => {
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

function unlessItFails<R>(ask: () => R, knock: Knock, report: Needs['report']): R | undefined {
  try {
    return ask();
  } catch (error) {
    report(error, knock.id);
    return undefined;
  }
}

const problemOf = ({ problem: { status, code, message, details, headers }, to }: Refusal): Problem =>
  new Problem(status, code, message, details, { headers: { ...headers, ...(to !== undefined && { Location: to }) } });
