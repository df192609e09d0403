// The notices for whoever manages the security of the site: what there is to tell them now, and what they do about it.

import { Problem } from '#kernel/problem.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import type { Behalf } from '../behalf.ts';
import type { Logs } from '../logs/logs.ts';
import { createFates, isShown } from './fates.ts';
import { highlightOf, highlights, kinds } from './highlights.ts';
import { type LookNeeds, looksOf } from './looks.ts';
import type { Notice } from './notice.ts';
import type { NoticeTables } from './tables.ts';

export interface Notices {
  list(): Promise<Notice[]>;
  run(id: string, action: string, behalf: Behalf): Promise<void>;
  muted(): Promise<Record<string, boolean>>;
  /** What is no kind is left out. */
  mute(kinds: Readonly<Record<string, boolean>>): Promise<void>;
}

interface Needs extends Omit<LookNeeds, 'dismiss' | 'putOff'> {
  readonly store: Store<NoticeTables>;
  readonly clock: Clock;
  readonly logs: Pick<Logs, 'list'>;
  hrefOf(entry: number): string;
}

export function createNotices({ store, clock, logs, hrefOf, ...needs }: Needs): Notices {
  const { settings, switches } = needs;
  const fates = createFates({ store, clock });
  const looks = looksOf({ ...needs, ...fates });
  const mute = (said: Readonly<Record<string, boolean>>) =>
    fates.mute(Object.fromEntries(Object.entries(said).map(([kind, muted]) => [highlightOf(kind), muted])));
  const list = async (): Promise<Notice[]> => {
    const known = await fates.all();
    const found = await Promise.all(looks.map((look) => look()));
    const newest = await highlights({
      ...{ logs, hrefOf, isRunning: switches.isRunning, dismiss: fates.dismiss },
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
    list,
    async run(id, name, behalf) {
      const notice = (await list()).find((one) => one.id === id) ?? noNotice();
      if (!Object.hasOwn(notice.actions, name))
        throw new Problem(404, 'action_not_found', 'There is nothing like that to do.');
      await notice.actions[name]!.run?.(behalf);
    },
    async muted() {
      const known = await fates.all();
      return Object.fromEntries(Object.keys(kinds).map((kind) => [kind, known.get(highlightOf(kind))?.muted === 1]));
    },
    mute: (said) => mute(Object.fromEntries(Object.entries(said).filter(([kind]) => Object.hasOwn(kinds, kind)))),
  };
}

function noNotice(): never {
  throw new Problem(404, 'notice_not_found', 'There is no such notice for you.');
}
