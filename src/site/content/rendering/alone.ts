// A block by itself, written as somebody would write it into a text.
import { escapeHtml } from '#lib/html.ts';
import { markAlone } from '../marks.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** What it shows stands on a line of its own. */
const embed = 'core/embed';

/** What shows something although it is made of nothing but a line that is looked up. */
export const isLine = (name: string): boolean => name === embed;

export function blockAlone(name: string, attributes: Attributes): string {
  if (name !== embed) return markAlone(name, attributes);
  const { url } = attributes;
  const line = typeof url === 'string' && /^https?:\/\/\S+$/i.test(url) ? escapeHtml(url) : '';
  return `<!-- wp:embed --><figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${line}\n</div></figure><!-- /wp:embed -->`;
}
