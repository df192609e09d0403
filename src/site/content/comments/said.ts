// What people say, as it is kept.

import { withoutSteering } from '#lib/printable.ts';
import { stripTags } from '#lib/tags.ts';
import { filterComment, markLinks } from '../filter/filter.ts';
import type { CommentSaid } from './comment.ts';
import { noContent, refuseTooLong } from './faults.ts';

/** Longer ones tell nothing more of a program. */
const longestAgent = 254;

/** A line that is shown as text: tags in it would be taken for such by whoever shows it. */
const line = (text: string): string => withoutSteering(stripTags(text)).trim();

const agent = (text: string): string => withoutSteering(text).slice(0, longestAgent);

/** Throws where it is empty, also once what may not be said is taken out. */
export function keptContent(content: string, unfiltered: boolean): string {
  if (content.trim() === '') throw noContent();
  refuseTooLong({ content });
  const kept = unfiltered ? markLinks(content.replaceAll('\0', '')) : filterComment(content);
  if (kept.trim() === '') throw noContent();
  refuseTooLong({ content: kept });
  return kept;
}

/** The lines of it, each that was said. */
export function keptLines(said: CommentSaid) {
  const { author_name, author_email, author_url, author_ip, author_user_agent } = said;
  const lines = {
    ...(author_name !== undefined && { author_name: line(author_name) }),
    ...(author_email !== undefined && { author_email: author_email.trim() }),
    ...(author_url !== undefined && { author_url: withoutSteering(author_url) }),
    ...(author_ip !== undefined && { author_ip }),
    ...(author_user_agent !== undefined && { author_user_agent: agent(author_user_agent) }),
  };
  refuseTooLong(lines);
  return lines;
}
