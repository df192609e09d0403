// Files with what their records show, for whoever looks: for a whole page of them at once.
import type { Caller } from '#kernel/caller.ts';
import { invalidParam } from '#kernel/errors.ts';
import type { Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Upload } from '#kernel/upload.ts';
import type { ImageSize } from '#lib/image-sizes.ts';
import type { Content } from '#site/content/content.ts';
import { contentErrors } from '#site/content/errors.ts';
import { along, type Extra } from '#site/content/extending.ts';
import {
  type Edit,
  inFolderOf,
  type MediaFile,
  type MediaInput,
  type UploadOptions,
} from '#site/content/media/media.ts';
import type { Post, Wanted } from '#site/content/posts/post.ts';
import { findPost } from '#site/content/posts/rows.ts';
import type { Writing } from '#site/content/tables.ts';
import { attachment } from '#site/content/types.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Judge } from '#site/identity/doing.ts';
import type { Identity } from '#site/identity/identity.ts';
import { coreErrors } from '../errors.ts';
import { createLoading, type ListLook, type Look, onPage } from '../posts/loading.ts';
import {
  narrowedFor,
  publishRefusal,
  refusalOf,
  strippedRefusal,
  unfilteredHtml,
  type Wish,
} from '../posts/refusals.ts';
import type { FoundPost, ShownPost } from '../posts/shown-post.ts';

export type ShownMedia = ReturnType<typeof createShownMedia>;

/** What came with a file: what is said of it, what is to be made of it, and all that was sent. */
interface Uploaded {
  readonly said: MediaInput;
  readonly how: UploadOptions;
  readonly sent: object;
}

/** Before the write by what everybody sees, and once more by what the write does. */
type Judging = (asker: Asker, target: Post | undefined, find: Content['posts']['find']) => Promise<void>;

/** A record that came without its file, from another system perhaps. */
const gone: MediaFile = {
  file: '',
  original: null,
  size: 0,
  width: null,
  height: null,
  alt_text: '',
  sizes: {},
  about: {},
  isUnfinished: false,
};

function inLibrary({ urlOf, sizes }: Content['media'], file: MediaFile) {
  const folder = urlOf(inFolderOf(file.file, ''));
  return { file, sizes, addressOf: (name: string) => `${folder}${encodeURIComponent(name)}` };
}

export function createShownMedia(content: Content, { doing }: Pick<Identity, 'doing'>) {
  const { posts, rights, media, kinds } = content;
  const { load } = createLoading(content);
  const { judging, writing, deleting } = createJudges(content, doing);

  const all = async (some: readonly Post[], look: Look, extra: Extra): Promise<ShownMedium[]> => {
    const [loaded, files, others] = await Promise.all([
      load(some, look, extra),
      media.files(some.map(({ id }) => id)),
      posts.some([...new Set(some.map(({ parent }) => parent).filter((id) => id > 0))]),
    ]);
    return loaded.map((post) => {
      const file = files.get(post.id) ?? gone;
      const other = others.get(post.parent);
      const base = other && kinds.type(other.type)?.base;
      return {
        ...post,
        ...inLibrary(media, file),
        attachedTo: other && base ? { id: other.id, type: other.type, base } : undefined,
      };
    });
  };

  const shown = async (post: Post, look: Look, extra: Extra) => (await all([post], look, extra))[0]!;

  return {
    shown,

    async list(asked: Wanted, look: ListLook, extra: Extra) {
      const { caller, editing } = look;
      const wanted = { ...asked, ...narrowedFor(caller, asked, [attachment], content) };
      const { items, total } = onPage(await posts.list(wanted), wanted, look);
      const may = await Promise.all(
        items.map((post) => (editing ? rights.mayEdit(caller, post) : rights.mayRead(caller, post))),
      );
      const seen = items.filter((_, at) => may[at]);
      return { total, items: await all(seen, look, extra) };
    },

    async add(upload: Upload, { said, how, sent }: Uploaded, look: Look, extra: Extra): Promise<ShownMedium> {
      const written = { ...(await writing(look.caller, judging(said))), ...along(extra, sent, look.caller) };
      const post = await media.add(upload, said, written, how);
      return shown(post, look, extra);
    },

    async change(post: FoundPost, said: MediaInput, look: Look, extra: Extra, sent: object): Promise<ShownMedium> {
      const written = { ...(await writing(look.caller, judging(said), post)), ...along(extra, sent, look.caller) };
      return shown(await media.change(post, said, written), look, extra);
    },

    async finish(post: FoundPost, look: Look, extra: Extra): Promise<ShownMedium> {
      return shown(await media.finish(post, await writing(look.caller, judging({}), post)), look, extra);
    },

    async edit(post: FoundPost, source: string, edits: readonly Edit[], said: MediaInput, look: Look, extra: Extra) {
      const isTheirs = judging(said);
      const judge: Judging = async (asker, target, find) => {
        const now = await find(post.id);
        if (now === undefined || !rights.mayEdit(asker, now)) throw coreErrors.cannotEditImage();
        await isTheirs(asker, target, find);
      };
      return shown(await media.edit(post, source, edits, said, await writing(look.caller, judge)), look, extra);
    },

    /** As it was while it was there. */
    async erase(post: FoundPost, look: Look, extra: Extra): Promise<ShownMedium> {
      const before = await shown(post, look, extra);
      await media.erase(post, deleting(look.caller, post));
      return before;
    },
  };
}

