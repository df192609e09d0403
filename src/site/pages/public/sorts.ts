// What a record is sorted by, each with its archive.
import { type Html, html, markup } from '#lib/html.ts';
import type { Post } from '../../content/posts/post.ts';
import { balanced } from '../../content/rendering/balanced.ts';
import type { Ground } from './needs.ts';
import { ours } from './ours.ts';

export async function sorts(ground: Ground, post: Post): Promise<Html | undefined> {
  const { content } = ground;
  const type = content.kinds.type(post.type);
  const taxonomies = type === undefined ? [] : content.kinds.taxonomiesOf(type).filter((one) => one.public);
  const carried = taxonomies.length === 0 ? undefined : (await content.terms.of([post.id])).get(post.id);
  if (carried === undefined) return undefined;
  const links = await content.permalinks.ofTerms(taxonomies.flatMap(({ name }) => carried[name] ?? []));
  const rows = taxonomies
    .map(({ name, label, labels }) => ({ terms: carried[name] ?? [], label, labels }))
    .filter(({ terms }) => terms.length > 0);
  return html`<dl class="sorts">${rows.map(
    ({ terms, label, labels }) => html`
<dt${ours(ground)}>${terms.length === 1 ? label : labels}:</dt><dd>${terms.map(
      ({ id, name }, at) => html`${at > 0 && ', '}<a href="${links.get(id)}" rel="tag">${markup(balanced(name))}</a>`,
    )}</dd>`,
  )}
</dl>`;
}
