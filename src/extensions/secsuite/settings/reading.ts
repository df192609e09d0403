// The settings as this process sees them: all of them, at once, and anew once any is written.
import type { Log } from '#store/engine.ts';
import type { AnyStore, Store } from '#store/store.ts';
import { createListeners } from '../listeners.ts';
import { createSnapshot } from '../snapshot.ts';
import type { Cards } from './cards.ts';
import { type Documents, type Rows, rowsOf } from './stored.ts';
import type { SettingsTables } from './tables.ts';
import type { Settings, Values } from './types.ts';

export type Reading = Pick<Settings, 'isReady' | 'ready' | 'of' | 'secret' | 'onChange'> & {
  /** Reads what is kept now. */
  refresh(): Promise<void>;
};

interface Needs {
  readonly store: AnyStore;
  readonly cards: Cards;
  readonly documents: Documents;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

interface Seen {
  readonly rows: Rows;
  readonly shown: ReadonlyMap<string, Values>;
}

const tables = ['secsuite_settings'];

export function createReading({ store, cards, documents, log, stopping }: Needs): Reading {
  const { db }: Store<SettingsTables> = store;
  const load = async (): Promise<Seen> => {
    const rows = await rowsOf(db);
    return { rows, shown: new Map(cards.all.map((card) => [card.id, documents.shown(card, rows.get(card.id))])) };
  };
  const snapshot = createSnapshot({
    ...{ store, tables, load, stopping },
    failed: (error) => log.error({ err: error }, 'The settings of the security suite could not be read.'),
  });
  /** What is answered by them rests on their table. */
  const seen = (): Seen => {
    store.readBefore(tables);
    return snapshot.now;
  };
  const { tell, add } = createListeners<[id: string, before: Values, after: Values]>((error) =>
    log.error({ err: error }, 'Somebody who was told of changed settings has failed.'),
  );
  snapshot.onChange((before, after) => {
    for (const { id } of cards.all)
      if (before.rows.get(id) !== after.rows.get(id)) tell(id, before.shown.get(id)!, after.shown.get(id)!);
  });
  return {
    get isReady() {
      return snapshot.isReady;
    },
    ready: snapshot.ready,
    of: <T>(id: string) => seen().shown.get(cards.get(id).id) as T,
    secret: (id, path) => documents.secret(cards.get(id), seen().rows.get(id), path),
    onChange: add,
    refresh: () => snapshot.refresh(),
  };
}
