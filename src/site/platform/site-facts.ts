// What the site says of itself at the head of the index.
import type { Caller } from '#kernel/caller.ts';
import type { SiteFacts } from '#kernel/kernel.ts';
import type { Links } from '#kernel/resource.ts';
import { escapeHtml } from '#lib/html.ts';
import { offsetAt } from '#lib/wall-time.ts';
import type { Clock } from './clock.ts';
import type { SiteDefaults } from './settings/site.ts';

interface Facts {
  readonly url: string;
  /** Deployments differ in how they write the offset. */
  readonly offsetAs: 'number' | 'string';
  readonly clock: Clock;
  /** Whether programs may ask for application passwords. */
  readonly takesApplicationPasswords: boolean;
  /** In hours, where no time zone is set. */
  readonly offset: number;
  readonly settings: Pick<SiteDefaults, Told>;
  /** Where the files of its logo and its icon are, by number, as far as they are there. */
  readonly pictures: ReadonlyMap<number, string>;
}

type Told =
  | 'title'
  | 'description'
  | 'timezone'
  | 'show_on_front'
  | 'page_on_front'
  | 'page_for_posts'
  | 'site_logo'
  | 'site_icon';

/** Where a person grants a program a credential. */
export const authorizationPath = '/wp-admin/authorize-application.php';

/** What editors find the theme by. How the site looks is its own affair, so there is one. */
export const theme = 'site';

/** Whoever writes is led to the theme, and everybody to the pictures that stand for the site. */
const linksOf =
  ({ settings, pictures }: Pick<Facts, 'settings' | 'pictures'>) =>
  (caller: Caller): Links => {
    const shown = (['site_logo', 'site_icon'] as const).flatMap((type) => {
      const id = settings[type] ?? 0;
      return pictures.has(id) ? [{ embeddable: true, type, href: `/core/v2/media/${id}` }] : [];
    });
    return {
      ...(caller.can('edit_posts') && { 'wp:active-theme': [{ href: `/core/v2/themes/${theme}` }] }),
      'wp:featuredmedia': shown,
    };
  };

/** Zones change their offset at a quarter of an hour. */
const quarter = 15 * 60 * 1000;

export function siteFacts({
  url,
  offsetAs,
  offset: usual,
  clock,
  settings,
  pictures,
  takesApplicationPasswords,
}: Facts): SiteFacts {
  const now = clock();
  const offset = settings.timezone === '' ? usual : offsetAt(settings.timezone, now);
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
    site_icon_url: pictures.get(settings.site_icon) ?? '',
    authentication: takesApplicationPasswords
      ? { 'application-passwords': { endpoints: { authorization: `${url}${authorizationPath}` } } }
      : {},
    links: linksOf({ settings, pictures }),
    ...(settings.timezone !== '' && { until: (Math.floor(now.getTime() / quarter) + 1) * quarter }),
  };
}
