// Orders of test data. One is carried out in parts: each call makes so many, and says where the next goes on. What an item is made of
// depends on the seed and on its place in the order, so it does not matter where one part ends.
import { invalidParam } from '#kernel/errors.ts';
import { Problem } from '#kernel/problem.ts';
import { drawsOf } from '#lib/draws.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { Upstream } from '#site/outgoing/outgoing.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { SiteServices } from '#site/services.ts';
import { testDataErrors } from './errors.ts';
import type { Called, Generator, Item, Maker, ReadMeta, Run } from './generator.ts';
import { marksOf } from './marks.ts';

/** What every order says, whatever it is of. */
export interface Order {
  readonly quantity?: number | null | undefined;
  /** Comes before `quantity`. */
  readonly qty?: { readonly min?: number; readonly max?: number } | undefined;
  readonly meta?: unknown;
  /** Where the part before ended, and of how many. */
  readonly offset?: number | undefined;
  readonly total?: number | undefined;
  readonly seed?: string | number | undefined;
}

export interface Made {
  readonly message: string;
  readonly data: {
    readonly generated: number;
    readonly ids: readonly number[];
    readonly links: readonly string[];
    /** In seconds. */
    readonly time: number;
    /** As it was said, or a new one. */
    readonly seed: string | number;
    readonly is_capped?: boolean;
    readonly offset?: number;
    readonly total?: number;
  };
}

export type Generators = Readonly<Record<string, Generator<never>>>;

export interface Orders {
  /** One part. Throws what refuses, and `generation_failed` where nothing came of it. */
  generate(kind: string, order: Order & Readonly<Record<string, unknown>>, maker: Maker): Promise<Made>;
}

interface Needs {
  readonly clock: Clock;
  readonly generators: Generators;
  readonly readMeta: ReadMeta;
  /** So many in one part. */
  readonly batch: number;
  /** Below which records are read and changed. */
  readonly records: string;
  /** For an order that names none. */
  newSeed(): string;
  readonly log: SkippedLog;
}

const usualQuantity = 10;

export function createOrders({ clock, generators, readMeta, batch, records, newSeed, log }: Needs): Orders {
  return {
    async generate(kind, { quantity, qty, meta, offset = 0, total: sent = 0, seed: said, ...args }, maker) {
      const began = clock();
      const generator = generatorOf(generators, kind);
      const told = said ?? newSeed();
      const seed = String(told);
      const total = totalOf({ quantity, qty, total: sent }, generator, drawsOf(seed, kind, 'how many'));
      const plan = await generator.demand(args as never, maker);
      const called = plan.called ?? generator;
      const metaOf = await readMeta(meta).ready(maker, { type: plan.type, seed });
      const most = Math.max(0, Math.min(batch, total - offset));
      const items = Array.from({ length: most }, (_, nth): Item => {
        const [index, marks] = [offset + nth, marksOf(seed)];
        const values = metaOf((key) => drawsOf(seed, kind, index, 'meta', key));
        return { index, draws: drawsOf(seed, kind, index), meta: { ...values, ...marks } };
      });
      const skipped = createSkipped(log, called.many);
      const run = { ...daysOf(began), maker, skipped: skipped.add };
      const made = items.length === 0 ? [] : await plan.make(items, run).finally(skipped.tell);
      const ids = made.filter((id) => id !== undefined);
      if (ids.length === 0 && items.length > 0) throw nothingMade(called, skipped.why());
      const reached = offset + made.length;
      const isPart = reached < total || offset > 0;
      const part = isPart ? { is_capped: reached < total, offset: reached, total } : undefined;
      const time = (clock().getTime() - began.getTime()) / 1_000;
      const links = ids.map((id) => `<a href="${records}/${plan.base}/${id}?context=edit">${id}</a>`);
      return {
        message: messageOf(called, ids.length, part),
        data: { generated: ids.length, ids, links, time, seed: told, ...part },
      };
    },
  };
}

function generatorOf(generators: Generators, kind: string): Generator<never> {
  if (Object.hasOwn(generators, kind)) return generators[kind]!;
  throw testDataErrors.moduleNotFound(`This kind of test data does not exist. Use one of: ${Object.keys(generators)}.`);
}

interface Wanted extends Pick<Order, 'quantity' | 'qty'> {
  readonly total: number;
}

/** How many in all: what the parts before have settled; else what is wanted. */
function totalOf({ total, qty, quantity }: Wanted, { most }: Generator<never>, draws: Item['draws']): number {
  if (total > most) throw tooMany('total', most);
  if (total > 0) return total;
  if (qty?.min === undefined && qty?.max === undefined) return quantity ?? usualQuantity;
  const least = qty.min ?? 1;
  const highest = Math.max(least, qty.max ?? least);
  if (highest > most) throw tooMany('qty', most);
  return draws.integer(least, highest);
}

const tooMany = (param: string, most: number): Problem =>
  invalidParam(param, { code: 'rest_invalid_param', message: `${param}: one request can create at most ${most}.` });

const nothingMade = ({ many }: Called, why: string | undefined): Problem =>
  testDataErrors
    .generationFailed()
    .saying(`None of the ${many} could be created${why === undefined ? '.' : `: ${why}`}`);

function daysOf(now: Date): Pick<Run, 'today' | 'now'> {
  const today = new Date(now);
  today.setUTCHours(0, 0, 0, 0);
  return { now, today };
}

function messageOf({ one, many }: Called, made: number, part: { offset: number; total: number } | undefined) {
  const what = `${made} ${made === 1 ? one : many} made`;
  return part === undefined ? `${what}.` : `${what}: ${Math.min(part.offset, part.total)} of ${part.total}.`;
}

// The answer says how many items of an order were left out; the reasons go to the log, which the operator reads.

interface Skipped {
  add(reason: unknown): void;
  /** Why the first of them was, where people may know. */
  why(): string | undefined;
  /** One line for each reason, however many items it befell. */
  tell(): void;
}

type SkippedLog = Pick<SiteServices['log'], 'warn' | 'error'>;

/** `kind`: of what, in the plural. */
function createSkipped(log: SkippedLog, kind: string): Skipped {
  const reasons = new Map<string, { readonly reason: unknown; items: number }>();
  return {
    add(reason) {
      const known = reasons.get(String(reason));
      if (known === undefined) reasons.set(String(reason), { reason, items: 1 });
      else known.items += 1;
    },
    why() {
      const known = reasons.values().map(({ reason }) => reason);
      return known.find((reason) => reason instanceof Problem)?.message;
    },
    tell() {
      for (const { reason, items } of reasons.values())
        if (isForeseen(reason)) log.warn({ kind, items, reason: reason.message }, 'Some test data was not created.');
        else log.error({ kind, items, err: reason }, 'Some test data was not created because of an unexpected error.');
    },
  };
}

/** What says in a sentence of ours why. */
const isForeseen = (reason: unknown): reason is Error =>
  [Problem, Upstream, Unavailable, OutOfSpace].some((known) => reason instanceof known);
