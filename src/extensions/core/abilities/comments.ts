// What is said about records, judged.
import type { Toolkit } from '#site/extension.ts';
import { moderates } from '../comments/refusals.ts';
import type { Core } from '../core.ts';
import { byNumber, closed } from './parts.ts';

export function moderating(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  return ability({
    name: 'comments/moderate',
    label: 'Judge a comment',
    description: 'Shows a comment, has it wait, calls it spam, or puts it into the trash.',
    category: 'content',
    input: t.object(
      {
        id: byNumber(tools, 'The number of the comment.'),
        action: t.choice(['approve', 'hold', 'spam', 'trash'], { description: 'What becomes of it.' }),
      },
      closed,
    ),
    output: t.object(
      { id: byNumber(tools, 'Its number.'), status: t.string({ description: 'What became of it.' }) },
      closed,
    ),
    annotations: { readonly: false, destructive: false, idempotent: true },
    may: ({ caller }) => moderates(caller),
    run: async ({ input: { id: number, action }, caller, use }) => {
      const comment = await use.comments.get(number);
      const { id, status } =
        action === 'trash'
          ? await use.comments.trash(comment, caller)
          : await use.comments.change(comment, { status: action }, caller);
      return { id, status };
    },
  });
}
