// How the site looks, as an archive that editors open elsewhere: a plain theme, and the patterns that people keep.
import type { ZipFile } from '#lib/zip.ts';
import type { Content } from '#site/content/content.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { About } from '#site/platform/about.ts';

export interface SiteArchive {
  files(): AsyncGenerator<ZipFile>;
}

interface Needs {
  readonly content: Pick<Content, 'posts'>;
  readonly about: () => About | Promise<About>;
}

const patternsAtMost = 2_000;
const atOnce = 100;

export function createSiteArchive({ content, about }: Needs): SiteArchive {
  return {
    async *files() {
      yield { path: 'theme.json', content: json(look) };
      yield { path: 'style.css', content: styleOf((await about()).title) };
      for (const [path, text] of Object.entries(markup)) yield { path, content: `${text}\n` };
      yield* patterns(content);
    },
  };
}

async function* patterns({ posts }: Needs['content']): AsyncGenerator<ZipFile> {
  for (let offset = 0; offset < patternsAtMost; offset += atOnce) {
    const wanted = { types: ['wp_block'], statuses: ['publish'], limit: atOnce, offset } as const;
    const { items } = await posts.list({ ...wanted, order: 'asc', orderBy: 'id' });
    yield* items.map(patternOf);
    if (items.length < atOnce) return;
  }
}

/** No two have one number, whatever they are called. */
const patternOf = ({ id, slug, title, content }: Post): ZipFile => ({
  path: `patterns/${id}-${slug.replace(/[^a-z0-9_-]+/g, '-').slice(0, 80)}.json`,
  content: json({ __file: 'wp_block', title, content, syncStatus: '' }),
});

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const look = {
  version: 3,
  settings: { appearanceTools: true, layout: { contentSize: '42rem', wideSize: '64rem' } },
  styles: { typography: { lineHeight: '1.6' }, spacing: { blockGap: '1.5rem' } },
  templateParts: [
    { name: 'header', title: 'Header', area: 'header' },
    { name: 'footer', title: 'Footer', area: 'footer' },
  ],
};

/** The title stands in a comment, and does not end it. */
const styleOf = (title: string): string =>
  `/*\nTheme Name: ${title.replace(/[\p{Cc}*]+/gu, ' ').trim()}\nVersion: 1.0\n*/\n`;

const part = (slug: string): string => `<!-- wp:template-part {"slug":"${slug}","tagName":"${slug}"} /-->`;

const page = (...blocks: readonly string[]): string =>
  [
    part('header'),
    '<!-- wp:group {"tagName":"main","layout":{"type":"constrained"}} -->',
    '<main class="wp-block-group">',
    ...blocks,
    '</main>',
    '<!-- /wp:group -->',
    part('footer'),
  ].join('\n');

const list = [
  '<!-- wp:query {"query":{"inherit":true}} -->',
  '<div class="wp-block-query">',
  '<!-- wp:post-template -->',
  '<!-- wp:post-title {"isLink":true} /-->',
  '<!-- wp:post-date /-->',
  '<!-- wp:post-excerpt /-->',
  '<!-- /wp:post-template -->',
  '<!-- wp:query-pagination -->',
  '<!-- wp:query-pagination-previous /-->',
  '<!-- wp:query-pagination-next /-->',
  '<!-- /wp:query-pagination -->',
  '</div>',
  '<!-- /wp:query -->',
];
const title = '<!-- wp:post-title {"level":1} /-->';
const text = '<!-- wp:post-content {"layout":{"type":"constrained"}} /-->';

const markup = {
  'templates/index.html': page(...list),
  'templates/archive.html': page('<!-- wp:query-title {"type":"archive"} /-->', ...list),
  'templates/single.html': page(title, '<!-- wp:post-date /-->', text),
  'templates/page.html': page(title, text),
  'templates/404.html': page('<!-- wp:paragraph -->', '<p>This page is empty.</p>', '<!-- /wp:paragraph -->'),
  'parts/header.html': '<!-- wp:site-title /-->\n<!-- wp:navigation /-->',
  'parts/footer.html': '<!-- wp:site-tagline /-->',
};
