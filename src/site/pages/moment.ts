// A moment on pages about the site: in the time zone and the language of the site, whose words may differ from those around it.
import { type Html, html } from '#lib/html.ts';
import type { House } from './door.ts';

/** `dateStyle`: how long the day is written. */
export function moment(
  { zone, name: { language } }: Pick<House, 'zone' | 'name'>,
  instant: string,
  dateStyle: 'long' | 'medium' = 'long',
): Html {
  const options = { dateStyle, timeStyle: 'short', timeZone: zone === '' ? 'UTC' : zone } as const;
  // What follows the region, such as `formal`, changes no date, and not all of it is known to browsers and runtimes.
  const locale = language.split('-').slice(0, 2).join('-');
  const words = new Intl.DateTimeFormat([locale, 'en-US'], options).format(new Date(instant));
  return html`<time datetime="${instant}" lang="${language}">${words}${zone === '' && ' UTC'}</time>`;
}