/** Rights are asked once more in the write: by then the record, and what they may, can be other than they were. */
function createJudges({ posts, rights }: Content, doing: Identity['doing']) {
  const judging = (said: MediaInput): Judging => {
    const wish = { ...said, post: said.parent };
    return async (asker, target, find) => {
      const refusal =
        refusalOf(asker, rights, attachment, wish, target) ??
        publishRefusal(asker, rights, attachment, wish, target) ??
        (await attachingRefusal(asker, { rights, find }, wish, target));
      if (refusal !== undefined) throw refusal;
    };
  };

  const writing = async (caller: Caller, judge: Judging, post?: Post) => {
    await judge(caller, post, posts.find);
    const unfiltered = caller.can(unfilteredHtml);
    const again: Judge<Post, Writing> = async (asker, target, tx) => {
      await judge(asker, target, (id) => findPost(tx, id));
      const refusal = strippedRefusal(asker, unfiltered);
      if (refusal !== undefined) throw refusal;
    };
    return { ...doing(credentialOf(caller), again), writer: caller.id, unfiltered };
  };

  const deleting = (caller: Caller, post: Post) =>
    doing<Post>(credentialOf(caller), (asker, target = post) => {
      if (!rights.mayDelete(asker, target)) throw contentErrors.cannotDelete();
    });

  return { judging, writing, deleting };
}

export interface ShownMedium extends ShownPost {
  readonly file: MediaFile;
  /** The registered sizes of copies. */
  readonly sizes: readonly ImageSize[];
  /** The public address of a file beside its own. */
  addressOf(name: string): string;
  /** What it is attached to, when that is there. */
  readonly attachedTo: { readonly id: number; readonly type: string; readonly base: string } | undefined;
}

export interface Attaching extends Wish {
  readonly post?: number | undefined;
}

interface AttachingNeeds extends Pick<Content, 'rights'> {
  /** Inside a write, by what that sees. */
  readonly find: Content['posts']['find'];
}

/** What it is to be attached to has to be theirs to edit; whether there is such a record is nobody else's concern. */
export async function attachingRefusal(
  asker: Asker,
  { rights, find }: AttachingNeeds,
  { post = 0 }: Attaching,
  before?: Pick<Post, 'parent'>,
): Promise<Problem | undefined> {
  if (post === 0 || post === before?.parent) return undefined;
  const other = await find(post);
  if (other === undefined || !rights.mayEdit(asker, other))
    return contentErrors.cannotEdit('attach files to this record');
  return other.type === 'attachment' ? attachedToFile() : undefined;
}

const attachedToFile = (): Problem =>
  invalidParam('post', { code: 'rest_invalid_param', message: 'A file cannot be attached to a file.' });
