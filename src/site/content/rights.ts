// Who may do what with a record: asked of its type's capabilities, its author and its status.
import { isNobody } from '#kernel/caller.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Post } from './posts/post.ts';
import { statusOf } from './statuses.ts';
import type { ContentType, Kinds } from './types.ts';

type Subject = Pick<Post, 'type' | 'status' | 'author' | 'parent' | 'status_before'>;

/** What a record that goes with another is asked for: the other one. Nothing when there is none. */
type ParentOf = (parent: number) => Promise<Subject | undefined>;

export interface ContentRights {
  mayCreate(asker: Asker, type: ContentType): boolean;
  mayEdit(asker: Asker, post: Subject): boolean;
  mayDelete(asker: Asker, post: Subject): boolean;
  /** A record that goes with another is read as that one is; by whose it is, in any case. */
  mayRead(asker: Asker, post: Subject): boolean | Promise<boolean>;
  mayPublish(asker: Asker, type: ContentType): boolean;
  mayEditOthers(asker: Asker, type: ContentType): boolean;
}

const published = new Set(['publish', 'future']);

export function createContentRights(kinds: Kinds, parentOf: ParentOf): ContentRights {
  const isOwn = (asker: Asker, { author }: Subject): boolean => !isNobody(asker) && asker.id === author;

  const may =
    (deed: 'edit' | 'delete') =>
    (asker: Asker, post: Subject): boolean => {
      const capabilities = kinds.type(post.type)?.capabilities;
      if (capabilities === undefined) return false;
      const status = post.status === 'trash' ? (post.status_before ?? 'draft') : post.status;
      const isOwned = isOwn(asker, post);
      if (!asker.can(isOwned ? capabilities[deed] : capabilities[`${deed}_others`])) return false;
      if (published.has(status)) return asker.can(capabilities[`${deed}_published`]);
      return status !== 'private' || isOwned || asker.can(capabilities[`${deed}_private`]);
    };

  const mayEdit = may('edit');

  const mayRead = (asker: Asker, post: Subject): boolean | Promise<boolean> => {
    const type = kinds.type(post.type);
    if (type === undefined) return false;
    if (type.guarded && !asker.can(type.capabilities.edit)) return false;
    if (isOwn(asker, post)) return true;
    if (post.status === 'inherit') return readAs(asker, post);
    const status = statusOf(post.status);
    if (status?.public) return true;
    return status?.private ? asker.can(type.capabilities.read_private) : mayEdit(asker, post);
  };

  const readAs = async (asker: Asker, { parent }: Subject): Promise<boolean> => {
    const other = parent === 0 ? undefined : await parentOf(parent);
    return other === undefined || mayRead(asker, other);
  };

  return {
    mayCreate: (asker, { capabilities }) => asker.can(capabilities.create),
    mayEdit,
    mayDelete: may('delete'),
    mayRead,
    mayPublish: (asker, { capabilities }) => asker.can(capabilities.publish),
    mayEditOthers: (asker, { capabilities }) => asker.can(capabilities.edit_others),
  };
}
