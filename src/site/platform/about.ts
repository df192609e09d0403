// What the site says of itself wherever it speaks of itself.
import type { Roots } from '#kernel/faces.ts';
import { defaultLanguage } from '#lib/site-settings.ts';
import type { Settings } from './settings/settings.ts';
import type { SiteGroup } from './settings/site.ts';

/** What stays as it is while the site runs. */
export interface Premises {
  /** The public base address. */
  readonly url: string;
  /** Whether records of users name pictures of them, and where those are. */
  readonly avatars: boolean;
  readonly avatarBase: string;
  /** What stands before the slugs of authors in addresses. */
  readonly authorBase: string;
  /** Below which the records of the site are read and changed over the interface: `https://site.test/api/core/v2`. */
  readonly records: string;
  /** Where the interface begins, for each face. */
  readonly roots: Roots;
}

export interface About extends Premises {
  /** Never empty: a site without a title goes by its host. */
  readonly title: string;
  /** As the interface writes it, `en_GB`. */
  readonly language: string;
  /** The path where people sign in: for those alone who may know it. */
  readonly door: string;
}

/** As settings are now: ask each time. */
export type AboutNow = () => About | Promise<About>;

export function createAbout(
  premises: Premises,
  settings: Settings,
  group: SiteGroup,
  signIn: { readonly path: string },
): AboutNow {
  const { host } = new URL(premises.url);
  return () => {
    const now = settings.read(group);
    const about = ({ title, language }: Awaited<typeof now>): About => ({
      ...premises,
      title: title || host,
      language: language || defaultLanguage,
      door: signIn.path,
    });
    return now instanceof Promise ? now.then(about) : about(now);
  };
}
