// Settings of the site as a whole: the deployment file gives the first values, and administrators change them.

export interface SiteSettings {
  readonly title: string;
  readonly description: string;
  readonly email: string;
  /** A name such as Europe/London, or empty: then `gmt_offset` counts. */
  readonly timezone: string;
  /** Hours from UTC. */
  readonly gmt_offset: number;
  readonly date_format: string;
  readonly time_format: string;
  readonly start_of_week: number;
  readonly language: string;
  readonly use_smilies: boolean;
  readonly default_category: number;
  readonly default_post_format: string;
  readonly posts_per_page: number;
  readonly show_on_front: 'posts' | 'page';
  readonly page_on_front: number;
  readonly page_for_posts: number;
  readonly default_ping_status: 'open' | 'closed';
  readonly default_comment_status: 'open' | 'closed';
  readonly site_logo: number | null;
  readonly site_icon: number;
}

/** The language that every site has, whatever its own is. */
export const defaultLanguage = 'en_US';

/** Whether a text names a language as the interface writes it: `en_GB`, `de_DE_formal`, or `de` alone. */
export const isLocale = (text: string): boolean => /^[a-z]{2,3}(_[A-Z]{2}(_[a-z0-9]+)?)?$/.test(text);
