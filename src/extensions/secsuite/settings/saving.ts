// How settings of a module are changed: read, decided and written with nobody between; then whatever follows.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { AnyTables } from '#store/any.ts';
import type { Reads } from '#store/handles.ts';
import type { AnyStore } from '#store/store.ts';
import type { Behalf } from '../behalf.ts';
import type { Card } from './card.ts';
import type { Hooks } from './hooks.ts';
import { type Judged, refuseFor } from './judging.ts';
import type { Reading } from './reading.ts';
import { type Documents, putRow, rowOf } from './stored.ts';
import type { Saving, Values } from './types.ts';

/** What would become of them. */
export type Wish = (before: Values) => Judged;

interface Needs {
  readonly store: AnyStore;
  readonly documents: Documents;
  readonly hooks: Hooks;
  readonly reading: Pick<Reading, 'refresh' | 'of' | 'shown'>;
}

export interface Writing {
  /** Checked, and refused where anything is wrong with it. */
  save(card: Card, wish: Wish, behalf: Behalf): Promise<Values>;
  /** What the suite itself writes. */
  write(card: Card, decide: Decide): Promise<Values>;
}

type Decide = (before: Values, tx: Transaction<AnyTables>) => Values | Promise<Values>;

export function createWriting({ store, documents, hooks, reading }: Needs): Writing {
  const write: Writing['write'] = async (card, decide) => {
    const { id } = card;
    const change = await store.write(async (tx, during) => {
      await during.lock(`secsuite settings ${id}`);
      const stored = await rowOf(tx, id);
      const before = documents.open(card, stored);
      const after = await decide(before, tx);
      if (isDeepStrictEqual(before, after)) return undefined;
      const next = documents.write(card, after);
      await putRow(tx, id, next);
      return { before: documents.shown(card, stored), after: documents.shown(card, next) };
    });
    await reading.refresh();
    if (change !== undefined) await hooks.follow(id, change.before, change.after);
    return change ? reading.shown(id, change.after) : reading.of(id);
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
  return {
    write,
    async save(card, wish, behalf) {
      const more = await learnt(card, wish, behalf);
      return write(card, async (before, tx) => {
        await behalf.again?.(tx);
        const { after } = await saving(tx, card, before, wish, behalf);
        return { ...after, ...more };
      });
    },
  };
}
