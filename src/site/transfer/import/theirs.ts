// What comes from another site, as plain data, whoever read it and from what: a file, or the interface of a live site. Nothing of
// it is trusted. Numbers are those of the other site, 0 where it says none; texts are empty where it says nothing.

/** Where it stood: for whoever looks for what failed. */
interface Place {
  /** The line of a file; nothing where there are no lines. */
  readonly line?: number;
}

export interface TheirUser extends Place {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly name: string;
  readonly first_name: string;
  readonly last_name: string;
}

export interface TheirTerm extends Place {
  readonly id: number;
  readonly taxonomy: string;
  readonly slug: string;
  /** As it is typed or as HTML: it is cleaned as any other. */
  readonly name: string;
  readonly description: string;
  /** The slug of the one it lies below; empty for the top. */
  readonly parent: string;
}

/** A term that a record carries. It is made when it is not there yet. */
export type CarriedTerm = Pick<TheirTerm, 'taxonomy' | 'slug' | 'name'>;

export interface TheirMeta {
  readonly key: string;
  readonly value: string;
}

export interface TheirComment extends Place {
  readonly id: number;
  /** The number of the comment it answers. */
  readonly parent: number;
  readonly author_name: string;
  readonly author_email: string;
  readonly author_url: string;
  readonly author_ip: string;
  readonly author_user_agent?: string;
  /** The login of who spoke; empty for somebody without an account. */
  readonly author: string;
  readonly date: string;
  readonly date_gmt: string;
  readonly content: string;
  /** `approved`, `hold`, `spam`, `trash`; also `1` and `0`. */
  readonly status: string;
  /** `comment` where it is empty. */
  readonly type: string;
  readonly meta: readonly TheirMeta[];
}

export interface TheirRecord extends Place {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly status: string;
  readonly slug: string;
  /** A login. */
  readonly author: string;
  /** `2026-11-20 12:00:00` or with a `T`: by the clock of the other site, and by that of the world. Empty, or a year 0: none. */
  readonly date: string;
  readonly date_gmt: string;
  readonly modified: string;
  readonly modified_gmt: string;
  readonly password: string;
  readonly comment_status: string;
  readonly ping_status: string;
  readonly parent: number;
  readonly menu_order: number;
  readonly sticky: boolean;
  /** The address of its page there. */
  readonly link: string;
  readonly guid: string;
  readonly template: string;
  /** Empty for the standard one. */
  readonly format: string;
  readonly featured_media: number;
  readonly terms: readonly CarriedTerm[];
  /** Those that are kept; what has a field of its own above is not among them. */
  readonly meta: readonly TheirMeta[];
  readonly old_slugs: readonly string[];
  /** Before it was put into the trash there; empty where it is not in it. */
  readonly status_before: string;
  readonly slug_before: string;
  /** Of files: the address of the file there, and what is said of the picture. */
  readonly file_url: string;
  readonly alt_text: string;
}

/** Where a file comes from, once somebody has found it: it lies aside on this machine, and is let go afterwards. */
export interface TheirFile {
  readonly path: string;
  readonly size: number;
  readonly from: 'copied' | 'fetched';
  release(): Promise<void>;
}
