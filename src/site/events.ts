// What happens in the site, told to whoever listens. A listener that fails is written down and breaks nothing.

import type { Comment } from './content/comments/comment.ts';
import type { Post } from './content/posts/post.ts';
import type { Term } from './content/terms/term.ts';
import type { Session } from './identity/sessions/rows.ts';
import type { LoginFailure, User } from './identity/users/user.ts';
import { besideJobs } from './writes/announcing.ts';

/** Whom or what a deed came from: a client's address, or the command line. */
export type Origin = string;

export interface SiteEvents {
  'login.succeeded': { readonly user: User; readonly by: 'password' | 'application_password'; readonly from: Origin };
  'login.failed': {
    /** What was given as the name, shortened; never the password. */
    readonly login: string;
    /** The user it names, if there is one. */
    readonly user: User | undefined;
    readonly reason: LoginFailure;
    readonly by: 'password' | 'application_password';
    readonly from: Origin;
  };
  'session.ended': { readonly user: User; readonly sessions: number };
  /** At most once an hour for each. */
  'session.used': { readonly session: Session; readonly from: Origin };
  'user.created': { readonly user: User };
  'user.changed': { readonly user: User; readonly before: User };
  /** What was theirs goes to the user `reassign`, or goes with them. */
  'user.deleted': { readonly user: User; readonly reassign: number | undefined };
  'password.changed': { readonly user: User };
  /** Taken away because somebody who may do less had set it: they choose a new one by a link. */
  'password.withdrawn': { readonly user: User };
  'password.reset_requested': { readonly user: User; readonly from: Origin };
  /** `by`: who made it, 0 at the command line. */
  'application_password.created': { readonly user: User; readonly name: string; readonly by: number };
  'application_password.revoked': { readonly user: User; readonly name: string };
  'term.created': { readonly term: Term };
  'term.changed': { readonly term: Term; readonly before: Term };
  /** What was below it is now below what it was below. */
  'term.deleted': { readonly term: Term };
  /** `before`: nothing, of a new one. */
  'post.saved': { readonly post: Post; readonly before: Post | undefined };
  'post.published': { readonly post: Post; readonly before: Post | undefined };
  'post.trashed': { readonly post: Post };
  'post.restored': { readonly post: Post };
  'post.deleted': { readonly post: Post };
  /** `post`: what it is about. `isQuiet`: nobody is told of it by letter. */
  'comment.added': { readonly comment: Comment; readonly post: Post; readonly isQuiet?: true };
  'comment.changed': { readonly comment: Comment; readonly before: Comment };
  'comment.deleted': { readonly comment: Comment };
  /**
   * Somebody had an ability run that changes something. `by`: who answers for it. `outcome`: `done`, or the code of what came of
   * it instead.
   */
  'ability.run': {
    readonly ability: string;
    readonly user: number;
    readonly by: number;
    readonly outcome: string;
  };
  /** What is confidential is among the names and not among the values. `by`: who did it, 0 at the command line. */
  'settings.changed': {
    readonly group: string;
    readonly names: readonly string[];
    readonly before: Readonly<Record<string, unknown>>;
    readonly after: Readonly<Record<string, unknown>>;
    readonly by: number;
  };
  /** A hub took what this site tells of itself. `isFirst`: it had not before. */
  'hub.synced': { readonly membership: string; readonly isFirst: boolean };
  /** `by`: who did it, 0 at the command line. */
  'extension.changed': {
    readonly slug: string;
    readonly change: 'installed' | 'updated' | 'activated' | 'deactivated' | 'removed';
    readonly by: number;
  };
}

export type EventName = keyof SiteEvents;
type Listener<N extends EventName> = (event: SiteEvents[N]) => unknown;

export interface Events {
  /** Returns how to hear no more of it. */
  on<N extends EventName>(name: N, listener: Listener<N>): () => void;
  /** Returns at once: nobody waits for those who listen. */
  emit<N extends EventName>(name: N, event: SiteEvents[N]): void;
  /** Does what belongs to an event and is waited for as little; what it throws is written down under that name. */
  follow(name: EventName, work: () => unknown): void;
  /** Once everybody who is listening now has done what they do, and what follows is done. */
  settled(): Promise<void>;
}

export function createEvents(report: (error: unknown, name: EventName) => void): Events {
  const listeners = new Map<EventName, Listener<never>[]>();
  const running = new Set<Promise<void>>();
  const tellOf = (error: unknown, name: EventName): void => {
    try {
      report(error, name);
    } catch {
      // The log is gone as well: there is nobody left to tell.
    }
  };
  const done = async (name: EventName, work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      tellOf(error, name);
    }
  };
  const follow: Events['follow'] = (name, work) => {
    const following = besideJobs(() => done(name, work)).finally(() => running.delete(following));
    running.add(following);
  };
  return {
    on(name, listener) {
      const one = listener as Listener<never>;
      listeners.set(name, [...(listeners.get(name) ?? []), one]);
      return () =>
        void listeners.set(
          name,
          (listeners.get(name) ?? []).filter((other) => other !== one),
        );
    },
    emit(name, event) {
      for (const listener of listeners.get(name) ?? []) follow(name, () => listener(event as never));
    },
    follow,
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
