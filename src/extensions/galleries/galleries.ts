// Galleries and albums as clients of the gallery namespaces make and change them.

import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Changing, Post, PostInput } from '#site/content/posts/post.ts';
import type { ContentRights } from '#site/content/rights.ts';
import type { ContentType } from '#site/content/types.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Doing } from '#site/identity/doing.ts';
import type { SiteServices } from '#site/services.ts';
import { galleryErrors } from './errors.ts';
import { albumType, galleryType } from './types.ts';

type GalleryDeps = Pick<SiteServices, 'content' | 'identity'>;

export type Galleries = ReturnType<typeof createGalleries>;

const uploads = 'upload_files';
const unfilteredHtml = 'unfiltered_html';

function refuseWrite(
  asker: Asker,
  rights: ContentRights,
  { type, said, target }: { type: ContentType; said: PostInput; target: Post | undefined },
): void {
  const may = target === undefined ? rights.mayCreate(asker, type) : rights.mayEdit(asker, target);
  if (!may) throw kernelErrors.forbidden();
  const publishes = said.status !== undefined && said.status !== target?.status;
  if (publishes && ['publish', 'future', 'private'].includes(said.status) && !rights.mayPublish(asker, type))
    throw kernelErrors.forbidden('publish galleries');
}

export function createGalleries({ content: { posts, rights }, identity }: GalleryDeps) {
  /** On behalf of who asks. What they may is asked again in the write. */
  const writingAs = (caller: Caller, type: ContentType, said: PostInput, before?: Post): Changing => {
    refuseWrite(caller, rights, { type, said, target: before });
    const unfiltered = caller.can(unfilteredHtml);
    const doing = identity.doing<Post>(credentialOf(caller), (asker, target) => {
      refuseWrite(asker, rights, { type, said, target });
      if (unfiltered && !asker.can(unfilteredHtml)) throw kernelErrors.forbidden();
    });
    return { ...doing, writer: caller.id, unfiltered };
  };

  const find = async (type: ContentType, id: number): Promise<Post | undefined> => {
    const post = await posts.find(id);
    return post?.type === type.name && post.status !== 'trash' ? post : undefined;
  };

  return {
    writingAs,

    /** For pictures, which this account may upload. */
    uploadingAs: (caller: Caller): Doing<Post> =>
      identity.doing<Post>(credentialOf(caller), (asker) => {
        if (!asker.can(uploads)) throw kernelErrors.forbidden('upload pictures');
      }),

    /** The same for a job: the account may have lost its rights, or be gone, since it was started. */
    async uploadingFor(id: number): Promise<Doing<Post>> {
      const refuse = async (target?: Post): Promise<void> => {
        const user = await identity.users.find(id);
        const capabilities = identity.roles.capabilitiesOf(user?.roles ?? []);
        if (!capabilities.has(uploads)) throw kernelErrors.forbidden('upload pictures');
        const asker = { id, can: (capability: string) => capabilities.has(capability) };
        if (target?.type === galleryType.name && !rights.mayEdit(asker, target))
          throw kernelErrors.forbidden('change this gallery');
      };
      await refuse();
      return { by: id, again: (_, target) => refuse(target) };
    },

    save: (type: ContentType, before: Post | undefined, said: PostInput, caller: Caller): Promise<Post> => {
      const writing = writingAs(caller, type, said, before);
      return before === undefined ? posts.add(type.name, said, writing) : posts.change(before, said, writing);
    },

    /** The gallery, if this account may change it. */
    async gallery(id: number, caller: Caller): Promise<Post> {
      const post = await find(galleryType, id);
      if (post === undefined) throw galleryErrors.galleryNotFound(id);
      if (!rights.mayEdit(caller, post)) throw kernelErrors.forbidden('change this gallery');
      return post;
    },

    async album(id: number, caller: Caller): Promise<Post> {
      const post = await find(albumType, id);
      if (post === undefined) throw galleryErrors.albumNotFound(id);
      if (!rights.mayEdit(caller, post)) throw kernelErrors.forbidden('change this album');
      return post;
    },
  };
}
