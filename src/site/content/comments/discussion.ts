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
      description: 'Whether people without an account may comment.',
    }),
    require_name_email: t.boolean({
      default: true,
      description: 'Whether who comments must give a name and an email address.',
    }),
    comment_moderation: t.boolean({
      default: false,
      description: 'Whether every comment waits until somebody approves it.',
    }),
    comment_previously_approved: t.boolean({
      default: true,
      description: 'Whether comments wait of people of whom none was approved before.',
    }),
    comment_max_links: atLeastNone('A comment with so many links waits; 0 for any number.', 2),
    moderation_words: words('Comments with one of these words wait: one in a line, also parts of words and addresses.'),
    disallowed_words: words('Comments with one of these words are put into the trash: one in a line.'),
    moderation_notify: t.boolean({
      default: true,
      description: 'Whether whoever runs the site is told by mail of comments that wait.',
    }),
    comments_notify: t.boolean({
      default: true,
      description: 'Whether authors are told by mail of comments on what they wrote.',
    }),
    close_comments_after_days: atLeastNone(
      'How long after it was published posts are open to comments; 0 for ever.',
      0,
    ),
  },
} satisfies Group;

export type DiscussionGroup = typeof discussionGroup;
