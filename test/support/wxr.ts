// Export files as other programs write them, made by hand.

interface Item {
  readonly [element: string]: string | number | readonly string[];
}

const element = (name: string, value: string | number): string =>
  `<${name}>${typeof value === 'number' ? value : `<![CDATA[${value}]]>`}</${name}>`;

/** `more`: whatever stands in it besides, as it is written. */
export function item(fields: Item = {}, ...more: readonly string[]): string {
  const { title = 'A post', guid, ...rest } = { ...usual, ...fields };
  const own = Object.entries(rest).map(([name, value]) => element(name, value as string));
  const named = guid === undefined ? [] : [`<guid isPermaLink="false">${guid}</guid>`];
  return ['<item>', element('title', title as string), ...named, ...own, ...more, '</item>'].join('\n');
}

const usual: Item = {
  'dc:creator': 'ada',
  'content:encoded': 'Once upon a time.',
  'excerpt:encoded': '',
  'wp:post_date': '2020-02-03 10:00:00',
  'wp:post_date_gmt': '2020-02-03 10:00:00',
  'wp:comment_status': 'open',
  'wp:ping_status': 'closed',
  'wp:status': 'publish',
  'wp:post_type': 'post',
};

export const category = (domain: string, slug: string, name: string): string =>
  `<category domain="${domain}" nicename="${slug}"><![CDATA[${name}]]></category>`;

export const meta = (key: string, value: string): string =>
  `<wp:postmeta>${element('wp:meta_key', key)}${element('wp:meta_value', value)}</wp:postmeta>`;

export function comment(id: number, more: Readonly<Record<string, string | number>> = {}): string {
  const said = {
    id,
    author: 'Bob',
    author_email: 'bob@mail.example',
    date: '2020-02-04 11:00:00',
    date_gmt: '2020-02-04 11:00:00',
    content: `Comment ${id}`,
    approved: '1',
    ...more,
  };
  return `<wp:comment>${Object.entries(said)
    .map(([name, value]) => element(`wp:comment_${name}`, value))
    .join('')}</wp:comment>`;
}

export const author = (login: string, id = 1): string =>
  `<wp:author>${element('wp:author_id', id)}${element('wp:author_login', login)}${element('wp:author_email', `${login}@mail.example`)}</wp:author>`;

export const term = (slug: string, parent = '', id = 0): string =>
  `<wp:category>${element('wp:term_id', id)}${element('wp:category_nicename', slug)}${element('wp:category_parent', parent)}${element('wp:cat_name', slug.toUpperCase())}</wp:category>`;

export const oldSite = 'https://old.example';

export const head = `<?xml version="1.0" encoding="UTF-8"?>
<!-- an export -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>Old</title>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>${oldSite}</wp:base_blog_url>
`;

export const exportOf = (...things: readonly string[]): string => `${head}${things.join('\n')}\n</channel>\n</rss>\n`;
