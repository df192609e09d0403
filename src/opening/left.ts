// Extensions that are switched on and cannot be used in this process: the site goes on without them, or with an earlier version, and
// the log says why.
import { LeftOut } from '#site/packages/packages.ts';
import type { Log } from '#store/engine.ts';

export interface Left {
  /** It is to be on, and cannot be used here. */
  out(slug: string, error: unknown): void;
  /** This version of it cannot be used here, and the one before goes on. */
  behind(slug: string, error: unknown): void;
  /** Those of which an earlier version goes on, as the last work left it. */
  readonly allBehind: ReadonlySet<string>;
  /** Does it, and throws a `LeftOut` afterwards when something was left out of it. */
  over(work: () => Promise<void>): Promise<void>;
}

/** Each is told once, and again when it is for another reason. */
export function createLeft(log: Log): Left {
  let told = new Map<string, string>();
  let now = new Map<string, unknown>();
  let earlier = new Set<string>();
  const tell = (slug: string, error: unknown, message: string): void => {
    now.set(slug, error);
    if (told.get(slug) !== String(error)) log.error({ err: error, extension: slug }, message);
  };
  return {
    out(slug, error) {
      earlier.delete(slug);
      tell(slug, error, 'An extension that is switched on cannot be used here. The site goes on without it.');
    },
    behind(slug, error) {
      earlier.add(slug);
      tell(slug, error, 'This version of an extension cannot be used here. The site goes on with the one before.');
    },
    get allBehind() {
      return earlier;
    },
    async over(work) {
      now = new Map();
      earlier = new Set();
      try {
        await work();
      } finally {
        told = new Map(Array.from(now, ([slug, error]) => [slug, String(error)]));
      }
      if (now.size > 0) throw new LeftOut([...now.keys()], { cause: now.values().next().value });
    },
  };
}
