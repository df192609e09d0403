// What the public site is made from.
import type { Face, Roots } from '#kernel/faces.ts';
import { type Html, html } from '#lib/html.ts';
import type { Store } from '#store/store.ts';
import type { Content } from '../../content/content.ts';
import { type SiteNow, siteNow } from '../../content/rendering/dynamic/site-now.ts';
import type { ContentTables } from '../../content/tables.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Keys } from '../../platform/keys.ts';
import type { Settings, Values } from '../../platform/settings/settings.ts';
import type { SiteGroup } from '../../platform/settings/site.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import type { Guest, House } from '../door.ts';

/** What the site says itself is English, whatever is published on it: an attribute for what says it. */
export const ours = ({ house }: Pick<Ground, 'house'>): Html | undefined =>
  /^en\b/.test(house.name.language) ? undefined : html` lang="en" dir="ltr"`;

export interface PublicNeeds {
  readonly store: Store<ContentTables & IdentityTables & TotalsTables>;
  readonly content: Content;
  readonly settings: Settings;
  readonly siteGroup: SiteGroup;
  /** In hours, where no time zone is set. */
  readonly offset: number;
  /** The public base address. */
  readonly url: string;
  /** Where programs that come by a page find the interface. */
  readonly roots: Roots;
  readonly face: Face;
  /** What the browser's prints of passwords are made with, as it is now. */
  readonly keys: Pick<Keys, 'sessions'>;
  /** Whether the interface tells what pages look like inside of others. */
  isEmbeddable(): boolean;
}

/** The site at this moment, and who looks at it. */
export interface Ground extends SiteNow, PublicNeeds {
  readonly house: House;
  readonly guest: Guest;
  readonly set: Values<SiteGroup['fields']>;
  readonly perPage: number;
}

/** Nobody reads more on a page, whatever somebody set. */
const most = 100;

export async function groundOf(needs: PublicNeeds, house: House, guest: Guest): Promise<Ground> {
  const [now, set] = await Promise.all([siteNow(needs), needs.settings.read(needs.siteGroup)]);
  return { ...needs, ...now, house, guest, set, perPage: Math.min(most, set.posts_per_page) };
}
