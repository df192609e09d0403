// Files that nothing on the site shows: they are attached to no record, stand for none, and no text names them.
import { setImmediate as breath } from 'node:timers/promises';
import type { Asker } from '#kernel/schema.ts';
import { createTurns } from '#lib/concurrency.ts';
import { createTexts, fileReferences, groupBySize } from '#site/content/media/file-references.ts';
import type { Post } from '#site/content/posts/post.ts';
import { attachment } from '#site/content/types.ts';
import type { Services } from '#site/extension.ts';

interface Unused {
  readonly id: number;
  readonly filename: string;
}

/** So many records are looked at together. */
const page = 200;
/** Of which it is asked whether something shows them. */
const mostFiles = 10_000;

export type FindUnused = (limit: number, asker: Asker) => Promise<Unused[]>;

export function createUnused({ store, content, settings, siteGroup }: Services): FindUnused {
  const { posts, media, rights } = content;
  const texts = createTexts(store);
  const unattached = {
    types: [attachment.name],
    statuses: ['inherit'],
    parents: [0],
    order: 'asc',
    orderBy: 'id',
  } as const;

  const featured = async (ids: readonly number[]): Promise<Set<number>> => {
    const rows = await store.db
      .selectFrom('posts')
      .select('featured_media')
      .distinct()
      .where('featured_media', 'in', ids)
      .where('featured_media', '>', 0)
      .execute();
    return new Set(rows.map(({ featured_media }) => featured_media));
  };

  /** Of these: what no record and no setting names by its number, and the asker may see. */
  const free = async (some: readonly Post[], asker: Asker): Promise<number[]> => {
    const { site_logo, site_icon } = await settings.read(siteGroup);
    const taken = new Set([...(await featured(some.map(({ id }) => id))), site_logo, site_icon]);
    const may = await Promise.all(some.map((post) => rights.mayRead(asker, post)));
    return some.filter(({ id }, at) => may[at] && !taken.has(id)).map(({ id }) => id);
  };

  const candidates = async (asker: Asker): Promise<Map<number, string>> => {
    const found = new Map<number, string>();
    for (let offset = 0; offset < mostFiles; offset += page) {
      const { items } = await posts.listVersions({ ...unattached, limit: page, offset });
      if (items.length === 0) break;
      for (const group of groupBySize(await texts.sizes(items.map(({ id }) => id)))) {
        const ids = await free([...(await posts.some(group)).values()], asker);
        for (const [id, { file }] of await media.files(ids)) found.set(id, file.replace(/^.*\//, ''));
        await breath();
      }
    }
    return found;
  };

  const find: FindUnused = async (limit, asker) => {
    const left = await candidates(asker);
    for await (const { file } of fileReferences(store, left)) {
      left.delete(file);
      if (left.size === 0) break;
    }
    const oldest = [...left].sort(([one], [other]) => one - other).slice(0, limit);
    return oldest.map(([id, filename]) => ({ id, filename }));
  };

  // Every text there is gets read: for one who asks after the other.
  const turn = createTurns(1, 1);
  return (limit, asker) => turn(1, () => find(limit, asker));
}
