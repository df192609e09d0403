// Events of the site and their listeners. A listener that fails is logged and breaks nothing else.

/** Whom or what a deed came from: a client's address, or the command line. */
export type Origin = string;

/** Each event is declared by the noun that raises it: `declare module` adds it to this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: others add to it
export interface SiteEvents {}

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

/** `apart` runs listeners outside of the context of the job that raised the event. */
export function createEvents(
  report: (error: unknown, name: EventName) => void,
  apart: <R>(work: () => R) => R = (work) => work(),
): Events {
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
    const following = apart(() => done(name, work)).finally(() => running.delete(following));
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
