// How people may talk on the site: set by those who run it.
import { t } from '#kernel/schema.ts';
import type { Group } from '../../platform/settings/group.ts';

const mostWords = 50_000;

const words = (description: string) => t.string({ description, default: '', maxLength: mostWords });
const atLeastNone = (description: string, value: number) =>
  t.integer({ description, default: value, minimum: 0, maximum: 100_000 });

export const discussionGroup = {
  name: 'discussion',
  fields: {
    anonymous_rest_comments: t.boolean({
      default: false,
      description: 'Whether visitors can comment without an account.',
    }),
    require_name_email: t.boolean({
      default: true,
      description: 'Whether visitors must give a name and an email address to comment.',
    }),
    comment_moderation: t.boolean({
      default: false,
      description: 'Whether each comment waits until a moderator approves it.',
    }),
    comment_previously_approved: t.boolean({
      default: true,
      description: 'Whether comments wait if their author has no approved comment.',
    }),
    comment_max_links: atLeastNone('Comments with this number of links or more wait; 0 for no limit.', 2),
    moderation_words: words(
      'Comments with one of these words wait: one word on each line, also parts of words, email addresses and IP addresses.',
    ),
    disallowed_words: words('Comments with one of these words go to the trash: one word on each line.'),
    moderation_notify: t.boolean({
      default: true,
      description: 'Whether the site owner receives an email about comments that wait.',
    }),
    comments_notify: t.boolean({
      default: true,
      description: 'Whether authors receive an email about comments on their posts.',
    }),
    close_comments_after_days: atLeastNone(
      'Number of days that posts accept comments after publication; 0 for no limit.',
      0,
    ),
  },
} satisfies Group;

export type DiscussionGroup = typeof discussionGroup;
