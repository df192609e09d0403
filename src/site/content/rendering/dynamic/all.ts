// The blocks that every site makes when they are shown. Those that show the text of another record stand in `including.ts`.

import { metaOf, notesIn } from '../../meta.ts';
import { longest, shortened } from '../excerpts.ts';
import { type Live, live } from '../live.ts';
import { archives } from './archives.ts';
import { latestComments } from './latest-comments.ts';
import { latestPosts } from './latest-posts.ts';
import { type Attributes, choiceOf, classOf, isSet, quoted, saidIn, textIn, wholeIn, worded } from './markup.ts';
import { headingOf, leading, postDate, postExcerpt, postFeaturedImage, postTitle } from './of-record.ts';
import { type BlockNeeds, createOpenRecords, type RecordsNeeds } from './open-records.ts';
import { pageList } from './page-list.ts';
import { siteNow } from './site-now.ts';
import { listed, publicTaxonomy, termList } from './term-list.ts';

// The tags that most records carry, the larger the more.

type Entries = Awaited<ReturnType<typeof listed>>;

const maxCloudTags = 100;

const tagCloud = (needs: BlockNeeds) =>
  live<Entries>({
    rests: ['terms', 'settings'],
    reads: ['taxonomy', 'numberOfTags'],
    async find({ attributes }) {
      const kind = publicTaxonomy(needs, attributes, 'post_tag');
      if (kind === undefined) return [];
      const { items } = await needs.terms.list({
        taxonomy: kind.name,
        offset: 0,
        order: 'desc',
        orderBy: 'count',
        hideEmpty: true,
        limit: wholeIn(attributes.numberOfTags, [1, maxCloudTags], 45),
      });
      const entries = await listed(needs, items);
      return entries.sort((one, other) => one.name.localeCompare(other.name, 'en'));
    },
    write({ attributes }, entries) {
      if (entries.length === 0) return '';
      const size = sizing(entries, attributes);
      const links = entries.map(({ id, url, name, count }, at) => {
        const number = isSet(attributes.showTagCounts) ? `<span class="tag-link-count"> (${count})</span>` : '';
        const label = `${saidIn(name)} (${count} ${count === 1 ? 'item' : 'items'})`;
        return (
          `<a href="${worded(url)}" class="tag-cloud-link tag-link-${id} tag-link-position-${at + 1}" ` +
          `style="font-size: ${size(count)};" aria-label="${worded(label)}">${name}${number}</a>`
        );
      });
      return `<p${classOf('tag-cloud', attributes)}>${links.join('\n')}</p>`;
    },
  });

/** Many more are a little larger. */
const weight = (count: number): number => Math.round(Math.log10(count + 1) * 100);

function sizing(entries: Entries, { smallestFontSize, largestFontSize }: Attributes): (count: number) => string {
  const [small, large] = [lengthIn(smallestFontSize, 8), lengthIn(largestFontSize, 22)];
  const unit = small.unit;
  const weights = entries.map(({ count }) => weight(count));
  const least = Math.min(...weights);
  const spread = Math.max(Math.max(...weights) - least, 1);
  const step = Math.max(large.size - small.size, 0) / spread;
  return (count) => `${Number((small.size + (weight(count) - least) * step).toFixed(6))}${unit}`;
}

function lengthIn(said: unknown, usual: number): { size: number; unit: string } {
  const [, size, unit] = /^(\d{1,4}(?:\.\d{1,4})?)(pt|px|em|rem|%|vw|vh)$/.exec(textIn(said)) ?? [];
  return size === undefined || unit === undefined ? { size: usual, unit: 'pt' } : { size: Number(size), unit };
}

// What the site is called.

const siteTitle = (needs: BlockNeeds) =>
  live<string>({
    rests: ['settings'],
    reads: [],
    find: async () => (await siteNow(needs)).title,
    write({ attributes }, title) {
      const tag = headingOf(attributes, 1);
      const isLink = isSet(attributes.isLink, true);
      const inner = leading(worded(title), { url: needs.url }, { ...attributes, isLink, rel: 'home' });
      return `<${tag}${classOf('site-title', attributes)}>${inner}</${tag}>`;
    },
  });

