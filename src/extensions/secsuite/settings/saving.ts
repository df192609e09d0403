// How settings of a module are changed: read, decided and written with nobody between; then whatever follows.
// Rooms judge a save, change more with it, and follow it.

import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { Problem } from '#kernel/problem.ts';
import type { Log } from '#store/engine.ts';
import type { AnyTables, Reads } from '#store/handles.ts';
import type { AnyStore } from '#store/store.ts';
import type { Behalf } from '../base.ts';
import type { ImportRun } from '../transfer.ts';
import type { Card } from './card.ts';
import { type Judged, refuseFor } from './judging.ts';
import type { Reading } from './reading.ts';
import { type Documents, putRow, rowOf } from './stored.ts';
import type { Ahead, Along, Check, Effect, Saving, Values } from './types.ts';

/** What would become of them. */
export type Wish = (before: Values) => Judged;

interface Needs {
  readonly store: AnyStore;
  readonly documents: Documents;
  readonly hooks: Hooks;
  readonly reading: Pick<Reading, 'refresh' | 'of' | 'shown'>;
}

export interface Wanted {
  readonly card: Card;
  readonly wish: Wish;
}

export interface Writing {
  /** Checked, and refused where anything is wrong with it. */
  save(card: Card, wish: Wish, behalf: Behalf): Promise<Values>;
  /** The same of several modules: all of it or nothing. Of none is anybody outside asked. */
  saveAll(wanted: readonly Wanted[], behalf: Behalf): Promise<void>;
  /** Checked as well, within a write under way. What is answered is called once that stands. */
  saveWithin(writing: Pick<ImportRun, 'tx' | 'during'>, wanted: Wanted, behalf: Behalf): Promise<() => Promise<void>>;
  /** What the suite itself writes. */
  write(card: Card, decide: Decide): Promise<Values>;
}

type Decide = (before: Values, tx: Transaction<AnyTables>) => Values | Promise<Values>;

interface Decision {
  readonly card: Card;
  readonly decide: Decide;
}

interface Change {
  readonly id: string;
  readonly before: Values;
  readonly after: Values;
}

export function createWriting({ store, documents, hooks, reading }: Needs): Writing {
  const changed = async (tx: Transaction<AnyTables>, { card, decide }: Decision): Promise<Change | undefined> => {
    const stored = await rowOf(tx, card.id);
    const before = documents.open(card, stored);
    const after = await decide(before, tx);
    if (isDeepStrictEqual(before, after)) return undefined;
    const next = documents.write(card, after);
    await putRow(tx, card.id, next);
    return { id: card.id, before: documents.shown(card, stored), after: documents.shown(card, next) };
  };
  /** In the order of their names, so that no two wait for each other. */
  const writeAll = async (decisions: readonly Decision[]): Promise<Change[]> => {
    const inOrder = decisions.toSorted((one, other) => (one.card.id < other.card.id ? -1 : 1));
    const changes = await store.write(async (tx, during) => {
      for (const { card } of inOrder) await during.lock(`secsuite settings ${card.id}`);
      const made: Change[] = [];
      for (const decision of inOrder) made.push(...[await changed(tx, decision)].filter((one) => one !== undefined));
      return made;
    });
    await reading.refresh();
    for (const { id, before, after } of changes) await hooks.follow(id, before, after);
    return changes;
  };
  const write: Writing['write'] = async (card, decide) => {
    const [change] = await writeAll([{ card, decide }]);
    return change ? reading.shown(card.id, change.after) : reading.of(card.id);
  };

  const saving = async (db: Reads<AnyTables>, card: Card, before: Values, wish: Wish, behalf: Behalf) => {
    const { after, faults } = wish(before);
    refuseFor([...faults, ...(await hooks.faults(card.id, { before, after, behalf, db }))]);
    return { before, after: hooks.with(card.id, before, after), behalf, db } satisfies Saving;
  };
  const learnt = async (card: Card, wish: Wish, behalf: Behalf): Promise<Values> => {
    if (!hooks.asksAhead(card.id)) return {};
    const before = documents.open(card, await rowOf(store.db, card.id));
    return hooks.asked(card.id, await saving(store.db, card, before, wish, behalf));
  };
  const checked =
    ({ card, wish }: Wanted, behalf: Behalf, more: Values = {}): Decide =>
    async (before, tx) => {
      await behalf.again?.(tx);
      const { after } = await saving(tx, card, before, wish, behalf);
      return { ...after, ...more };
    };
  return {
    write,
    save: async (card, wish, behalf) => write(card, checked({ card, wish }, behalf, await learnt(card, wish, behalf))),
    async saveWithin({ tx, during }, wanted, behalf) {
      await during.lock(`secsuite settings ${wanted.card.id}`);
      const change = await changed(tx, { card: wanted.card, decide: unlessSame(wanted, checked(wanted, behalf)) });
      return async () => {
        if (change === undefined) return;
        await reading.refresh();
        await hooks.follow(change.id, change.before, change.after);
      };
    },
    async saveAll(wanted, behalf) {
      await writeAll(wanted.map((one) => ({ card: one.card, decide: checked(one, behalf) })));
    },
  };
}

/** What changes nothing is not checked: it may have been kept before there was such a check. */
const unlessSame =
  ({ wish }: Wanted, decide: Decide): Decide =>
  async (before, tx) => {
    const { after, faults } = wish(before);
    return faults.length === 0 && isDeepStrictEqual(before, after) ? before : decide(before, tx);
  };

export interface Hooks {
  check(id: string, check: Check): void;
  along(id: string, along: Along): void;
  ahead(id: string, ahead: Ahead): void;
  effect(id: string, effect: Effect): void;
  faults(id: string, saving: Saving): Promise<Problem[]>;
  /** With all that changes with it. */
  with(id: string, before: Values, after: Values): Values;
  /** Whether somebody else is asked first. */
  asksAhead(id: string): boolean;
  asked(id: string, saving: Saving): Promise<Values>;
  /** What fails is written down, and undoes nothing. */
  follow(id: string, before: Values, after: Values): Promise<void>;
}

interface Registry<T> {
  of(id: string): readonly T[];
  add(id: string, one: T): void;
}

function registry<T>(): Registry<T> {
  const all = new Map<string, readonly T[]>();
  const of = (id: string): readonly T[] => all.get(id) ?? [];
  return { of, add: (id, one) => void all.set(id, [...of(id), one]) };
}

export function createHooks(log: Pick<Log, 'error'>): Hooks {
  const checks = registry<Check>();
  const alongs = registry<Along>();
  const aheads = registry<Ahead>();
  const effects = registry<Effect>();
  return {
    check: checks.add,
    along: alongs.add,
    ahead: aheads.add,
    effect: effects.add,
    async faults(id, saving) {
      const found: Problem[] = [];
      for (const check of checks.of(id)) found.push(...(await check(saving)));
      return found;
    },
    with(id, before, after) {
      const whole: Record<string, unknown> = { ...after };
      for (const along of alongs.of(id)) Object.assign(whole, along(before, whole));
      return whole;
    },
    asksAhead: (id) => aheads.of(id).length > 0,
    async asked(id, saving) {
      let learnt: Values = {};
      for (const ahead of aheads.of(id)) learnt = { ...learnt, ...(await ahead(saving)) };
      return learnt;
    },
    async follow(id, before, after) {
      for (const effect of effects.of(id))
        try {
          await effect(before, after);
        } catch (error) {
          log.error({ err: error, module: id }, 'The follow-up work of changed settings failed.');
        }
    },
  };
}
