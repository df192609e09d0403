// What people call test data.
import type { Content } from '#site/content/content.ts';
import type { Post } from '#site/content/posts/post.ts';
import { attachment, category, tag } from '#site/content/types.ts';
import type { Users } from '#site/identity/users/users.ts';
import type { Kind } from './marks.ts';

export interface Called {
  /** `page` */
  readonly what: string;
  /** Empty, where it has none. */
  readonly title: string;
}

interface Nouns {
  readonly content: Pick<Content, 'posts' | 'terms'>;
  readonly identity: { readonly users: Pick<Users, 'find'> };
}

const words: Readonly<Record<string, string>> = {
  post: 'post',
  page: 'page',
  [attachment.name]: 'picture',
  [category.name]: 'category',
  [tag.name]: 'tag',
};

const among = (name = '', other: string): string => (Object.hasOwn(words, name) ? words[name]! : other);

/** For a type of records. */
export const wordFor = (type: string): string => among(type, 'record');

/** `the page 71, "About us"` */
export const titled = ({ id, type, title }: Pick<Post, 'id' | 'type' | 'title'>): string =>
  `the ${wordFor(type)} ${id}, "${title}"`;

export async function calledOf({ content, identity }: Nouns, kind: Kind, id: number): Promise<Called> {
  if (kind === 'comments') return { what: 'comment', title: '' };
  if (kind === 'users') return { what: 'user', title: (await identity.users.find(id))?.login ?? '' };
  if (kind === 'terms') {
    const term = await content.terms.find(id);
    return { what: among(term?.taxonomy, 'term'), title: term?.name ?? '' };
  }
  const post = await content.posts.find(id);
  return { what: among(post?.type, 'record'), title: post?.title ?? '' };
}
