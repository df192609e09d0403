// Jobs of packages write what their kinds say they write. A rule is asked about that when somebody has a job begun, and not while it
// runs; so what was not said is refused.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Hopeless, type Kind } from '../../jobs/job.ts';
import type { Written } from '../guards.ts';
import { isKnownTable } from './records.ts';

interface AnnouncedJob {
  /** Whether it answers for what is written to this table: to those of the site and its own, and not to those of others who listen. */
  answersFor(table: string): boolean;
  refuseUnannounced(written: Written): void;
}

const underWay = new AsyncLocalStorage<AnnouncedJob>();

/** The job that writes; nothing outside of jobs of packages. */
export const announcedJob = (): AnnouncedJob | undefined => underWay.getStore();

/** Others hear of what a job does, and do what they do for themselves. */
export const besideJobs = <R>(work: () => R): R => underWay.exit(work);

type Said = Pick<Kind<never>, 'name' | 'writes' | 'deletes'>;

/** The same kind, of a package whose tables begin with `prefix`. It writes only what it says. */
export function announcing<K extends Said & { run(...args: never[]): unknown }>(kind: K, prefix: string): K {
  const job: AnnouncedJob = {
    answersFor: (table) => isKnownTable(table) || table.startsWith(prefix),
    refuseUnannounced: (written) => refuseUnannounced(kind, written),
  };
  return { ...kind, run: (...args) => underWay.run(job, () => kind.run(...args)) };
}

function refuseUnannounced({ name, writes = [], deletes = [] }: Said, { record, action }: Written): void {
  if ((action === 'delete' ? deletes : writes).includes(record)) return;
  const [list, did] = action === 'delete' ? ['deletes', 'deletes'] : ['writes', 'writes'];
  throw new Hopeless(`The job ${name} ${did} ${record} without saying so: add '${record}' to \`${list}\` of its kind.`);
}
