// What a text may show of the record that it belongs to.
import type { Post } from '../../posts/post.ts';
import { longest, shortened } from '../excerpts.ts';
import { live } from '../live.ts';
import { type Attributes, classOf, isSet, quoted, textIn, wholeIn, worded } from './markup.ts';
import type { BlockNeeds } from './open-records.ts';
import { inLink, withoutParagraphs } from './open-records.ts';
import { pictureHtml, type Shown, shownPictures, sizeIn } from './pictures.ts';
import { siteNow, type Told } from './site-now.ts';

const linkOf = async ({ permalinks }: BlockNeeds, of: Post): Promise<string> =>
  (await permalinks.of([of])).get(of.id) ?? '';

interface Linked {
  readonly url: string;
}

/** Around it, where somebody wants it to lead there. */
export function leading(html: string, { url }: Linked, { isLink, linkTarget, rel }: Attributes): string {
  if (!isSet(isLink)) return html;
  const target = linkTarget === '_blank' ? '_blank' : '_self';
  const relation = textIn(rel, 100);
  return `<a href="${worded(url)}" target="${target}"${relation && ` rel="${worded(relation)}"`}>${inLink(html)}</a>`;
}

/** The tag of a heading of this level; none stands in a paragraph. */
export function headingOf({ level }: Attributes, usual: number): string {
  const wanted = wholeIn(level, [0, 6], usual);
  return wanted === 0 ? 'p' : `h${wanted}`;
}

export const postTitle = (needs: BlockNeeds) =>
  live<(Linked & { readonly title: string }) | undefined>({
    rests: ['settings'],
    reads: [],
    async find({ of }) {
      return of && { url: await linkOf(needs, of), title: quoted(needs.title(shortened(of.title, longest.title))) };
    },
    write({ attributes }, found) {
      if (found === undefined || found.title === '') return '';
      const tag = headingOf(attributes, 2);
      return `<${tag}${classOf('post-title', attributes)}>${leading(found.title, found, attributes)}</${tag}>`;
    },
  });

const longestForm = 100;

export const postDate = (needs: BlockNeeds) =>
  live<(Linked & Told) | undefined>({
    rests: ['settings'],
    reads: ['displayType', 'format'],
    async find({ of, attributes }) {
      if (of === undefined) return undefined;
      const now = await siteNow(needs);
      const moment = isOfChange(attributes) ? { date: of.modified, date_gmt: of.modified_gmt } : of;
      const form = textIn(attributes.format, longestForm);
      return { url: await linkOf(needs, of), ...now.told(moment, form || undefined) };
    },
    write({ attributes }, found) {
      if (found === undefined) return '';
      const classes = classOf('post-date', attributes, isOfChange(attributes) && 'wp-block-post-date__modified-date');
      const said = leading(worded(found.said), found, attributes);
      return `<div${classes}><time datetime="${found.exact}">${said}</time></div>`;
    },
  });

const isOfChange = ({ displayType }: Attributes): boolean => displayType === 'modified';

const mostWords = 100;

export const postExcerpt = (needs: BlockNeeds) =>
  live<(Linked & { readonly excerpt: string }) | undefined>({
    rests: ['settings'],
    reads: ['excerptLength'],
    async find({ of, attributes: { excerptLength } }) {
      if (of === undefined) return undefined;
      const { brief } = await needs.prose();
      const words = wholeIn(excerptLength, [1, mostWords], 55);
      return { url: await linkOf(needs, of), excerpt: quoted(withoutParagraphs(brief(of, words))) };
    },
    write({ attributes }, found) {
      if (found === undefined) return '';
      const { moreText, showMoreOnNewLine } = attributes;
      const name = 'wp-block-post-excerpt__';
      const word = worded(textIn(moreText));
      const more = word && `<a class="${name}more-link" href="${worded(found.url)}">${word}</a>`;
      const [behind, below] = isSet(showMoreOnNewLine, true)
        ? ['', more && `<p class="${name}more-text">${more}</p>`]
        : [more && ` ${more}`, ''];
      const inner = `<p class="${name}excerpt">${found.excerpt}${behind}</p>${below}`;
      return `<div${classOf('post-excerpt', attributes)}>${inner}</div>`;
    },
  });

export const postFeaturedImage = (needs: BlockNeeds) =>
  live<(Linked & { readonly picture: Shown }) | undefined>({
    rests: ['posts', 'media', 'settings'],
    reads: ['sizeSlug'],
    async find({ of, attributes }) {
      if (of === undefined || of.featured_media === 0) return undefined;
      const picture = (await shownPictures(needs, [of.featured_media], sizeOf(attributes))).get(of.featured_media);
      return picture && { url: await linkOf(needs, of), picture };
    },
    write({ attributes }, found) {
      if (found === undefined) return '';
      const size = sizeOf(attributes);
      const img = pictureHtml(found.picture, `attachment-${size} size-${size} wp-post-image`);
      return `<figure${classOf('post-featured-image', attributes)}>${leading(img, found, attributes)}</figure>`;
    },
  });

const sizeOf = ({ sizeSlug }: Attributes): string => sizeIn(textIn(sizeSlug), 'post-thumbnail');
