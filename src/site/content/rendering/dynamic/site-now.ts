// What every block may need to know of the site, as its settings are now.
import { type DateStyle, formatDate, isoTime } from '#lib/format-date.ts';
import { defaultLanguage } from '#lib/site-settings.ts';
import type { BlockNeeds } from './open-records.ts';

/** A moment for people and for programs. */
export interface Told {
  readonly said: string;
  readonly exact: string;
}

interface Kept {
  readonly date: string;
  readonly date_gmt: string | null;
}

export interface SiteNow extends DateStyle {
  readonly title: string;
  readonly frontPage: number;
  /** In the form that the site has for days, or in this one. */
  told(kept: Kept, form?: string): Told;
}

export async function siteNow({
  settings,
  siteGroup,
  offset,
  url,
}: Pick<BlockNeeds, 'settings' | 'siteGroup' | 'offset' | 'url'>): Promise<SiteNow> {
  const now = await settings.read(siteGroup);
  const style: DateStyle = { zone: { timezone: now.timezone, offset }, language: now.language || defaultLanguage };
  return {
    ...style,
    title: now.title || new URL(url).host,
    frontPage: now.show_on_front === 'page' ? now.page_on_front : 0,
    told({ date, date_gmt }, form = now.date_format) {
      const moment = { wall: date, utc: date_gmt ?? date };
      return { said: formatDate(form, moment, style), exact: isoTime(moment, style) };
    },
  };
}
