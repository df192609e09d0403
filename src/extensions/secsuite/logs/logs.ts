// The log of the suite: what happened, from where and through whom. Whoever logs goes on at once; a crash loses at most the last tenth
// of a second.

import { sql } from 'kysely';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { isPublicIp } from '#lib/ip-address.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { KeyedHash } from '#site/platform/seal.ts';
import type { Log } from '#store/engine.ts';
import type { Reads } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import { suiteErrors } from '../errors.ts';
import type { EntryFault } from './chain.ts';
import {
  type Asking,
  type Background,
  cut,
  type Entry,
  type Event,
  type LogType,
  type NewEntry,
  toTheSecond,
} from './entry.ts';
import { countEvents, createEvents, type Events } from './events.ts';
import { createKeep, createRetention, type KeptSettings, kindsIn, type Retention } from './keeping.ts';
import { entriesOf, type Listed, listed, type Wanted } from './list.ts';
import { createLogFile, fileFor } from './log-file.ts';
import { Queue } from './queue.ts';
import type { Shown } from './record.ts';
import { redacted, redactedAddress } from './redacted.ts';
import { all, conditionsOf, type Filters, isHopeless, soughtBy } from './sought.ts';
import type { LogTables } from './tables.ts';
import { createProof, type LogProof } from './verify.ts';
import { createWriter, type Later } from './writer.ts';

/** Entries in the order in which they were kept, however many there are: to carry them elsewhere, or to look at what comes. */
const atOnce = 500;

/** Those after this one; read by their numbers alone, so that each is looked at once. */
async function following(db: Reads<LogTables>, filters: Filters, after: number): Promise<Entry[]> {
  const sought = soughtBy(filters, await kindsIn(db));
  if (isHopeless(sought)) return [];
  const where = all([sql`id > ${after}`, ...conditionsOf(sought, 'nothing')]);
  const { rows } = await sql<{ id: number }>`
    select id from secsuite_logs where ${where} order by id limit ${atOnce}`.execute(db as never);
  return entriesOf(
    db,
    rows.map(({ id }) => id),
  );
}

/** All of them, a few at a time. */
export async function* everyEntry(db: Reads<LogTables>, filters: Filters): AsyncGenerator<Entry> {
  let last = 0;
  for (;;) {
    const some = await following(db, filters, last);
    if (some.length === 0) return;
    yield* some;
    last = some.at(-1)!.id;
  }
}

/**
 * What comes, each once. An entry may become visible after one with a higher number: so those of the last few looks are looked at
 * again.
 */
function newcomers(db: Reads<LogTables>, filters: Filters, after: number): () => Promise<Entry[]> {
  const looks: number[] = [after, after, after];
  let seen = new Set<number>();
  return async () => {
    const since = looks[0]!;
    const come: Entry[] = [];
    let last = since;
    for (let some = await following(db, filters, last); some.length > 0; some = await following(db, filters, last)) {
      come.push(...some.filter(({ id }) => id > after && !seen.has(id)));
      last = some.at(-1)!.id;
      for (const { id } of some) seen.add(id);
    }
    looks.push(last);
    looks.shift();
    seen = new Set([...seen].filter((id) => id > looks[0]!));
    return come;
  };
}

/** A long operation: each word of it is an entry that belongs to the first. */
export interface Operation {
  readonly id: number;
  update(data: unknown): void;
  stop(data?: unknown): void;
}

export interface Logs extends Retention, LogProof {
  write(event: Event): void;
  /** Resolves with the id of the entry once it is kept; with 0 if the log goes to a file alone. */
  record(event: Event): Promise<number>;
  /** Resolves once it is kept that it began. */
  operation(module: string, code: string, data?: unknown): Promise<Operation>;
  /** With what was logged by this process before, unless that takes long. */
  list(wanted: Wanted): Promise<{ items: readonly Shown[]; total: number }>;
  get(id: number): Promise<Shown>;
  /** All of them, in the order in which they were kept. */
  every(filters: Filters): AsyncIterable<Entry>;
  /** What comes after this one, at each look. */
  newcomers(filters: Filters, after: number): () => Promise<Entry[]>;
  /** What was counted for dashboards. */
  readonly events: Events;
  /** Resolves once everything that was logged before is kept. */
  flush(): Promise<void>;
  /** Keeps what waits; what is logged later is lost. */
  end(): Promise<void>;
}

const mostNamed = 100;

const foundFaults = (faults: readonly EntryFault[]): Event => ({
  module: 'core',
  code: `log-entries-changed::${faults.length}`,
  type: 'critical-issue',
  data: { entries: faults.slice(0, mostNamed) },
});

/** What managers set of it. */
export type LogSettings = KeptSettings;

export interface LogNeeds {
  readonly store: Store<LogTables>;
  readonly clock: Clock;
  readonly asking: () => Asking | undefined;
  /** Where entries come from that no request made. */
  readonly background: Background;
  /** The address of the site. */
  readonly url: string;
  readonly settings: () => LogSettings;
  readonly isRunning: (module: string) => boolean;
  /** Made with the key of the log. */
  readonly hash: KeyedHash;
  /** Where checkpoints are written. */
  readonly checkpoints?: string | undefined;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly later?: Later;
  readonly memory?: () => Memory;
}

interface Memory {
  readonly memory_current: number;
  readonly memory_peak: number;
}

/** So many wait at most, in so many letters. */
const bounds = { entries: 10_000, size: 16 * 1024 * 1024 };

