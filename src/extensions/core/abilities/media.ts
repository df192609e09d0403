// Files that nothing on the site shows.
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { byNumber, closed, optionally, reading } from './parts.ts';

export function unusedMedia(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  return ability({
    name: 'media/find-unused',
    label: 'Find files that are not used',
    description:
      'Finds files, the oldest first, that belong to no record, stand for none, and are named in no text. What a front end shows of its own accord is not known.',
    category: 'media',
    input: t.object(
      { limit: t.integer({ default: 20, minimum: 1, maximum: 100, description: 'How many at most.' }) },
      optionally,
    ),
    output: t.list(
      t.object(
        { id: byNumber(tools, 'Its number.'), filename: t.string({ description: 'The name of the file.' }) },
        closed,
      ),
    ),
    annotations: reading,
    may: ({ caller }) => caller.can('upload_files'),
    run: ({ input, caller, use }) => use.unused(input.limit, caller),
  });
}
