// The database of the site, and how old its last copy is.
import { Unavailable } from '#lib/failures.ts';
import { day } from '#lib/spans.ts';
import { StoreProblem } from '#store/problem.ts';
import { note, ok, type Seen, warning, wrong } from './check.ts';
import type { Stored } from './installation.ts';
import { markOf } from './marks.ts';

export async function database({ store }: Stored): Promise<Seen> {
  try {
    await store.ping();
    return ok(`${store.place} answers: ${await store.release()}`);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return wrong(error.message.replace(/\.$/, ''), 'See whether the database runs, and can be reached.');
  }
}

export async function migrations({ store }: Stored): Promise<Seen> {
  try {
    const { length } = await store.pending();
    if (length === 0) return ok('the database is up to date');
    return wrong(`${length === 1 ? 'one is' : `${length} are`} to come`, 'Start the site again: it applies them.');
  } catch (error) {
    if (!(error instanceof StoreProblem)) throw error;
    const { fault, remedy } = error;
    return wrong(fault, `${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`);
  }
}

const seldom = 7;

export async function backup({ store, clock }: Stored): Promise<Seen> {
  const last = await markOf(store, 'backup');
  const remedy = 'Run "gatehouse backup FILE" every night, and keep the archives elsewhere.';
  if (last === undefined) return note('"gatehouse backup" has not made one yet', remedy);
  const days = Math.floor((clock().getTime() - last.getTime()) / day);
  const finding = days < 1 ? 'made within a day' : days === 1 ? 'one day old' : `${days} days old`;
  return days > seldom ? warning(finding, remedy) : ok(finding);
}
