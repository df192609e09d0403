// Of what there was word, and when: whoever remembers keeps nothing that was looked up before the last of it.
import type { Changes, Listener } from '#store/changes.ts';

export interface Heard {
  now(): number;
  /** Whether there was no word of any of these since. */
  stayed(topics: Iterable<string>, since: number): boolean;
}

export function heard(changes: Changes, listen: Listener): Heard {
  let words = 0;
  const last = new Map<string, number>();
  changes.watch((topics) => {
    words += 1;
    for (const topic of topics) last.set(topic, words);
    listen(topics);
  });
  return {
    now: () => words,
    stayed: (topics, since) => Iterator.from(topics).every((topic) => (last.get(topic) ?? 0) <= since),
  };
}
