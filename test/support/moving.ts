// A site to move in from: it answers at the address it speaks of, and has something of everything.
import assert from 'node:assert/strict';
import sharp from 'sharp';
import type { TestEngine } from './databases.ts';
import { freePort } from './free-port.ts';
import { aSite, type TestSite } from './site.ts';
import { disposition } from './uploads.ts';

type Faces = 'both' | 'neutral' | 'classic';

export const rootOf = ({ config }: TestSite): string =>
  config.apiFaces === 'neutral' ? '/api/core/v2' : '/wp-json/wp/v2';

export async function aSource(engine: TestEngine, apiFaces: Faces = 'both'): Promise<TestSite> {
  const port = await freePort();
  const site = await aSite(engine, { config: { port, url: `http://127.0.0.1:${port}`, apiFaces } });
  const admin = site.as('administrator');
  const make: Make = async (what, body) => {
    const made = await admin.post(`${rootOf(site)}/${what}`, body);
    assert.equal(made.status, 201, made.text);
    return made.body.id;
  };
  await fill(site, make);
  return site;
}

type Make = (what: string, body: object) => Promise<number>;

async function fill(site: TestSite, make: Make): Promise<void> {
  const terms = await sorted(site, make);
  await make('posts', { title: 'Ahead of all', status: 'publish', date: '2025-01-01T10:00:00' });
  const picture = await aPicture(site);
  const post = await posts(site, make, { ...terms, ...picture });
  const said = { post, author: 0, author_email: 'bo@a.test' };
  const first = await make('comments', { ...said, content: 'First!', author_name: 'Bo', date: '2025-07-01T10:00:00' });
  await make('comments', { post, parent: first, content: 'Welcome', date: '2025-07-02T10:00:00' });
  const waiting = { author_name: 'Bo', status: 'hold', date: '2025-07-03T10:00:00' };
  await make('comments', { ...said, ...waiting, content: 'Wait' });
}

interface Terms {
  readonly rivers: number;
  readonly wide: number;
}

/** One lies below another with a higher number. */
async function sorted(site: TestSite, make: Make): Promise<Terms> {
  const rivers = await make('categories', { name: 'Rivers', slug: 'rivers' });
  const water = await make('categories', { name: 'Water & more', slug: 'water', description: 'All of it' });
  await site.as('administrator').post(`${rootOf(site)}/categories/${rivers}`, { parent: water });
  return { rivers, wide: await make('tags', { name: 'Wide' }) };
}

interface Picture {
  readonly file: number;
  readonly url: string;
  readonly smaller: string;
}

async function aPicture(site: TestSite): Promise<Picture> {
  const shape = { width: 700, height: 400, channels: 3, background: 'teal' } as const;
  const bytes = await sharp({ create: shape }).png().toBuffer();
  const path = `${rootOf(site)}/media?alt_text=A%20river&caption=Wide&description=Far`;
  const headers = { 'content-type': 'application/octet-stream', 'content-disposition': disposition('river.png') };
  const { status, body, text } = await site.as('administrator').post(path, bytes, headers);
  assert.equal(status, 201, text);
  return { file: body.id, url: body.source_url, smaller: body.media_details.sizes.medium.source_url };
}

async function posts(
  site: TestSite,
  make: Make,
  { rivers, wide, file, url, smaller }: Terms & Picture,
): Promise<number> {
  const ada = await site.user({ login: 'ada', roles: ['author'], name: 'Ada L.', first_name: 'Ada' });
  const image = `<!-- wp:image {"id":${file}} -->\n<figure><img class="wp-image-${file}" src="${smaller}"/></figure>\n<!-- /wp:image -->`;
  const post = await make('posts', {
    title: 'Rivers & "seas"',
    content: `${image}\n<p><a href="${url}">it</a></p>`,
    excerpt: 'Short',
    status: 'publish',
    author: ada.id,
    categories: [rivers],
    tags: [wide],
    featured_media: file,
    sticky: true,
    format: 'image',
    date: '2025-03-01T10:00:00',
    meta: { footnotes: '[{"id":"a","content":"A note"}]' },
  });
  await make('posts', { title: 'A thought', content: 'Not yet', status: 'draft', slug: 'thought' });
  const one = (title: string, more: object) => make('posts', { title, content: title, status: 'publish', ...more });
  await one('Mine', { status: 'private', date: '2025-04-01T10:00:00' });
  await one('Later', { status: 'future', date: '2046-04-01T10:00:00' });
  await one('Locked', { password: 'key', date: '2025-05-01T10:00:00' });
  const [above, below] = [await make('pages', page('Above', 0)), await make('pages', page('Below', 3))];
  await site.as('administrator').post(`${rootOf(site)}/pages/${above}`, { parent: below });
  await make('blocks', {
    title: 'Again',
    content: '<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->',
    status: 'publish',
  });
  await make('navigation', { title: 'Main', content: '<!-- wp:home-link /-->', status: 'publish' });
  return post;
}

const page = (title: string, menu_order: number) => ({
  title,
  content: title,
  status: 'publish',
  date: '2025-06-01T10:00:00',
  menu_order,
});

const kinds = ['categories', 'tags', 'media', 'posts', 'pages', 'blocks', 'navigation', 'comments'];
const ofType = new Set(['posts', 'pages', 'blocks', 'navigation']);

type Shown = Record<string, unknown>;

/** Everything of a site as an administrator is shown it, or everybody, with names for what has other numbers elsewhere. */
export async function everything(site: TestSite, role?: string): Promise<Record<string, Shown[]>> {
  const root = rootOf(site);
  const client = role === undefined ? site : site.as(role);
  const names = new Map<string, unknown>();
  const list = async (kind: string, args = ''): Promise<Shown[]> => {
    const { body, status } = await client.get(`${root}/${kind}?per_page=100&orderby=id&order=asc${args}`);
    return status === 200 ? body : [];
  };
  for (const kind of ['users', 'categories', 'tags'])
    for (const { id, slug } of await list(kind)) names.set(`${kind} ${id}`, slug);
  const named = (kind: string, id: unknown) => (id === 0 ? 0 : (names.get(`${kind} ${id}`) ?? id));
  const all: Record<string, Shown[]> = {};
  for (const kind of kinds) {
    const asked =
      role &&
      (kind === 'comments' ? '&context=edit&status=all' : `&context=edit${ofType.has(kind) ? '&status=any' : ''}`);
    const records = await list(kind, asked);
    const plain = JSON.parse(JSON.stringify(records).replaceAll(site.config.url, 'http://here'));
    // Names for all the world stay as they are, and others are given out of order.
    const shown: Shown[] = plain.map(({ _links, guid, ...record }: Shown) => turned(kind, record, named));
    all[kind] = kind === 'categories' ? shown.sort(bySlug) : shown;
  }
  return all;
}

const bySlug = (one: Shown, other: Shown): number => (String(one.slug) < String(other.slug) ? -1 : 1);

function turned(kind: string, { id, author, ...record }: Shown, named: (kind: string, id: unknown) => unknown): Shown {
  const list = (taxonomy: string) =>
    Array.isArray(record[taxonomy]) ? { [taxonomy]: record[taxonomy].map((term) => named(taxonomy, term)) } : {};
  const isTerm = kind === 'categories' || kind === 'tags';
  return {
    ...record,
    ...(!isTerm && kind !== 'comments' && { id }),
    ...(author !== undefined && { author: named('users', author) }),
    ...(isTerm && { parent: named(kind, record.parent) }),
    ...list('categories'),
    ...list('tags'),
  };
}
