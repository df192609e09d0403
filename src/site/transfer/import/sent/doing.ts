// The job that moves in a file that was sent: whichever process is free does it, and begins anew where another one died. What is
// here by then is found and left as it is.
import { addAbortSignal } from 'node:stream';
import { Problem } from '#kernel/problem.ts';
import type { Spool } from '#kernel/upload.ts';
import { second } from '#lib/spans.ts';
import type { Store } from '#store/store.ts';
import type { Files } from '../../../files/files.ts';
import { Hopeless, type Kind, type Work } from '../../../jobs/job.ts';
import type { Outgoing } from '../../../outgoing/outgoing.ts';
import type { ArrivingOptions } from '../arriving.ts';
import { jobHolder, type LeasedStore, sentKind, withImportLease } from '../import-lease.ts';
import { createReport, type Report, type Told } from '../report.ts';
import type { ArrivingNeeds } from '../run.ts';
import { openSources } from '../sources.ts';
import { arriveFrom } from '../wxr/arrive.ts';
import { demandMover, type How } from './how.ts';
import type { SentStore } from './store.ts';

export interface DoingNeeds extends Omit<ArrivingNeeds, 'store'> {
  readonly store: Store<SentStore>;
  readonly files: Files;
  readonly spool: Spool;
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** The largest file that is taken along, in bytes. */
  readonly uploadLimit: number;
}

export interface Given extends How {
  readonly path: string;
  /** Who sent it. */
  readonly by: number;
}

/** How far it has come. */
export type Counts = Omit<Told, 'errors' | 'more' | 'notes' | 'moreNotes'> & {
  readonly read?: number;
  readonly settled?: number;
};

export const movingIn = (needs: DoingNeeds): Kind<Given> => ({
  name: sentKind,
  about: 'Imports an uploaded export file',
  get writes() {
    const { types, taxonomies } = needs.content.kinds;
    return [...[...types, ...taxonomies].map(({ name }) => name), 'comment', 'user'];
  },
  async run(given, work) {
    try {
      const told = (await toldBefore(needs, work)) ?? (await moveIn(needs, given, work));
      // Known before the file is gone: this process may die between the two.
      await keep(needs, work, told);
      await needs.files.erase(given.path);
      return { ...told };
    } catch (error) {
      // Anything else may come through another time.
      const isOver = error instanceof Problem || error instanceof Hopeless;
      if (isOver) await needs.files.erase(given.path);
      throw error;
    }
  },
});

/** What was told by a process that died before it could say that the job is done. */
async function toldBefore({ store }: DoingNeeds, { id }: Work): Promise<Told | undefined> {
  const row = await store.db.selectFrom('sent_files').select('counts').where('job', '=', id).executeTakeFirst();
  const counts = JSON.parse(row?.counts ?? '{}') as Counts | Told;
  return 'errors' in counts ? counts : undefined;
}

const keep = ({ store }: DoingNeeds, { id }: Work, counts: Counts | Told): Promise<unknown> =>
  store.write((tx) =>
    tx
      .updateTable('sent_files')
      .set({ counts: JSON.stringify(counts) })
      .where('job', '=', id)
      .executeTakeFirst(),
  );

async function moveIn(needs: DoingNeeds, given: Given, work: Work): Promise<Told> {
  const { files, spool, outgoing, uploadLimit } = needs;
  const found = await files.open(given.path);
  if (found === undefined) throw new Hopeless('The uploaded file no longer exists.');
  const laid = await spool(addAbortSignal(work.signal, found.stream));
  const sources = await openSources({ spool, outgoing, isFetching: given.fetches, limit: uploadLimit, isDry: false });
  try {
    const options = { ...(await optionsOf(needs, given)), file: stopping(work, sources.file) };
    const report = createReport();
    const progress = progressOf(needs, given, work, report);
    const mover = { holder: jobHolder(work.id), what: 'An uploaded file' };
    const arrive = (store: LeasedStore) => arriveFrom(laid.path, { ...needs, store }, options, progress, report);
    return shortened(await withImportLease(needs, mover, arrive));
  } finally {
    await sources.close();
    await laid.release();
  }
}

/** Whoever sent it, with the rights they have now. */
async function senderNow({ identity }: DoingNeeds, given: Given) {
  const user = await identity.users.find(given.by);
  if (user === undefined) throw new Hopeless('The user who uploaded the file no longer exists.');
  const held = identity.roles.capabilitiesOf(user.roles);
  const can = (capability: string): boolean => held.has(capability);
  demandMover(identity.roles, { id: user.id, can }, given);
  return { user, can };
}

async function optionsOf(needs: DoingNeeds, given: Given): Promise<Omit<ArrivingOptions, 'from' | 'file'>> {
  const { user, can } = await senderNow(needs, given);
  const { role, map } = given;
  return {
    map,
    role: role ?? '',
    onlyKnown: role === undefined,
    defaultAuthor: user.login,
    unfiltered: can('unfiltered_html'),
    rewrite: true,
    keepTermIds: false,
    dryRun: false,
  };
}

/** Once it is told to stop, it looks for no more files. */
const stopping =
  ({ signal }: Work, file: ArrivingOptions['file']): ArrivingOptions['file'] =>
  async (record) =>
    signal.aborted ? undefined : file(record);

/** Now and then it writes down how far it has come, and asks again whether it still may. */
function progressOf(needs: DoingNeeds, given: Given, work: Work, report: Report) {
  let last = performance.now();
  const tell = async (more: Pick<Counts, 'read' | 'settled'>): Promise<void> => {
    work.signal.throwIfAborted();
    if (performance.now() - last < second) return;
    await senderNow(needs, given);
    const { authors, terms, items, comments, files } = report.told();
    await keep(needs, work, { authors, terms, items, comments, files, ...more });
    last = performance.now();
  };
  return {
    reading: (bytes: number, of: number) => tell({ read: of === 0 ? 100 : Math.floor((100 * bytes) / of) }),
    settling: (records: number) => tell({ settled: records }),
  };
}

const most = { errors: 500, notes: 100, message: 300 };

/** What a result may hold. */
const shortened = ({ errors, more, notes, moreNotes, ...told }: Told): Told => ({
  ...told,
  notes: notes.slice(0, most.notes).map((note) => ({ ...note, message: messageOf(note) })),
  moreNotes: moreNotes + Math.max(0, notes.length - most.notes),
  errors: errors.slice(0, most.errors).map((fault) => ({ ...fault, message: messageOf(fault) })),
  more: more + Math.max(0, errors.length - most.errors),
});

/** What nobody foresaw may speak of the inside of the site. */
const messageOf = ({ code, message }: Told['errors'][number]): string =>
  code === 'failed' ? 'It could not be saved.' : message.slice(0, most.message);
