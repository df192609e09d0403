// Who is told of comments by mail: whoever runs the site of those that wait, and the author of a record of those that are shown.
// What comes within a quarter of an hour is one letter; nobody hears of what was put aside.
import { readText } from '#lib/html-tokens.ts';
import { printable } from '#lib/printable.ts';
import { minute } from '#lib/spans.ts';
import type { AboutNow } from '../../about.ts';
import type { Events } from '../../events.ts';
import type { Users } from '../../identity/users/users.ts';
import type { Mail } from '../../mail/mail.ts';
import type { Settings } from '../../settings/settings.ts';
import type { SiteGroup } from '../../settings/site.ts';
import type { Permalinks } from '../permalinks.ts';
import type { Post, Posts } from '../posts/post.ts';
import type { Comment } from './comment.ts';
import { discussionGroup } from './discussion.ts';

interface CommentLettersNeeds {
  readonly events: Pick<Events, 'on'>;
  readonly mail: Pick<Mail, 'gather'>;
  readonly about: AboutNow;
  readonly settings: Pick<Settings, 'read'>;
  readonly siteGroup: SiteGroup;
  readonly users: Pick<Users, 'find'>;
  readonly content: { readonly posts: Pick<Posts, 'find'>; readonly permalinks: Pick<Permalinks, 'of'> };
}

const every = 15 * minute;

export function tellOfComments({
  events,
  mail,
  about,
  settings,
  siteGroup,
  users,
  content,
}: CommentLettersNeeds): void {
  const gather = async (to: string, digest: string, what: string, comment: Comment, post: Post): Promise<void> => {
    const { title } = await about();
    const link = (await content.permalinks.of([post])).get(post.id) ?? '';
    const text = entryOf(comment, post, `${link}#comment-${comment.id}`);
    await mail.gather({ to, digest, subject: `[${title}] ${what}`, text, every });
  };

  const waits = async (comment: Comment, post: Post): Promise<void> => {
    if (!(await settings.read(discussionGroup)).moderation_notify) return;
    const { email } = await settings.read(siteGroup);
    await gather(email, 'comments that wait', 'Comments wait for somebody to look at them', comment, post);
  };

  const isShown = async (comment: Comment, post: Post): Promise<void> => {
    if (post.author === 0 || post.author === comment.user_id) return;
    if (!(await settings.read(discussionGroup)).comments_notify) return;
    const author = await users.find(post.author);
    if (author !== undefined) await gather(author.email, 'comments', 'New comments on what you wrote', comment, post);
  };

  events.on('comment.added', async ({ comment, post }) => {
    if (comment.status === 'hold') await waits(comment, post);
    if (comment.status === 'approved') await isShown(comment, post);
  });
  events.on('comment.changed', async ({ comment, before }) => {
    if (before.status !== 'hold' || comment.status !== 'approved') return;
    const post = await content.posts.find(comment.post_id);
    if (post !== undefined) await isShown(comment, post);
  });
}

/** The rest is read where it stands. */
const longest = 1_000;

/** Words of others, as text: nothing in it is markup, or turns a line into another one. */
function entryOf({ author_name, content }: Comment, { title }: Post, link: string): string {
  const lines = readText(content).slice(0, longest).split(/\r?\n/);
  const said = lines.map((line) => `> ${printable(line)}`).join('\n');
  return `${printable(readText(author_name) || 'Somebody')} about "${printable(readText(title))}":\n\n${said}\n\n${link}`;
}
