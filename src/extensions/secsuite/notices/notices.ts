// The notices for whoever manages the security of the site: what there is to tell them now, and what they do about it.

import { raise } from '#kernel/problem.ts';
import type { Clock } from '#site/platform/clock.ts';
import { flag, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Behalf } from '../base.ts';
import { suiteErrors } from '../errors.ts';
import type { Logs } from '../logs/logs.ts';
import type { LogNames } from '../logs/named.ts';
import type { Settings } from '../settings/types.ts';
import type { Switches } from '../switches/switches.ts';
import { type Highlights, highlightNotices, highlightOf } from './highlights.ts';
import type { Notice, NoticeActions, NoticeSource } from './notice.ts';
import type { NoticeTables } from './tables.ts';

export interface Notices {
  /** Called once, when the nouns that notices look at are made. */
  provide(sources: readonly BoundNoticeSource[]): void;
  list(): Promise<Notice[]>;
  run(id: string, action: string, behalf: Behalf): Promise<void>;
  muted(): Promise<Record<string, boolean>>;
  /** What is no kind is left out. */
  mute(kinds: Readonly<Record<string, boolean>>): Promise<void>;
}

/** A source of notices, with its nouns bound. */
export type BoundNoticeSource = (actions: NoticeActions) => ReturnType<NoticeSource<unknown>>;

interface NoticeDeps {
  readonly settings: Pick<Settings, 'of'>;
  readonly switches: Pick<Switches, 'isRunning'>;
  readonly logNames: LogNames;
  readonly highlights: Highlights;
  readonly store: Store<NoticeTables>;
  readonly clock: Clock;
  readonly logs: Pick<Logs, 'list'>;
  hrefOf(face: 'neutral', path: string): string;
}

export function createNotices({
  store,
  clock,
  logs,
  hrefOf,
  settings,
  switches,
  logNames,
  highlights,
}: NoticeDeps): Notices {
  let sources: readonly BoundNoticeSource[] = [];
  const fates = createFates({ store, clock });
  const mute = (said: Readonly<Record<string, boolean>>) =>
    fates.mute(Object.fromEntries(Object.entries(said).map(([kind, muted]) => [highlightOf(kind), muted])));
  const list = async (): Promise<Notice[]> => {
    const known = await fates.all();
    const found = await Promise.all(sources.map((source) => source(fates)));
    const newest = await highlightNotices({
      kinds: highlights,
      logs,
      logNames,
      hrefOf: (entry) => hrefOf('neutral', `/secsuite/v1/logs/${entry}`),
      isRunning: switches.isRunning,
      dismiss: fates.dismiss,
      isInFile: () => settings.of('global').log_type === 'file',
      isMuted: (kind) => known.get(highlightOf(kind))?.muted === 1,
      mute: (kind) => mute({ [kind]: true }),
    });
    const now = clock();
    return [...found.filter((one) => one !== undefined), ...newest].filter((one) =>
      isShown(one, known.get(one.id), now),
    );
  };
  return {
    provide: (all) => {
      sources = all;
    },
    list,
    async run(id, name, behalf) {
      const notice = (await list()).find((one) => one.id === id) ?? raise(suiteErrors.noticeNotFound(id));
      if (!Object.hasOwn(notice.actions, name)) throw suiteErrors.actionNotFound();
      await notice.actions[name]!.run?.(behalf);
    },
    async muted() {
      const known = await fates.all();
      return Object.fromEntries(
        Object.keys(highlights).map((kind) => [kind, known.get(highlightOf(kind))?.muted === 1]),
      );
    },
    mute: (said) => mute(Object.fromEntries(Object.entries(said).filter(([kind]) => Object.hasOwn(highlights, kind)))),
  };
}

/** Dismissed, postponed and muted notices are kept in a table, because every process must know of them. */
type Fate = Omit<NoticeTables['secsuite_notices'], 'id'>;

interface Fates {
  all(): Promise<ReadonlyMap<string, Fate>>;
  dismiss(id: string): Promise<void>;
  putOff(id: string, milliseconds: number): Promise<void>;
  mute(ids: Readonly<Record<string, boolean>>): Promise<void>;
}

interface Needs {
  readonly store: Store<NoticeTables>;
  readonly clock: Clock;
}

function createFates({ store, clock }: Needs): Fates {
  const keep = (changes: Readonly<Record<string, Partial<Fate>>>): Promise<void> =>
    store.write(async (tx) => {
      for (const [id, change] of Object.entries(changes))
        await tx
          .insertInto('secsuite_notices')
          .values({ id, hidden_until: null, dismissed_at: null, muted: 0, ...change })
          .onConflict((on) => on.column('id').doUpdateSet(change))
          .execute();
    });
  return {
    async all() {
      const rows = await store.db.selectFrom('secsuite_notices').selectAll().execute();
      return new Map(rows.map(({ id, ...fate }) => [id, fate]));
    },
    dismiss: (id) => keep({ [id]: { dismissed_at: instant(clock()) } }),
    putOff: (id, milliseconds) => keep({ [id]: { hidden_until: instant(new Date(clock().getTime() + milliseconds)) } }),
    mute: (ids) => keep(Object.fromEntries(Object.entries(ids).map(([id, muted]) => [id, { muted: flag(muted) }]))),
  };
}

/** Whether it is shown, whatever became of it. */
function isShown({ at }: { readonly at?: string }, fate: Fate | undefined, now: Date): boolean {
  if (fate === undefined) return true;
  if (fate.hidden_until !== null && fate.hidden_until > instant(now)) return false;
  return fate.dismissed_at === null || (at !== undefined && at > fate.dismissed_at);
}