export function createLogs(needs: LogNeeds): Logs {
  const { store, clock, log, hash } = needs;
  const later = needs.later ?? timer;
  const entryOf = entryMaker(needs);
  const deliver = delivering(needs);
  const telling = (leftOut: Readonly<Record<string, number>>): NewEntry => {
    const many = Object.values(leftOut).reduce((sum, one) => sum + one, 0);
    return entryOf({ module: 'core', code: `entries-left-out::${many}`, type: 'warning', data: leftOut }, undefined);
  };
  const writer = createWriter({ queue: new Queue(bounds), keep: deliver, telling, later, log });
  const write = (event: Event): void => writer.add(entryOf(event, needs.asking()));
  return {
    write,
    async record(event) {
      const [id = 0] = await deliver([entryOf(event, needs.asking())]);
      return id;
    },
    async operation(module, code, data) {
      const start: Event = { module, code, type: 'process-start', data };
      const [id = 0] = await deliver([entryOf(start, needs.asking())]);
      const more = (type: LogType) => (data: unknown) => write({ module, code, type, data, parent: id });
      return { id, update: more('process-update'), stop: more('process-stop') };
    },
    list: (wanted) =>
      asked(needs, async () => {
        await within(patience, writer.flush(), later);
        return shownOf(await listed(store.db, wanted), needs);
      }),
    async get(id) {
      const [entry] = await asked(needs, () => entriesOf(store.db, [Number.isSafeInteger(id) ? id : 0]));
      if (entry === undefined) throw suiteErrors.notFound(`Log entry ${id}`);
      return shownOf({ items: [entry], total: 1 }, needs).items[0]!;
    },
    every: (filters) => everyEntry(store.db, filters),
    newcomers: (filters, after) => newcomers(store.db, filters, after),
    flush: () => writer.flush(),
    end: () => writer.end(),
    events: createEvents(store, hash),
    ...createRetention({
      store,
      clock,
      hash,
      settings: needs.settings,
      onFaults: (faults) => write(foundFaults(faults)),
    }),
    ...createProof({ store, clock, hash, checkpoints: needs.checkpoints, flush: () => writer.flush() }),
  };
}

/** So long does who reads wait for what was logged just now, in milliseconds. */
const patience = 150;

/** Resolves with the work, or without it once it takes so long. */
function within(milliseconds: number, work: Promise<void>, later: Later): Promise<void> {
  return new Promise((done) => {
    const bell = later(milliseconds, done);
    void work.then(done).finally(bell.cancel);
  });
}

const timer: Later = (milliseconds, work) => {
  const waiting = setTimeout(work, milliseconds).unref();
  return { cancel: () => clearTimeout(waiting) };
};

/** How wide the columns are. */
const widths = { module: 50, code: 100, url: 500 };

function entryMaker({ clock, background, url, memory = usedMemory }: LogNeeds) {
  const measured = everySecond(clock, memory);
  return ({ module, code, type, data, parent = 0, at = clock() }: Event, asking: Asking | undefined): NewEntry => ({
    parent_id: parent,
    module: cut(module, widths.module),
    code: cut(code, widths.code),
    type,
    data: redacted(data),
    created_at: toTheSecond(at),
    started_at: toTheSecond(asking?.startedAt ?? at),
    ...measured(),
    url: cut(asking === undefined ? background : redactedAddress(wholeUrl(asking.url, url)), widths.url),
    site: 1,
    user_id: asking?.user ?? 0,
    remote_ip: cut(asking?.address ?? '', widths.module),
  });
}

const wholeUrl = (asked: string, site: string): string => {
  const short = asked.slice(0, 4 * widths.url);
  return short.startsWith('/') ? `${site}${short}` : short;
};

const usedMemory = (): Memory => ({
  memory_current: process.memoryUsage.rss(),
  memory_peak: process.resourceUsage().maxRSS * 1024,
});

/** Measuring it takes longer than all else that is logged. */
function everySecond(clock: Clock, memory: () => Memory): () => Memory {
  let last: { readonly at: number; readonly memory: Memory } | undefined;
  return () => {
    const at = clock().getTime();
    if (last === undefined || Math.abs(at - last.at) >= 1_000) last = { at, memory: memory() };
    return last.memory;
  };
}

/** To the database, to the file, or to both. Answers the numbers that the database gave. */
function delivering({ store, settings, log, hash }: LogNeeds): (entries: readonly NewEntry[]) => Promise<number[]> {
  const keep = createKeep(store, hash);
  const file = createLogFile(log);
  return async (entries) => {
    const { log_type, ...rest } = settings();
    const ids = log_type === 'file' ? [] : await keep(entries);

    if (log_type !== 'database') await file(fileFor(rest), entries);
    // The file has the entries already, so they are not delivered again when they cannot be counted.
    if (log_type === 'file')
      await store
        .write((tx) => countEvents(tx, entries, hash))
        .catch((error) => log.error({ err: error }, 'Events of the security log could not be counted'));
    return ids;
  };
}

const shownOf = ({ items, total }: Listed, { isRunning }: Pick<LogNeeds, 'isRunning'>) => ({
  items: items.map((entry) => ({
    ...entry,
    isLocatable: isPublicIp(entry.remote_ip) && isRunning('geolocation'),
  })),
  total,
});

/** A database that is away is told as everywhere. */
async function asked<R>({ log }: Pick<LogNeeds, 'log'>, read: () => Promise<R>): Promise<R> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unavailable || error instanceof OutOfSpace) throw error;
    log.error({ err: error }, 'The security log could not be read.');
    throw suiteErrors.logUtilFailedQuery();
  }
}
