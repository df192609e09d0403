// The tags that most records carry, the larger the more.
import { live } from '../live.ts';
import { type Attributes, classOf, isSet, saidIn, textIn, wholeIn, worded } from './markup.ts';
import type { BlockNeeds } from './open-records.ts';
import { listed, publicTaxonomy } from './term-list.ts';

type Entries = Awaited<ReturnType<typeof listed>>;

const most = 100;

export const tagCloud = (needs: BlockNeeds) =>
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
        limit: wholeIn(attributes.numberOfTags, [1, most], 45),
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
