// A field to search the site with.
import { live } from '../live.ts';
import { type Attributes, choiceOf, classOf, isSet, saidIn, textIn, wholeIn, worded } from './markup.ts';
import type { BlockNeeds } from './open-records.ts';

const places = ['button-outside', 'button-inside', 'button-only', 'no-button'] as const;

export const search = ({ url }: Pick<BlockNeeds, 'url'>) =>
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
