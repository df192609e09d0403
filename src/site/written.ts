// What is written for a request, told to the guards before it is done: whichever way it was asked for, by a route, a part of a batch, an
// ability or a page.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Knock, knocking } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import type { AnyStore } from '#store/store.ts';
import type { Change } from '#store/touched.ts';
import type { Guards, Refusal, Written } from './guards.ts';

interface Needs {
  readonly store: Pick<AnyStore, 'judge'>;
  readonly guards: Pick<Guards, 'all'>;
  /** A guard failed: the write goes on. */
  report(error: unknown, request: string): void;
}

export function judgeWrites({ store, guards, report }: Needs): void {
  store.judge(() => {
    const knock = knocking();
    const asked = knock === undefined ? [] : guards.all.flatMap((guard) => guard.writes?.bind(guard) ?? []);
    if (knock === undefined || asked.length === 0) return undefined;
    // What a guard has written down is no part of this write.
    const outside = AsyncLocalStorage.snapshot();
    const passed = new Set<string>();
    return (change) => {
      const written = writtenBy(change);
      const name = written && `${written.action} ${written.record}`;
      if (written === undefined || name === undefined || passed.has(name)) return;
      for (const ask of asked) {
        const refusal = outside(verdictOf, ask, knock, written, report);
        if (refusal !== undefined) throw problemOf(refusal);
      }
      passed.add(name);
    };
  });
}

type Ask = (knock: Knock, written: Written) => Refusal | undefined;

function verdictOf(ask: Ask, knock: Knock, written: Written, report: Needs['report']): Refusal | undefined {
  try {
    return ask(knock, written);
  } catch (error) {
    report(error, knock.id);
    return undefined;
  }
}

const problemOf = ({ problem: { status, code, message, details, headers }, to }: Refusal): Problem =>
  new Problem(status, code, message, details, { headers: { ...headers, ...(to !== undefined && { Location: to }) } });

/** Tables that hold a part of other records. All others are called as they are. */
const parts: Readonly<Record<string, string>> = {
  post_meta: 'posts',
  revisions: 'posts',
  media: 'posts',
  comment_meta: 'comments',
  term_meta: 'terms',
  user_meta: 'users',
  user_roles: 'users',
};

/** A part that comes or goes changes the whole. That a term counts one more is no change of it. */
function writtenBy({ table, action, columns }: Change): Written | undefined {
  if (table === 'terms' && columns?.every((column) => column === 'count')) return undefined;
  const whole = Object.hasOwn(parts, table) ? parts[table] : undefined;
  return whole === undefined ? { record: table, action } : { record: whole, action: 'change' };
}
