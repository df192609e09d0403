import { type Html, html } from '#lib/html.ts';
import type { Ground } from './needs.ts';

/** What the site says itself is English, whatever is published on it: an attribute for what says it. */
export const ours = ({ house }: Pick<Ground, 'house'>): Html | undefined =>
  /^en\b/.test(house.name.language) ? undefined : html` lang="en" dir="ltr"`;
