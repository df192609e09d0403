// Which texts are shown as they were before: while there is no word of anything that they rest on, nothing is looked up again.
import { createHash } from 'node:crypto';
import { type Cached, TopicCache } from '#kernel/topic-cache.ts';
import type { Store } from '#store/store.ts';
import { toldPosts } from '../tables.ts';
import type { Source } from './rendering.ts';

interface Known {
  /** The print of all that it was made from. */
  readonly from: string;
  readonly rests: readonly string[];
}

export interface Remembered {
  known(source: string): Known | undefined;
  /** What is kept must be looked up after this was asked. */
  keeping(): (source: string, known: Known) => void;
}

const maxBytes = 8 * 1024 * 1024;
/** Besides its print. */
const overhead = 400;

export function createRemembered({ changes, readBefore }: Pick<Store<unknown>, 'changes' | 'readBefore'>): Remembered {
  const cache = new TopicCache<Known & Cached>(changes, { maxBytes });
  return {
    known(source) {
      const known = cache.get(source);
      if (known === undefined) return undefined;
      cache.touch(source, known);
      // What is answered from memory rests on these no less.
      readBefore(known.topics);
      return known;
    },
    keeping() {
      const since = cache.moment;
      return (source, { from, rests }) => {
        const topics = new Set([...toldPosts.shared, ...rests]);
        cache.put(source, { from, rests, topics, size: from.length + overhead }, since);
      };
    },
  };
}

/** The same for what is the same text of the same record, in the same state. */
export function printOfSource({ key, content, of, apart }: Source, how: string): string {
  const print = createHash('sha256').update(JSON.stringify([key, how, apart, of?.id, of?.version, of?.title]));
  return print
    .update(`${of?.excerpt ?? ''}\0`)
    .update(content)
    .digest('base64url');
}
