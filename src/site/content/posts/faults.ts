// What must be true of a record by itself, and how it is said when it is not.
import { Problem } from '#kernel/problem.ts';
import type { Writing } from '../tables.ts';
import type { ContentType } from '../types.ts';
import type { Post, Said } from './post.ts';

const largest = 4 * 1024 * 1024;

export const noSuchPost = (): Problem => new Problem(404, 'rest_post_invalid_id', 'There is no such record.');

export function there<P extends Pick<Post, 'type'>>(post: P | undefined, type?: string): P {
  if (post === undefined || (type !== undefined && post.type !== type)) throw noSuchPost();
  return post;
}

export function refuseTooLarge({ title = '', content = '', excerpt = '' }: Said): void {
  if ([title, content, excerpt].every((text) => Buffer.byteLength(text) <= largest)) return;
  throw new Problem(413, 'rest_content_too_large', 'A text may have 4 MiB at most. Please divide it.');
}

export async function refuseUnknownAuthor(tx: Writing, author: number): Promise<void> {
  const user = await tx.selectFrom('users').select('id').where('id', '=', author).executeTakeFirst();
  if (user === undefined) throw new Problem(400, 'rest_invalid_author', 'There is no such author.');
}

/** What is shown first of all is for everybody. */
export function refuseHiddenSticky({ sticky, password }: Pick<Post, 'sticky' | 'password'>): void {
  if (sticky === 0 || password === '') return;
  throw new Problem(400, 'rest_invalid_field', 'A post with a password cannot be sticky.');
}

export function refuseEmpty({ supports }: ContentType, { title, content, excerpt }: Post | Texts): void {
  if (title !== '' || content !== '' || excerpt !== '') return;
  const isWritten = (['title', 'editor', 'excerpt'] as const).every((one) => supports.includes(one));
  if (isWritten)
    throw new Problem(400, 'empty_content', 'Please write something: title, content and excerpt are empty.');
}

type Texts = Pick<Post, 'title' | 'content' | 'excerpt'>;

/** The site has no templates of its own yet, so a new name can only be a mistake. */
export function refuseUnknownTemplate(template: string | undefined, before = ''): void {
  if (template === undefined || template === '' || template === before) return;
  const [code, message] = ['rest_invalid_param', 'The site has no such template.'];
  throw new Problem(400, code, message, {
    params: { template: message },
    details: { template: { code, message, data: null } },
  });
}

/** `near`: what it is to lie below, among others. Throws also where it would lie below itself. */
export function refuseParent(near: Near, parent: number, type: ContentType, id?: number): void {
  if (parent === 0) return;
  const own = near.find((one) => one.id === parent);
  const fits = own !== undefined && (!type.hierarchical || own.type === type.name);
  if (!fits || near.some((one) => one.id === id))
    throw new Problem(
      400,
      'rest_post_invalid_id',
      'It cannot be placed there: there is no such record, or it lies below.',
    );
}

type Near = readonly Pick<Post, 'id' | 'type'>[];