// A field to search the site with.

const places = ['button-outside', 'button-inside', 'button-only', 'no-button'] as const;

const search = ({ url }: Pick<BlockNeeds, 'url'>) =>
  live({
    write({ attributes, page }) {
      const place = choiceOf(attributes.buttonPosition, places);
      const id = `wp-block-search__input-${page.next('search')}`;
      const own = [`wp-block-search__${place}`, place !== 'no-button' && 'wp-block-search__text-button'];
      const hidden = isSet(attributes.showLabel, true) ? '' : ' screen-reader-text';
      return [
        `<form role="search" method="get" action="${worded(url)}/"${classOf('search', attributes, ...own)}>`,
        `<label class="wp-block-search__label${hidden}" for="${id}">${textOf(attributes.label)}</label>`,
        `<div class="wp-block-search__inside-wrapper"${widthOf(attributes)}>`,
        `<input class="wp-block-search__input" id="${id}" placeholder="${textOf(attributes.placeholder, '')}" value="" type="search" name="s" required />`,
        place === 'no-button' ? '' : button(attributes),
        '</div></form>',
      ].join('');
    },
  });

/** Without the tags that an editor let somebody write there. */
const textOf = (said: unknown, usual = 'Search'): string => worded(saidIn(textIn(said)) || usual);

const button = ({ buttonText }: Attributes): string =>
  `<button aria-label="${textOf(buttonText)}" class="wp-block-search__button wp-element-button" type="submit">${textOf(buttonText)}</button>`;

function widthOf({ width, widthUnit }: Attributes): string {
  const size = wholeIn(width, [0, 5000], 0);
  return size === 0 ? '' : ` style="width: ${size}${choiceOf(widthUnit, ['%', 'px'])}"`;
}

// The notes at the foot of a text.

type Notes = ReturnType<typeof notesIn>;

/** So many of one text, and so much of all of them. */
const footnoteLimits = { notes: 500, characters: 64 * 1024 };

const footnotes = ({ store }: Pick<BlockNeeds, 'store'>) =>
  live<Notes>({
    rests: ['post_meta'],
    reads: [],
    async find({ of }) {
      const kept = of && (await metaOf(store.db, [of.id])).get(of.id)?.footnotes;
      return typeof kept === 'string' ? shownOf(notesIn(kept)) : [];
    },
    write({ attributes }, notes) {
      if (notes.length === 0) return '';
      const items = notes.map(({ id, content }, at) => {
        const place = worded(id);
        const back = `<a href="#${place}-link" aria-label="Jump to footnote reference ${at + 1}">↩︎</a>`;
        return `<li id="${place}">${quoted(content)} ${back}</li>`;
      });
      return `<ol${classOf('footnotes', attributes)}>${items.join('')}</ol>`;
    },
  });

/** The first of them, each as far as it is shown. */
function shownOf(notes: Notes): Notes {
  let left = footnoteLimits.characters;
  return notes
    .slice(0, footnoteLimits.notes)
    .map(({ id, content }) => ({ id: id.slice(0, longestId), content: shortened(content, longest.note) }))
    .filter(({ content }) => {
      left -= content.length;
      return left >= 0;
    });
}

const longestId = 100;

export function siteBlocks(given: RecordsNeeds): Record<string, Live> {
  const needs: BlockNeeds = { ...given, records: createOpenRecords(given) };
  return {
    'core/latest-posts': latestPosts(needs),
    'core/latest-comments': latestComments(needs),
    'core/categories': termList(needs),
    'core/archives': archives(needs),
    'core/tag-cloud': tagCloud(needs),
    'core/search': search(needs),
    'core/page-list': pageList(needs),
    'core/post-title': postTitle(needs),
    'core/post-date': postDate(needs),
    'core/post-excerpt': postExcerpt(needs),
    'core/post-featured-image': postFeaturedImage(needs),
    'core/site-title': siteTitle(needs),
    'core/footnotes': footnotes(needs),
  };
}
