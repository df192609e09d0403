// Posts, pages, files … as another site shows them.
import { stripTags } from '#lib/tags.ts';
import type { CarriedTerm, TheirRecord } from '../theirs.ts';
import { count, isObject, Left, metaOf, type Shown, text } from './shown.ts';

/** A type of records, where it is read, and what of it. */
export interface Type {
  readonly name: string;
  /** For people. */
  readonly label: string;
  readonly route: string;
  /** What a user must be able to do to read all of it as it was written. */
  readonly whole: string;
  readonly statuses: string;
  /** Whether nobody wonders when a site does not show it. */
  readonly isOften: boolean;
}

/** In the order in which they are read. Neither what is in the trash, nor drafts of the machine. */
export const types: readonly Type[] = [
  {
    name: 'attachment',
    label: 'Files',
    route: 'media',
    whole: 'edit_others_posts',
    statuses: 'inherit,private',
    isOften: true,
  },
  { name: 'post', label: 'Posts', route: 'posts', whole: 'edit_others_posts', statuses: 'any', isOften: true },
  { name: 'page', label: 'Pages', route: 'pages', whole: 'edit_others_pages', statuses: 'any', isOften: true },
  {
    name: 'wp_block',
    label: 'Reusable blocks',
    route: 'blocks',
    whole: 'edit_others_posts',
    statuses: 'any',
    isOften: false,
  },
  {
    name: 'wp_navigation',
    label: 'Menus',
    route: 'navigation',
    whole: 'edit_theme_options',
    statuses: 'any',
    isOften: false,
  },
];

const written = ['guid', 'title', 'content', 'excerpt', 'caption', 'description'];
const plain = [
  'id,link,date,date_gmt,modified,modified_gmt,slug,status,author,featured_media,comment_status,ping_status,sticky,template',
  'format,meta,categories,tags,wp_pattern_category,parent,menu_order,password,post,alt_text,source_url',
  'media_details.filesize,content.protected',
].join(',');

/** Of texts what was written; what is made of it alone where nothing else is shown. */
export function fieldsFor(context: 'edit' | 'view'): string {
  const forms = context === 'edit' ? ['raw'] : ['raw', 'rendered'];
  return [plain, ...written.flatMap((name) => forms.map((form) => `${name}.${form}`))].join(',');
}

/** What its numbers stand for. */
export interface Pointed {
  /** A login; empty for nobody who is known. */
  readonly author: string;
  readonly terms: readonly CarriedTerm[];
}

export function recordOf(record: Shown, { name }: Pick<Type, 'name'>, { author, terms }: Pointed): TheirRecord {
  const isFile = name === 'attachment';
  if (isHidden(record)) throw hidden();
  const format = text(record, 'format');
  const shown = text(record, isFile ? 'description' : 'content');
  const content = isFile ? withoutPicture(shown) : shown;
  const excerpt = text(record, isFile ? 'caption' : 'excerpt');
  return {
    id: count(record, 'id'),
    type: name,
    title: text(record, 'title'),
    content,
    excerpt: isWritten(record, isFile ? 'caption' : 'excerpt') || !isMade(excerpt, shown) ? excerpt : '',
    status: text(record, 'status') || (isFile ? 'inherit' : 'publish'),
    slug: text(record, 'slug'),
    author,
    ...datesOf(record),
    password: text(record, 'password'),
    comment_status: text(record, 'comment_status'),
    ping_status: text(record, 'ping_status'),
    parent: count(record, isFile ? 'post' : 'parent'),
    menu_order: count(record, 'menu_order'),
    sticky: record.sticky === true,
    link: text(record, 'link'),
    guid: text(record, 'guid'),
    template: text(record, 'template'),
    format: format === 'standard' ? '' : format,
    featured_media: count(record, 'featured_media'),
    terms,
    meta: metaOf(record),
    old_slugs: [],
    status_before: '',
    slug_before: '',
    file_url: isFile ? text(record, 'source_url') : '',
    alt_text: text(record, 'alt_text'),
  };
}

/** A draft that nobody gave a date shows when it was changed last. */
function datesOf(record: Shown) {
  const [date, date_gmt] = [text(record, 'date'), text(record, 'date_gmt')];
  const [modified, modified_gmt] = [text(record, 'modified'), text(record, 'modified_gmt')];
  const isFloating = ['draft', 'pending'].includes(text(record, 'status')) && date === modified;
  return { date, date_gmt: isFloating ? '' : date_gmt, modified, modified_gmt };
}

/** Behind a password that nobody gave. */
const isHidden = ({ content }: Shown): boolean =>
  isObject(content) && content.protected === true && content.raw === undefined;

const hidden = (): Left =>
  new Left('protected', 'Its text is protected by a password. To import it, give a user who can edit it with --user.');

const isWritten = (record: Shown, name: string): boolean => {
  const said = record[name];
  return isObject(said) && said.raw !== undefined;
};

/**
 * Where nobody wrote an excerpt, the beginning of the text is shown as one, with a mark where it breaks off that nobody writes. It
 * lacks what shortcodes show, so it is not always the beginning of what is shown.
 */
function isMade(excerpt: string, shown: string): boolean {
  const said = words(excerpt);
  if (/\[(?:…|&hellip;|&#8230;)\]$/.test(said)) return true;
  const beginning = said.replace(/ ?(?:…|&hellip;|&#8230;|\.\.\.|\[\.\.\.\])$/, '');
  return words(shown).startsWith(beginning) || words(withoutPicture(shown)).startsWith(beginning);
}

const words = (shown: string): string => stripTags(shown).split(/\s+/).filter(Boolean).join(' ');

/** What a site writes ahead of the description of a file when it shows it: the file itself. */
const withoutPicture = (shown: string): string => {
  if (!shown.startsWith('<p class="attachment">')) return shown;
  const end = shown.indexOf('</p>');
  return end < 0 ? shown : shown.slice(end + '</p>'.length).trimStart();
};

/** In bytes; 0 where nobody says. */
export const fileSizeOf = ({ media_details }: Shown): number =>
  isObject(media_details) && Number.isSafeInteger(media_details.filesize) ? (media_details.filesize as number) : 0;
