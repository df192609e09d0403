// Files that nothing on the site shows: they are attached to no record, stand for none, and no text names them.
import type { Asker } from '#kernel/schema.ts';
import type { MediaFile } from '#site/content/media/media.ts';
import type { Post, Wanted } from '#site/content/posts/post.ts';
import { statuses } from '#site/content/statuses.ts';
import { attachment } from '#site/content/types.ts';
import type { Services } from '#site/extension.ts';

interface Unused {
  readonly id: number;
  readonly filename: string;
}

/** So many are read at once. */
const page = 100;
/** Whether a file is named costs a search: nobody waits for more of them. */
const mostFiles = 1_000;
/** Texts with galleries that name their pictures by number. */
const mostTexts = 1_000;

const everyStatus = statuses.map(({ name }) => name);
const oldest = { order: 'asc', orderBy: 'id' } as const;

export type FindUnused = (limit: number, asker: Asker) => Promise<Unused[]>;

export function createUnused({ store, content, settings, siteGroup }: Services): FindUnused {
  const { posts, media, rights, kinds } = content;
  const written = kinds.types.map(({ name }) => name).filter((name) => name !== attachment.name);
  const inTexts = { types: written, statuses: everyStatus, ...oldest } as const;

  const isNamed = async (file: MediaFile): Promise<boolean> => {
    for (const name of namesOf(file))
      if ((await posts.list({ ...inTexts, search: `"${name}"`, limit: 1, offset: 0 })).total > 0) return true;
    return false;
  };

  const pictures = async (ids: readonly number[]): Promise<Set<number>> => {
    const rows = await store.db
      .selectFrom('posts')
      .select('featured_media')
      .distinct()
      .where('featured_media', 'in', ids)
      .where('featured_media', '>', 0)
      .execute();
    return new Set(rows.map(({ featured_media }) => featured_media));
  };

  const ofSite = async (): Promise<number[]> => {
    const { site_logo, site_icon } = await settings.read(siteGroup);
    return [site_logo ?? 0, site_icon];
  };

  /** By the galleries and playlists in texts. */
  const numbered = async (): Promise<Set<number>> => {
    const found = new Set<number>();
    for (const search of ['"[gallery"', '"[playlist"'])
      for await (const { content: text } of allOf({ ...inTexts, search }, mostTexts)) addNumbers(found, text);
    return found;
  };

  async function* allOf(wanted: Omit<Wanted, 'limit' | 'offset'>, most: number): AsyncGenerator<Post> {
    for (let offset = 0; offset < most; offset += page) {
      const { items } = await posts.list({ ...wanted, limit: page, offset });
      yield* items;
      if (items.length < page) return;
    }
  }

  /** Of these: what nobody needs to search for. */
  const untaken = async (some: readonly Post[], shown: ReadonlySet<number>, asker: Asker): Promise<Post[]> => {
    const featured = await pictures(some.map(({ id }) => id));
    const free = some.filter(({ id }) => !featured.has(id) && !shown.has(id));
    const may = await Promise.all(free.map((post) => rights.mayRead(asker, post)));
    return free.filter((_, at) => may[at]);
  };

  const files = { types: [attachment.name], statuses: ['inherit'], parents: [0], ...oldest } as const;

  return async (limit, asker) => {
    const shown = new Set([...(await ofSite()), ...(await numbered())]);
    const unused: Unused[] = [];
    for (let offset = 0; offset < mostFiles && unused.length < limit; offset += page) {
      const { items } = await posts.list({ ...files, limit: page, offset });
      if (items.length === 0) break;
      const free = await untaken(items, shown, asker);
      const kept = await media.files(free.map(({ id }) => id));
      for (const { id } of free) {
        const file = kept.get(id);
        if (unused.length < limit && file !== undefined && !(await isNamed(file)))
          unused.push({ id, filename: file.file.replace(/^.*\//, '') });
      }
    }
    return unused;
  };
}

/** As addresses of it and of its copies begin, whichever way they are written. */
function namesOf({ file }: MediaFile): string[] {
  const path = `/${file.replace(/(?:-scaled)?\.[^./]*$/, '').replaceAll('"', '')}`;
  return [...new Set([path, encodeURI(path)])];
}

function addNumbers(found: Set<number>, text: string): void {
  for (const [shortcode] of text.matchAll(/\[(?:gallery|playlist)\b[^\]]*/g))
    for (const [number] of shortcode.matchAll(/\d+/g)) found.add(Number(number));
}
