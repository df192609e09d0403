// How a record will look, for whoever is still at it: by the link that the interface gave their session.
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Post } from '../../content/posts/post.ts';
import type { Session } from '../../identity/sessions/sessions.ts';
import { type Asked, numberIn } from './asked.ts';
import type { Ground } from './needs.ts';
import { single } from './single.ts';

/** Nothing for anybody else, and for what they may not edit any more. */
export async function preview(ground: Ground, { query }: Asked, visit: Visit): Promise<PageAnswer | undefined> {
  const { house, guest, content } = ground;
  const id = numberIn(query, 'preview_id');
  if (guest === undefined || id === undefined) return undefined;
  if (!house.identity.sessions.isToken(guest, `preview ${id}`, query.preview_nonce)) return undefined;
  const post = await content.posts.find(id);
  if (post === undefined || content.kinds.type(post.type)?.viewable !== true) return undefined;
  if (!content.rights.mayEdit(askerOf(ground, guest), post)) return undefined;
  const address = (await content.permalinks.of([post])).get(id)!;
  // A draft has no address that others could be led on from.
  const shown = { ...(await unsaved(ground, guest, post)), password: '' };
  return single(ground, { post: shown, address, part: 1, commentsPage: 1, isPreview: true }, visit);
}

function askerOf({ house }: Ground, { user }: Session): Asker {
  const capabilities = house.identity.roles.capabilitiesOf(user.roles);
  return { id: user.id, can: (capability) => capabilities.has(capability) };
}

/** With what they have written and not saved, if that is newer. */
async function unsaved({ content }: Ground, { user }: Session, post: Post): Promise<Post> {
  const all = await content.revisions.autosaves(post.id);
  const own = all.find(({ author, date_gmt }) => author === user.id && date_gmt >= post.modified_gmt);
  return own === undefined ? post : { ...post, title: own.title, content: own.content, excerpt: own.excerpt };
}
