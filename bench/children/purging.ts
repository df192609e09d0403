// A site whose security log holds many entries that are too old, and the purge of it.
import { setTimeout as after } from 'node:timers/promises';
import type { Store } from '#store/store.ts';
import { createKeep, createRetention } from '../../src/extensions/secsuite/logs/keeping.ts';
import type { LogTables } from '../../src/extensions/secsuite/logs/tables.ts';
import { booted, type SiteAsked } from '../booted.ts';
import { given, offer } from '../child.ts';
import { entries, hash, until } from '../log-entries.ts';

const { app } = await booted({ ...given<SiteAsked>(), suite: true });
const origin = await app.listen();
const store = app.services.store as unknown as Store<LogTables>;
const group = 5_000;
const text = '<p>Words.</p>'.repeat(40);
const settings = {
  log_type: 'database',
  log_rotation: 1,
  log_location: '',
  file_log_rotation: 0,
  log_info: '',
} as const;
const { purge } = createRetention({
  store,
  clock: () => new Date(until + 90 * 24 * 3_600_000),
  settings: () => settings as never,
  hash,
  onFaults: () => {},
});
let purging: Promise<unknown> | undefined;

offer(
  {
    origin: () => origin,
    async fill({ logged, posts }: { readonly logged: number; readonly posts: number }) {
      const { content } = app.services;
      for (let n = 0; n < posts; n++)
        await content.posts.add('post', { title: `Post ${n}`, content: text, status: 'publish' }, {} as never);
      const keep = createKeep(store, hash);
      const all = [...entries(logged)];
      for (let at = 0; at < all.length; at += group) await keep(all.slice(at, at + group));
    },
    /** Begins it; `left` says how far it is. */
    begin() {
      purging = purge().finally(() => {
        purging = undefined;
      });
    },
    async left() {
      await after(0);
      return purging !== undefined;
    },
  },
  () => app.close(),
);
