// A picture becomes a record of the library, with the same copies and in the same place as one that somebody sends.
import { denied, Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Spool } from '#kernel/upload.ts';
import type { Content } from '#site/content/content.ts';
import { keepFirstMeta, type MetaValues } from '#site/content/meta.ts';
import type { Post } from '#site/content/posts/post.ts';
import { findPost } from '#site/content/posts/rows.ts';
import type { ContentTables, Writing } from '#site/content/tables.ts';
import { attachment } from '#site/content/types.ts';
import type { Judge } from '#site/identity/doing.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Store } from '#store/store.ts';
import { refuseOthers } from '../authors.ts';
import type { Maker } from '../generator.ts';
import { madeMark, madeOf, mark } from '../marks.ts';
import type { Drawn } from './drawn.ts';
import { refuseParent } from './parents.ts';
import type { Source } from './placeholders.ts';
import { saidOf } from './words.ts';

export interface KeepingNeeds {
  readonly store: Store<ContentTables & IdentityTables>;
  readonly content: Pick<Content, 'media' | 'posts' | 'rights' | 'metaKeys' | 'writing'>;
  readonly spool: Spool;
}

/** Answers the number of the record. */
type Keep = (drawn: Drawn, source: Source, meta: MetaValues) => Promise<number>;

export const createKeeping =
  ({ content, spool }: KeepingNeeds) =>
  (maker: Maker): Keep =>
  async ({ name, words, date, author, parent }, { bytes, origin }, meta) => {
    const { media, metaKeys, rights, writing } = content;
    const from = origin === undefined ? {} : { [originalUrl]: origin.url };
    const kept = { ...meta, ...metaKeys.settled(attachment.name, meta, writing.filter), ...from };
    const judge: Judge<Post, Writing> = async (asker, _, tx) => {
      refuseUploading(asker);
      refuseOthers(asker, attachment, [author]);
      if (parent !== 0) refuseParent(asker, rights, await findPost(tx, parent));
    };
    const laid = await spool(once(bytes));
    let id: number | undefined;
    try {
      const arrived = { name, path: laid.path, size: bytes.length, inForm: false };
      const said = { ...saidOf(words, origin), date, author, parent };
      const made = await media.add(arrived, said, {
        ...maker.doing(judge),
        writer: maker.id,
        unfiltered: false,
        alongside: async (tx, post) => {
          id = post.id;
          await keepFirstMeta(tx, post.id, { ...kept, [madeMark]: madeOf.posts(post) });
        },
      });
      return made.id;
    } catch (error) {
      // The record is there, and only some of the smaller copies are not.
      if (id !== undefined && error instanceof Problem && error.code === 'rest_upload_unfinished') return id;
      throw error;
    } finally {
      await laid.release();
    }
  };

/** Of what was fetched. */
const originalUrl = `${mark}_original_url`;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function refuseUploading(asker: Asker): void {
  if (!asker.can(attachment.capabilities.create))
    throw denied('rest_forbidden', 'You are not allowed to add files any more.');
}
