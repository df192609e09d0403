// Blocks that are shown as they were written, but for a class or a number.
import { eachToken } from '#lib/html-tokens.ts';
import type { Mark } from '../marks.ts';
import { attributesOf, type WriteBlock } from './blocks.ts';
import { paragraphs } from './paragraphs.ts';

/** Nobody puts blocks deeper into each other; and whatever stands within them is gone through once for each. */
const deepest = 50;

export const asItStands: WriteBlock = (mark, inner, within) => {
  if (within.length > deepest) return inner;
  switch (mark.name) {
    case 'heading':
      return withClass(inner, /<h[1-6](?=[\s>])/i, 'wp-block-heading');
    case 'list':
      return withClass(inner, /<[uo]l(?=[\s>])/i, 'wp-block-list');
    case 'image':
      return within.at(-1)?.mark.name === 'gallery' ? numbered(inner, mark) : inner;
    case 'shortcode':
      return within.some(({ mark: { name } }) => name === 'shortcode') ? inner : paragraphs(inner);
    default:
      return inner;
  }
};

/** On the first such tag. */
function withClass(html: string, opening: RegExp, name: string): string {
  const begin = opening.exec(html);
  if (begin === null) return html;
  const from = begin.index + begin[0].length;
  const end = html.indexOf('>', from);
  if (end < 0) return html;
  const tag = html.slice(from, end);
  if (new RegExp(`\\sclass\\s*=\\s*(?:"[^"]*\\b${name}\\b|'[^']*\\b${name}\\b)`, 'i').test(tag)) return html;
  const classed = /\sclass\s*=\s*(["'])/i.exec(tag);
  const said =
    classed === null
      ? ` class="${name}"${tag}`
      : `${tag.slice(0, classed.index + classed[0].length)}${name} ${tag.slice(classed.index + classed[0].length)}`;
  return html.slice(0, from) + said + html.slice(end);
}

/** The picture of a block stands at its beginning. */
const farEnough = 8 * 1024;

/** Whoever shows a gallery large asks which picture it is. */
function numbered(html: string, mark: Mark): string {
  const { id } = attributesOf(mark);
  if (!Number.isSafeInteger(id)) return html;
  let behindName: number | undefined;
  eachToken(html.slice(0, farEnough), (token) => {
    if (behindName !== undefined || token.kind !== 'open' || token.name !== 'img') return;
    if (token.attributes.every(({ name }) => name !== 'data-id')) behindName = token.start + '<img'.length;
  });
  return behindName === undefined ? html : `${html.slice(0, behindName)} data-id="${id}"${html.slice(behindName)}`;
}
