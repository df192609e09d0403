// Measures passwords that passed through a sign-in or a change although no rule asks for it. It happens a moment later, so that neither
// waits for it, and a password is in memory no longer than that.
import { second } from '#lib/spans.ts';
import type { User } from '#site/identity/users/user.ts';

type Owner = Pick<User, 'id' | 'registered_at'>;

interface MeasuringDeps {
  isMeasured(user: Owner): Promise<boolean>;
  measure(user: Owner, password: string): Promise<unknown>;
  failed(error: unknown): void;
}

interface Waiting {
  readonly password: string;
  /** Set once the password is the user's. */
  readonly user: Owner | undefined;
}

const delay = second;
const maxWaiting = 1000;

export type Measuring = ReturnType<typeof createMeasuring>;

export function createMeasuring({ isMeasured, measure, failed }: MeasuringDeps) {
  /** By the id of the user. */
  const waiting = new Map<number, Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const drain = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const all = [...waiting.values()];
    waiting.clear();
    for (const { user, password } of all)
      try {
        if (user !== undefined && !(await isMeasured(user))) await measure(user, password);
      } catch (error) {
        failed(error);
      }
  };
  const add = (id: number, one: Waiting): void => {
    if (waiting.size >= maxWaiting && !waiting.has(id)) return;
    waiting.set(id, one);
    timer ??= setTimeout(() => void settle(), delay).unref();
  };
  const settle = (): Promise<void> => {
    running = running.then(drain);
    return running;
  };
  return {
    /** The user signed in with it. */
    add: (user: Owner, password: string): void => add(user.id, { user, password }),
    /** It is the user's once `changed` says so. */
    chosen: (id: number, password: string): void => add(id, { user: undefined, password }),
    changed(user: Owner): void {
      const one = waiting.get(user.id);
      if (one !== undefined) waiting.set(user.id, { ...one, user });
    },
    /** Resolves once all that wait are measured. */
    settle,
    async end(): Promise<void> {
      clearTimeout(timer);
      waiting.clear();
      await running;
    },
  };
}
