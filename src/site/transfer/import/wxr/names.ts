// The names that export files of this family use, for whoever writes one and whoever reads one.
import { xmlText } from '#lib/xml.ts';

/** What the prefixes of elements stand for. Older files say `http:` and a lower version. */
export const namespaces = {
  excerpt: 'https://wordpress.org/export/1.2/excerpt/',
  content: 'http://purl.org/rss/1.0/modules/content/',
  wfw: 'http://wellformedweb.org/CommentAPI/',
  dc: 'http://purl.org/dc/elements/1.1/',
  wp: 'https://wordpress.org/export/1.2/',
} as const;

export const version = '1.2';

/** Meta of records that has a field of its own here. */
export const keys = {
  thumbnail: '_thumbnail_id',
  template: '_wp_page_template',
  altText: '_wp_attachment_image_alt',
  file: '_wp_attached_file',
  fileDetails: '_wp_attachment_metadata',
  oldSlug: '_wp_old_slug',
  statusBefore: '_wp_trash_meta_status',
  trashedAt: '_wp_trash_meta_time',
  slugBefore: '_wp_desired_post_slug',
  lastEditor: '_edit_last',
  lock: '_edit_lock',
} as const;

/** Where records say that they have no time yet. */
export const noTime = '0000-00-00 00:00:00';

/** The domain of the category that is the format of a record, and what stands before its name there. */
export const formatDomain = 'post_format';
export const formatPrefix = 'post-format-';

/** How the states of comments are written; others stand as they are. */
export const commentStates = { approved: '1', hold: '0' } as const;

// Elements of XML as they are written: texts in CDATA sections, so that HTML stays readable, numbers plain.

/** What would end a section, and the line ends that whoever reads would take for others: they stand between two sections. */
const apart: Readonly<Record<string, string>> = { ']]>': ']]]]><![CDATA[>', '\r': ']]>&#13;<![CDATA[' };

export const cdata = (text: string): string =>
  `<![CDATA[${xmlText(text).replace(/]]>|\r/g, (found) => apart[found]!)}]]>`;

export const textIn = (name: string, text: string): string => `<${name}>${cdata(text)}</${name}>`;

export const numberIn = (name: string, number: number): string => `<${name}>${number}</${name}>`;

/** With the elements in it, one to a line. */
export const within = (name: string, members: readonly string[]): string =>
  `<${name}>\n${members.join('\n')}\n</${name}>`;

/** `2026-11-20T12:00:00` as these files say it. */
export const timeOf = (time: string): string => time.replace('T', ' ');

/** The same by the clock of the world, as feeds say it. */
export const mailTimeOf = (utc: string): string => new Date(`${utc}Z`).toUTCString().replace('GMT', '+0000');
