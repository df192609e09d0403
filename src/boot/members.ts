// The extensions that are part of a site just now, with their nouns: how one joins what runs, and how it leaves again.
import type { Posts } from '#site/content/posts/post.ts';
import type { Extension, Services, SharedServices } from '#site/extension.ts';
import type { Users } from '#site/identity/users/users.ts';
import { providerOf, refuseAlone } from './compatibility.ts';
import { createCallsUnderWay, createEnding, type Leaver } from './ending.ts';
import type { ExtensionTimeouts, Member } from './member.ts';
import { type Capabilities, createNouns, register } from './registration.ts';

export interface Members {
  /** Those of now. Whoever joined first is first. */
  readonly all: readonly Member[];
  /** Makes its nouns, and says to the site all that it declares. What cannot be is an `AssemblyProblem`, and leaves nothing. */
  join(extension: Extension): void;
  /** It hears and does nothing more. What its nouns began goes on until it is ended. */
  leave(extension: Extension): void;
  /** How to end what those began that have left by now, once nobody is at work with them; nothing, where that is done. */
  ending(): (() => Promise<void>) | undefined;
  /** Everybody leaves. */
  close(): Promise<void>;
}

interface Needs {
  readonly services: Omit<Services, 'needed' | 'queueOf'>;
  readonly capabilities: Capabilities;
  /** Those whose `erased` is asked whether they are part of the site or not. */
  readonly bundled: readonly Extension[];
  readonly patience: Pick<ExtensionTimeouts, 'finishes' | 'ends'>;
  /** The end of one failed. */
  report(error: unknown, extension: string): void;
}

interface Joined extends Leaver {
  /** Takes back everything that was registered for it. */
  readonly undo: DisposableStack;
}

export function createMembers({ services, capabilities, bundled, patience, report }: Needs): Members {
  const joined = new Map<Extension, Joined>();
  /** They have left, and what they began has not ended. Whoever needs another is before it. */
  const leaving = new Set<Joined>();
  const endAll = createEnding<Joined>({ patience, report, ended: (one) => leaving.delete(one) });
  const leave: Members['leave'] = (extension) => {
    const one = joined.get(extension);
    if (one === undefined) return;
    joined.delete(extension);
    leaving.add(one);
    one.undo.dispose();
  };
  return {
    get all() {
      return [...joined.values()];
    },
    join(extension) {
      const needed = neededBy(extension, [...joined.values()]);
      const [undo, callsUnderWay] = [new DisposableStack(), createCallsUnderWay()];
      let one: Joined | undefined;
      try {
        const isPackage = !bundled.includes(extension);
        if (isPackage) registerErasers(extension, services.content.posts, undo);
        const registration = { services, capabilities, undo, callsUnderWay, isPackage };
        one = { extension, undo, use: createNouns(extension, needed, registration), callsUnderWay };
        register(one, registration);
        joined.set(extension, one);
      } catch (error) {
        undo.dispose();
        if (one !== undefined) {
          leaving.add(one);
          void endAll([one]);
        }
        throw error;
      }
    },
    leave,
    ending() {
      const all = [...leaving];
      return all.length === 0 ? undefined : () => endAll(all);
    },
    async close() {
      for (const extension of [...joined.keys()].reverse()) leave(extension);
      await endAll([...leaving]);
    },
  };
}

/** What it keeps of a record goes with the record, in the same write. */
export function registerErasers(
  { extends: all = {} }: Extension,
  posts: Pick<Posts, 'parting'>,
  undo: DisposableStack,
): void {
  for (const [type, addition] of Object.entries(all)) {
    const take = posts.parting(async (tx, post) => {
      if (post.type === type) await addition.erased?.(tx, post);
    });
    undo.defer(take);
  }
}

/** What it keeps of users goes, or stays, with them. */
export function registerUserRows({ users: kept }: Extension, users: Pick<Users, 'holdIds' | 'parting'>): void {
  if (kept === undefined) return;
  users.holdIds(kept.columns);
  users.parting(kept.deleted);
}

/** What it needs of the others, by name. */
function neededBy(extension: Extension, others: readonly Member[]): SharedServices {
  refuseAlone(extension, others);
  const { needs = [] } = extension;
  // Its type names no other service, and its provider has each of these.
  const nounOf = (service: keyof SharedServices) => (providerOf(service, others)!.use as SharedServices)[service];
  return Object.fromEntries(needs.map((service) => [service, nounOf(service)])) as unknown as SharedServices;
}
