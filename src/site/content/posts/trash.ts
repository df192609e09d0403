// Putting a record into the trash, from where its next status brings it back.
import { Problem } from '#kernel/problem.ts';
import { instant } from '#store/columns.ts';
import type { During } from '#store/writing.ts';
import type { Writing } from '../tables.ts';
import { follow, keepPost } from './change.ts';
import { recount } from './counted.ts';
import type { Now } from './dates.ts';
import type { Found } from './found.ts';
import type { WritingNeeds } from './needs.ts';
import type { Post } from './post.ts';
import { freeSlug, trashedSlug } from './slugs.ts';

export async function trashPost(
  tx: Writing,
  during: During,
  before: Found,
  now: Now,
  needs: WritingNeeds,
): Promise<Post> {
  if (before.status === 'trash') throw new Problem(410, 'rest_already_trashed', 'It is in the trash already.');
  const type = needs.kinds.type(before.type)!;
  const post = await keepPost(tx, before, {
    ...before,
    status: 'trash',
    slug: await freeSlug(tx, during, trashedSlug(before.slug), { ...before, type }),
    modified: now.wall,
    modified_gmt: now.utc,
    status_before: before.status,
    slug_before: before.slug,
    trashed_at: instant(needs.clock()),
  });
  await follow(tx, during, before, post, needs);
  await needs.comments.trashed(tx, post);
  await recount(tx, before, post);
  return post;
}
