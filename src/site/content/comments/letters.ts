// Who is told of comments by mail: whoever runs the site of those that wait, and the author of a record of those that are shown.
// What comes within a quarter of an hour is one letter; nobody hears of what was put aside.
import { readText } from '#lib/html-tokens.ts';
import { printable } from '#lib/printable.ts';
import { minute } from '#lib/spans.ts';
import type { Mail } from '../../email/mail.ts';
import type { Users } from '../../identity/users/users.ts';
import type { AboutNow } from '../../platform/about.ts';
import type { Events } from '../../platform/events.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { SiteGroup } from '../../platform/settings/site.ts';
import type { Permalinks } from '../permalinks.ts';
import type { Post, Posts } from '../posts/post.ts';
import type { Comment, Comments } from './comment.ts';
import { discussionGroup } from './discussion.ts';
import { isNote } from './notes.ts';
import type { Threads } from './threads.ts';

interface CommentLettersNeeds {
  readonly events: Pick<Events, 'on'>;
  readonly mail: Pick<Mail, 'gather' | 'sift'>;
  readonly about: AboutNow;
  readonly settings: Pick<Settings, 'read'>;
  readonly siteGroup: SiteGroup;
  readonly users: Pick<Users, 'find'>;
  readonly content: {
    readonly posts: Pick<Posts, 'find'>;
    readonly comments: Pick<Comments, 'list'>;
    readonly permalinks: Pick<Permalinks, 'of'>;
    readonly threads: Pick<Threads, 'links'>;
  };
  /** Where comments are changed over the interface. */
  readonly changedAt: string;
}

const every = 15 * minute;
/** The names of the two digests. */
const waiting = 'comments that wait';
const shown = 'comments';

const howTo = (at: string): string =>
  `To publish this comment, approve it in the app that you use for this site. Its URL in the API:
${at}`;

export function tellOfComments({
  events,
  mail,
  about,
  settings,
  siteGroup,
  users,
  content,
  changedAt,
}: CommentLettersNeeds): void {
  const gather = async (to: string, digest: string, what: string, comment: Comment, text: string): Promise<void> => {
    const { title } = await about();
    await mail.gather({ to, digest, subject: `[${title}] ${what}`, text, every, about: String(comment.id) });
  };

  const linkTo = async (post: Post): Promise<string> => (await content.permalinks.of([post])).get(post.id) ?? '';

  const inState = (status: string) => async (ids: readonly string[]) => {
    const wanted = { include: ids.map(Number), statuses: [status], limit: ids.length, offset: 0 };
    if (ids.length === 0) return new Set<string>();
    const { items } = await content.comments.list({ ...wanted, order: 'asc', orderBy: 'id' });
    return new Set(items.map(({ id }) => String(id)));
  };
  mail.sift(waiting, inState('hold'));
  mail.sift(shown, inState('approved'));

  const waits = async (comment: Comment, post: Post): Promise<void> => {
    if (!(await settings.read(discussionGroup)).moderation_notify) return;
    const { email } = await settings.read(siteGroup);
    const text = entryOf(comment, post, [await linkTo(post), howTo(`${changedAt}/${comment.id}`)]);
    await gather(email, waiting, 'Comments are waiting for approval', comment, text);
  };

  const isShown = async (comment: Comment, post: Post): Promise<void> => {
    if (post.author === 0 || post.author === comment.user_id) return;
    if (!(await settings.read(discussionGroup)).comments_notify) return;
    const author = await users.find(post.author);
    if (author === undefined) return;
    const links = await content.threads.links([comment], await content.permalinks.of([post]));
    const text = entryOf(comment, post, [links.get(comment.id) ?? '']);
    await gather(author.email, shown, 'New comments on your posts', comment, text);
  };

  events.on('comment.added', async ({ comment, post, isQuiet }) => {
    // Those who edit a record read its notes there.
    if (isQuiet || isNote(comment)) return;
    if (comment.status === 'hold') await waits(comment, post);
    if (comment.status === 'approved') await isShown(comment, post);
  });
  events.on('comment.changed', async ({ comment, before }) => {
    if (isNote(comment) || before.status !== 'hold' || comment.status !== 'approved') return;
    const post = await content.posts.find(comment.post_id);
    if (post !== undefined) await isShown(comment, post);
  });
}

/** The rest is read where it stands. */
const longest = 1_000;

/** Words of others, as text: nothing in it is markup, or turns a line into another one. */
function entryOf({ author_name, content }: Comment, { title }: Post, links: readonly string[]): string {
  const lines = readText(content).slice(0, longest).split(/\r?\n/);
  const said = lines.map((line) => `> ${printable(line)}`).join('\n');
  return `${printable(readText(author_name) || 'A visitor')} about "${printable(readText(title))}":\n\n${said}\n\n${links.join('\n')}`;
}
