// A picture becomes a record of the library, with the same copies and in the same place as an uploaded one, and attached to the
// records that were named.
import { invalidParam, kernelErrors } from '#kernel/errors.ts';
import { Problem } from '#kernel/problem.ts';
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
import { testDataErrors } from '../errors.ts';
import { type Maker, refuseOthers } from '../generator.ts';
import { madeMark, madeOf, mark } from '../marks.ts';
import { type Drawn, saidOf } from './drawn.ts';
import type { Source } from './placeholders.ts';

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
  if (!asker.can(attachment.capabilities.create)) throw kernelErrors.forbidden('add files');
}

const most = 1_000;

/** Those that were named, if they are there and theirs to edit: nobody else's picture comes to stand beside a text. */
export async function parentsFor(
  { posts, rights }: Pick<Content, 'posts' | 'rights'>,
  asker: Asker,
  said: number | readonly number[],
): Promise<readonly number[]> {
  const named = [said].flat();
  if (named.length > most) throw refused(`post_parent must have at most ${most} items.`);
  const ids = named.filter((id) => id !== 0);
  if (!ids.every((id) => Number.isSafeInteger(id) && id > 0)) throw unknown();
  const found = await posts.some(ids);
  for (const id of ids) refuseParent(asker, rights, found.get(id));
  return named.length === 0 ? [0] : named;
}

/** The same once more, where it is written. */
function refuseParent(asker: Asker, rights: Content['rights'], parent: Post | undefined): void {
  if (parent === undefined || parent.type === attachment.name) throw unknown();
  if (!rights.mayEdit(asker, parent)) throw testDataErrors.insufficientPermissions('attach files to this record');
}

const refused = (message: string) => invalidParam('post_parent', { code: 'rest_invalid_param', message });
const unknown = () => refused('post_parent must be the id of a record that exists and is not a file.');
