// A record as its page will look, for a user who may edit it: by their session, or by a link that was signed for them.
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Post } from '../../content/posts/post.ts';
import { previewPurpose } from '../../identity/sessions/sessions.ts';
import type { User } from '../../identity/users/user.ts';
import { textOf } from '../forms.ts';
import { type Asked, numberIn } from './asked.ts';
import type { Ground } from './needs.ts';
import { single } from './single.ts';

/** Nothing for people who may not edit the record, and for what has no page. */
export async function preview(ground: Ground, asked: Asked, visit: Visit): Promise<PageAnswer | undefined> {
  const { guest, content } = ground;
  const token = textOf(asked.query, 'preview_nonce');
  if (guest === undefined && token === '') return undefined;
  const post = await previewed(ground, asked);
  if (post === undefined || post.status === 'trash') return undefined;
  if (content.kinds.type(post.type)?.viewable !== true) return undefined;
  const user = await viewer(ground, post, token);
  if (user === undefined || !content.rights.mayEdit(askerOf(ground, user), post)) return undefined;
  const address = (await content.permalinks.of([post])).get(post.id)!;
  const shown = { ...(await withUnsaved(ground, user, post)), featured_media: pictureOf(asked, post), password: '' };
  const part = numberIn(asked.query, 'page') || 1;
  return single(ground, { post: shown, address, part, commentsPage: 1, isPreview: true }, visit);
}

/** Editors name a featured picture that is not saved yet. */
const pictureOf = ({ query }: Asked, { featured_media }: Post): number =>
  numberIn(query, '_thumbnail_id') ?? featured_media;

/** The record that the link names by `preview_id`, else the one at the address itself. */
function previewed({ content, url: home }: Ground, { query, url }: Asked): Promise<Post | undefined> {
  const id = numberIn(query, 'preview_id');
  return id === undefined ? content.permalinks.at(`${home}${url}`) : content.posts.find(id);
}

/** A link with a token opens by that alone: it names the record, and the application password that it was made with. */
async function viewer({ guest, house }: Ground, { id }: Post, token: string): Promise<User | undefined> {
  const { sessions, applicationPasswords } = house.identity;
  if (token === '') return guest?.user;
  if (guest !== undefined && sessions.isToken(guest, previewPurpose(id), token)) return guest.user;
  const password = sessions.linkPassword(previewPurpose(id), token);
  return password === undefined ? undefined : (await applicationPasswords.holderOfNumber(password))?.user;
}

function askerOf({ house }: Ground, { id, roles }: User): Asker {
  const capabilities = house.identity.roles.capabilitiesOf(roles);
  return { id, can: (capability) => capabilities.has(capability) };
}

/** With what this user wrote and has not saved, if that is newer than the record. */
async function withUnsaved({ content }: Ground, user: User, post: Post): Promise<Post> {
  const all = await content.revisions.autosaves(post.id);
  const own = all.find(({ author, date_gmt }) => author === user.id && date_gmt >= post.modified_gmt);
  return own === undefined ? post : { ...post, title: own.title, content: own.content, excerpt: own.excerpt };
}
