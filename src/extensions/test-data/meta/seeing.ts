// What of the site values are drawn from: a bounded part of it, and of that only what whoever asks may see.
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import type { ContentTables } from '#site/content/tables.ts';
import { attachment } from '#site/content/types.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import type { Own } from '../generator.ts';
import { mark, runMark } from '../marks.ts';

export interface Seeing {
  /** The moment to which dates are drawn. */
  readonly today: Date;
  /** Pictures that were made as test data, the newest first. */
  images(): Promise<readonly { readonly id: number; readonly url: string }[]>;
  /** The numbers of what is published. Throws `Unreadable` where there is no such type. */
  posts(wanted: { readonly type: string; readonly search: string | undefined }): Promise<readonly number[]>;
}

export interface SeeingNeeds {
  readonly store: Store<ContentTables>;
  readonly content: Pick<Content, 'kinds' | 'media' | 'posts' | 'rights'>;
  readonly clock: Clock;
}

const maxPerKind = 100;

export function createSeeing({ store, content, clock }: SeeingNeeds): (asker: Asker, own?: Own) => Seeing {
  const { kinds, media, posts, rights } = content;

  const imagesFor = async (asker: Asker, own: Own | undefined) => {
    const rows = await testImages(store, own);
    const may = await Promise.all(rows.map((row) => rights.mayRead(asker, row)));
    return rows.filter((_, at) => may[at]).map(({ id, file }) => ({ id, url: media.urlOf(file) }));
  };

  return (asker, own) => {
    let images: ReturnType<Seeing['images']> | undefined;
    return {
      today: dayOf(clock()),
      images: () => {
        images ??= imagesFor(asker, own);
        return images;
      },
      posts: async ({ type: name, search }) => {
        const type = kinds.type(name);
        if (type === undefined || !type.viewable || type.guarded || type.name === attachment.name)
          throw new Unreadable('This type of records does not exist.');
        const published = { types: [name], statuses: ['publish'], limit: maxPerKind, offset: 0 };
        const searched = search === '' ? undefined : search;
        const { items } = await posts.list({ ...published, search: searched, order: 'asc', orderBy: 'id' });
        const ids = items.map(({ id }) => id);
        if (own?.type !== name || ids.length === 0) return ids;
        const made = await madeBy(store, own).where('made.post_id', 'in', ids).execute();
        return ids.filter((id) => !made.some(({ post_id }) => post_id === id));
      },
    };
  };
}

/** The records that this order has made so far: what is drawn does not depend on where one part of it ends. */
const madeBy = ({ db }: SeeingNeeds['store'], { seed }: Own) =>
  db
    .selectFrom('post_meta as made')
    .select('made.post_id')
    .where('made.key', '=', runMark)
    .where('made.value', '=', JSON.stringify(seed));

const testImages = (store: SeeingNeeds['store'], own: Own | undefined) =>
  store.db
    .selectFrom('posts')
    .innerJoin('post_meta', 'post_meta.post_id', 'posts.id')
    .innerJoin('media', 'media.post_id', 'posts.id')
    .select(['posts.id', 'posts.type', 'posts.status', 'posts.author', 'posts.parent', 'posts.status_before'])
    .select('media.file')
    .where('posts.type', '=', attachment.name)
    .where('posts.mime_type', 'like', 'image/%')
    .where('post_meta.key', '=', mark)
    .$if(own?.type === attachment.name, (query) => query.where('posts.id', 'not in', madeBy(store, own!)))
    .orderBy('posts.id', 'desc')
    .limit(maxPerKind)
    .execute();

const dayOf = (now: Date): Date => new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`);

/** What people asked for cannot be drawn: it says something else than they can mean, or too much. */
export class Unreadable extends Error {}
