// Taking test data away again: all that carries the marks, or what one seed made, and nothing else. One record after the other, each
// with all that is its own, as if somebody had deleted it; what stopped on the way goes on where it was.
import { Problem } from '#kernel/problem.ts';
import type { Content } from '#site/content/content.ts';
import type { ContentTables } from '#site/content/tables.ts';
import { attachment } from '#site/content/types.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Users } from '#site/identity/users/users.ts';
import type { Settings } from '#site/platform/settings/settings.ts';
import type { SiteGroup } from '#site/platform/settings/site.ts';
import type { SettingsTables } from '#site/platform/settings/tables.ts';
import type { Reads } from '#store/handles.ts';
import { pausing } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import { type Called, calledOf } from './called.ts';
import { countMarked, type Kind, kinds, madeOf, markedAfter } from './marks.ts';
import {
  refuseChanged,
  refuseOpened,
  refuseOwner,
  refuseShown,
  refuseTouched,
  type Shown,
  shownOf,
  type Write,
} from './real.ts';

/** Of every kind. */
export type Counts = Readonly<Record<Kind, number>>;

/** What stays, and why. */
export interface Kept extends Called {
  readonly kind: Kind;
  readonly id: number;
  readonly code: string;
  readonly message: string;
}

export interface Removed {
  readonly removed: Counts;
  /** How many stayed, and the first of them. */
  readonly stayed: number;
  readonly kept: readonly Kept[];
}

export interface Removing {
  /** Only what this seed made. */
  readonly run?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** After each. */
  tell?(progress: { readonly done: number; readonly total: number }): void;
}

export interface Removal {
  /** How much there is. */
  count(run?: string): Promise<Counts>;
  remove(removing?: Removing): Promise<Removed>;
}

interface Needs {
  readonly store: Store<ContentTables & IdentityTables>;
  readonly content: Pick<Content, 'posts' | 'media' | 'terms' | 'comments'>;
  readonly identity: { readonly users: Pick<Users, 'find' | 'erase'> };
  readonly settings: Pick<Settings, 'readIn'>;
  readonly siteGroup: SiteGroup;
}

/** So many are looked for at a time. */
const atOnce = 100;
/** So many of those that stay are named. */
const mostNamed = 50;

export function createRemoval(needs: Needs): Removal {
  const { db } = needs.store;
  const count = async (run?: string): Promise<Counts> => {
    const counts = await Promise.all(kinds.map(async (kind) => [kind, await countMarked(db, kind, run)] as const));
    return Object.fromEntries(counts) as Record<Kind, number>;
  };

  async function* marked(run: string | undefined): AsyncGenerator<readonly [Kind, number]> {
    for (const kind of kinds)
      for (let last = 0; ; ) {
        const ids = await markedAfter(db, kind, last, atOnce, run);
        yield* ids.map((id) => [kind, id] as const);
        if (ids.length < atOnce) break;
        last = ids.at(-1)!;
      }
  }

  return {
    count,
    async remove({ run, signal, tell } = {}) {
      const total = Object.values(await count(run)).reduce((sum, one) => sum + one, 0);
      const removed: Record<Kind, number> = { comments: 0, posts: 0, terms: 0, users: 0 };
      const kept: Kept[] = [];
      let stayed = 0;
      let done = 0;
      const pause = pausing();
      const erase = erasing(needs, await shownOf(needs, run));
      for await (const [kind, id] of marked(run)) {
        signal?.throwIfAborted();
        await pause();
        const outcome = await outcomeOf(() => erase[kind](id));
        if (outcome === 'done') removed[kind] += 1;
        else if (outcome !== 'gone') {
          stayed += 1;
          const { code, message } = outcome;
          if (kept.length < mostNamed) kept.push({ kind, id, ...(await calledOf(needs, kind, id)), code, message });
        }
        done += 1;
        tell?.({ done, total });
      }
      return { removed, stayed, kept };
    },
  };
}

/** Whether it was deleted here, or by somebody else meanwhile; or why it stays. */
async function outcomeOf(work: () => Promise<unknown>): Promise<Problem | 'done' | 'gone'> {
  try {
    return (await work()) === undefined ? 'gone' : 'done';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.status === 404 ? 'gone' : error;
  }
}

const settingsIn = (tx: Write) => tx as unknown as Reads<SettingsTables>;

type Erasing = Readonly<Record<Kind, (id: number) => Promise<unknown>>>;

/** Each answers what it deleted; nothing, where that is gone already. */
function erasing({ content, identity: { users }, settings, siteGroup }: Needs, shown: Shown): Erasing {
  const { posts, media, terms, comments } = content;
  return {
    async comments(id) {
      const comment = await comments.find(id);
      const again = async (tx: Write, now = comment!): Promise<void> => {
        if (now.status !== 'trash') await refuseChanged(tx, 'comments', id, madeOf.comments(now));
      };
      return comment && comments.erase(comment, { again });
    },
    async posts(id) {
      const post = await posts.find(id);
      if (post === undefined) return undefined;
      const isPicture = post.type === attachment.name;
      const again = async (tx: Write, now = post): Promise<void> => {
        await refuseTouched(tx, now, await settings.readIn(settingsIn(tx), siteGroup));
        if (isPicture && now.status !== 'trash') await refuseShown(tx, now, shown.get(id));
      };
      return (isPicture ? media : posts).erase(post, { again });
    },
    async terms(id) {
      const term = await terms.find(id);
      const again = (tx: Write, now = term!) => refuseChanged(tx, 'terms', id, madeOf.terms(now));
      return term && terms.erase(term, { again });
    },
    async users(id) {
      const user = await users.find(id);
      const again = async (tx: Write, now = user!): Promise<void> => {
        await refuseOpened(tx, now);
        await refuseOwner(tx, id);
      };
      return user && users.erase(user, undefined, { again });
    },
  };
}
