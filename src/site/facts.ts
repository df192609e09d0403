// What the site says of itself at the head of the index.
import type { SiteFacts } from '#kernel/kernel.ts';
import { escapeHtml } from '#lib/html.ts';
import { offsetAt } from '#lib/zone.ts';
import type { Clock } from './clock.ts';

export interface Facts {
  readonly url: string;
  /** Deployments differ in how they write the offset. */
  readonly offsetAs: 'number' | 'string';
  readonly clock: Clock;
  /** Whether programs may ask for application passwords. */
  readonly takesApplicationPasswords: boolean;
  readonly settings: {
    readonly title: string;
    readonly description: string;
    readonly timezone: string;
    readonly gmt_offset: number;
    readonly show_on_front: string;
    readonly page_on_front: number;
    readonly page_for_posts: number;
    readonly site_logo: number | null;
    readonly site_icon: number;
  };
}

/** Where a person grants a program a credential. */
export const authorizationPath = '/wp-admin/authorize-application.php';

/** Zones change their offset at a quarter of an hour. */
const quarter = 15 * 60 * 1000;

export function siteFacts({ url, offsetAs, clock, settings, takesApplicationPasswords }: Facts): SiteFacts {
  const now = clock();
  const offset = settings.timezone === '' ? settings.gmt_offset : offsetAt(settings.timezone, now);
  return {
    name: escapeHtml(settings.title),
    description: escapeHtml(settings.description),
    url,
    home: url,
    gmt_offset: offsetAs === 'string' ? String(offset) : offset,
    timezone_string: settings.timezone,
    page_for_posts: settings.page_for_posts,
    page_on_front: settings.page_on_front,
    show_on_front: settings.show_on_front,
    site_logo: settings.site_logo ?? 0,
    site_icon: settings.site_icon,
    site_icon_url: '',
    authentication: takesApplicationPasswords
      ? { 'application-passwords': { endpoints: { authorization: `${url}${authorizationPath}` } } }
      : {},
    ...(settings.timezone !== '' && { until: (Math.floor(now.getTime() / quarter) + 1) * quarter }),
  };
}
