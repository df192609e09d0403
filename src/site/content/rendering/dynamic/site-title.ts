// What the site is called.
import { live } from '../live.ts';
import { classOf, isSet, worded } from './markup.ts';
import { headingOf, leading } from './of-record.ts';
import type { BlockNeeds } from './open-records.ts';
import { siteNow } from './site-now.ts';

export const siteTitle = (needs: BlockNeeds) =>
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
