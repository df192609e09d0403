// The settings as this process sees them: all of them, at once, and anew once any is written.

import { createSnapshot } from '#site/platform/cache/snapshot.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore, Store } from '#store/store.ts';
import { createListeners } from '../base.ts';
import type { Card, Cards } from './card.ts';
import { type Documents, type Rows, rowsOf } from './stored.ts';
import type { SettingsTables } from './tables.ts';
import type { Settings, Show, Values } from './types.ts';

export type Reading = Pick<Settings, 'isReady' | 'ready' | 'secret' | 'onChange'> & {
  of(id: string): Values;
  shows(id: string, show: Show): void;
  /** As it reads, where more is shown than is kept. */
  shown(id: string, values: Values): Values;
  /** As it is kept: secrets are masked, and nothing more is shown. */
  kept(id: string): Values;
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
  let last: Seen = { rows: new Map(), shown: new Map() };
  /** What was not written since is not made anew. */
  const load = async (): Promise<Seen> => {
    const rows = await rowsOf(db);
    const shownOf = (card: Card): Values => {
      const stored = rows.get(card.id);
      const before = stored === last.rows.get(card.id) ? last.shown.get(card.id) : undefined;
      return before ?? documents.shown(card, stored);
    };
    last = { rows, shown: new Map(cards.all.map((card) => [card.id, shownOf(card)])) };
    return last;
  };
  const snapshot = createSnapshot({
    store,
    tables,
    load,
    stopping,
    failed: (error) => log.error({ err: error }, 'The settings of the security suite could not be read.'),
  });
  /** What is answered by them rests on their table. */
  const seen = (): Seen => {
    store.readBefore(tables);
    return snapshot.now;
  };
  const { tell, add } = createListeners<[id: string, before: Values, after: Values]>((error) =>
    log.error({ err: error }, 'A listener for changed settings failed.'),
  );
  snapshot.onChange((before, after) => {
    for (const { id } of cards.all)
      if (before.rows.get(id) !== after.rows.get(id)) tell(id, before.shown.get(id)!, after.shown.get(id)!);
  });
  const shows = new Map<string, Show>();
  const shown = (id: string, values: Values): Values => shows.get(id)?.(values) ?? values;
  return {
    get isReady() {
      return snapshot.isReady;
    },
    ready: snapshot.ready,
    of: (id) => shown(id, seen().shown.get(cards.get(id).id)!),
    shown,
    kept: (id) => seen().shown.get(cards.get(id).id)!,
    shows: (id, show) => void shows.set(id, show),
    secret: (id, path) => documents.secret(cards.get(id), seen().rows.get(id), path),
    onChange: add,
    refresh: () => snapshot.refresh(),
  };
}
