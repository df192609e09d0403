// What must be true of a record by itself, and how it is said when it is not.
import { invalidParam, kernelErrors } from '#kernel/errors.ts';
import { contentErrors } from '../errors.ts';
import type { Writing } from '../tables.ts';
import type { ContentType } from '../types.ts';
import type { Post, PostInput } from './post.ts';

const largest = 4 * 1024 * 1024;

/** What users call the records of a type. */
const nouns: Readonly<Record<string, string>> = { post: 'Post', page: 'Page', attachment: 'Media item' };

export function there<P extends Pick<Post, 'type'>>(post: P | undefined, id: number, type?: string): P {
  if (post === undefined || (type !== undefined && post.type !== type))
    throw contentErrors.postInvalidId(id, nouns[type ?? '']);
  return post;
}

export function refuseTooLarge({ title = '', content = '', excerpt = '' }: PostInput): void {
  if ([title, content, excerpt].every((text) => Buffer.byteLength(text) <= largest)) return;
  throw contentErrors.contentTooLarge();
}

export async function refuseUnknownAuthor(tx: Writing, author: number): Promise<void> {
  const user = await tx.selectFrom('users').select('id').where('id', '=', author).executeTakeFirst();
  if (user === undefined) throw contentErrors.invalidAuthor();
}

/** What is shown first of all is for everybody. */
export function refuseHiddenSticky({ sticky, password }: Pick<Post, 'sticky' | 'password'>): void {
  if (sticky === 0 || password === '') return;
  throw contentErrors.invalidField();
}

export function refuseEmpty({ supports }: ContentType, { title, content, excerpt }: Post | Texts): void {
  if (title !== '' || content !== '' || excerpt !== '') return;
  const isWritten = (['title', 'editor', 'excerpt'] as const).every((one) => supports.includes(one));
  if (isWritten)
    throw kernelErrors
      .emptyContent()
      .saying('The title, the content and the excerpt are empty. Send at least 1 of them.');
}

type Texts = Pick<Post, 'title' | 'content' | 'excerpt'>;

/** The site has no templates of its own yet, so a new name can only be a mistake. */
export function refuseUnknownTemplate(template: string | undefined, before = ''): void {
  if (template === undefined || template === '' || template === before) return;
  throw invalidParam('template', { code: 'rest_invalid_param', message: 'This template does not exist.' });
}

/** `near`: what it is to lie below, among others. Throws also where it would lie below itself. */
export function refuseParent(near: Near, parent: number, type: ContentType, id?: number): void {
  if (parent === 0) return;
  const own = near.find((one) => one.id === parent);
  const fits = own !== undefined && (!type.hierarchical || own.type === type.name);
  if (!fits || near.some((one) => one.id === id)) throw contentErrors.postInvalidParent();
}

type Near = readonly Pick<Post, 'id' | 'type'>[];
