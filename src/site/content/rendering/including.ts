// Texts that are shown within others: blocks that are kept once and used in many places.
import type { Post, Posts } from '../posts/post.ts';
import { attributesOf, fullName, hasBlocks, piecesOf } from './blocks.ts';

type Mark = Parameters<typeof attributesOf>[0];

/** The record whose text such a block shows; nothing for any other block. */
export function includedBy(content: string, of?: Post): number[] {
  if (!hasBlocks(content)) return [];
  const ids: number[] = [];
  for (const { mark } of piecesOf(content)) {
    const id = mark === undefined ? undefined : includedIn(mark, of);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** The blocks that show the text of a record. */
export const areIncluding: ReadonlySet<string> = new Set(['core/block', 'core/post-content']);

export function includedIn(mark: Mark, of?: Post): number | undefined {
  const name = fullName(mark.name);
  if (mark.ends || !areIncluding.has(name)) return undefined;
  if (name === 'core/post-content') return of?.id;
  const { ref } = attributesOf(mark);
  return Number.isSafeInteger(ref) && (ref as number) > 0 ? (ref as number) : undefined;
}

/** Of one text, in all that it includes. */
const most = 100;

/** By number; what is not there, or not for everybody, is nothing. */
export async function including(posts: Pick<Posts, 'some'>, content: string, of?: Post): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  const seen = new Set<number>();
  for (let asked = includedBy(content, of); ; ) {
    const ids = [...new Set(asked)].filter((id) => !seen.has(id)).slice(0, most - seen.size);
    if (ids.length === 0) return texts;
    for (const id of ids) seen.add(id);
    const found = [...(await posts.some(ids)).values()].filter((post) => isShown(post, of));
    for (const post of found) texts.set(post.id, post.content);
    asked = found.flatMap((post) => includedBy(post.content, of));
  }
}

const isShown = ({ id, type, status, password }: Post, of?: Post): boolean =>
  id === of?.id || (type === 'wp_block' && status === 'publish' && password === '');
