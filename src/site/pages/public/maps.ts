// What there is on the site, for search engines: a map in parts, and what they may go through.

import { sql } from 'kysely';
import type { PageAnswer } from '#kernel/http/page.ts';
import { type Html, html } from '#lib/html.ts';
import { totalTopics } from '../../content/tables.ts';
import { totalOf } from '../../platform/totals.ts';
import type { Ground } from './needs.ts';
import { xml } from './xml.ts';

/** Addresses in a part. */
const most = 2_000;
/** Of one kind, so that nobody asks for ever further ones. */
const mostParts = 10_000;

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface Place {
  readonly address: string;
  readonly changed?: string;
}

interface Kind {
  readonly name: string;
  count(): Promise<number>;
  places(offset: number): Promise<readonly Place[]>;
}

function kindsOf(ground: Ground): Kind[] {
  const { kinds } = ground.content;
  const types = kinds.types.filter(({ viewable, name }) => viewable && name !== 'attachment');
  const taxonomies = kinds.taxonomies.filter((one) => one.public);
  return [
    ...types.map(({ name }) => recordsOf(ground, name)),
    ...taxonomies.map(({ name }) => termsOf(ground, name)),
    authorsOf(ground),
  ];
}

const recordsOf = (ground: Ground, type: string): Kind => ({
  name: type,
  count: async () => (type === 'page' ? 1 : 0) + (await totalOf(ground.store.db, totalTopics.posts, `${type}/publish`)),
  places: (offset) => recordPlaces(ground, type, offset),
});

async function recordPlaces(ground: Ground, type: string, offset: number): Promise<Place[]> {
  // With the pages stands the front page, whether it is one of them or not.
  const homes = type === 'page' ? 1 : 0;
  const isFirst = offset === 0;
  const rows = await ground.store.db
    .selectFrom('posts')
    .select(['id', 'type', 'status', 'slug', 'date', 'parent', 'modified_gmt', 'password'])
    .where('type', '=', type)
    .where('status', '=', 'publish')
    .orderBy('date')
    .orderBy('id')
    .limit(isFirst ? most - homes : most)
    .offset(isFirst ? 0 : offset - homes)
    .execute();
  const links = await ground.content.permalinks.of(rows);
  const open = rows.filter(({ password }) => password === '');
  const places = open.map(({ id, modified_gmt }) => ({ address: links.get(id)!, changed: `${modified_gmt}+00:00` }));
  const home = `${ground.url}/`;
  const isMissing = isFirst && homes > 0 && places.every(({ address }) => address !== home);
  return isMissing ? [{ address: home }, ...places] : places;
}

const termsOf = (ground: Ground, taxonomy: string): Kind => {
  const terms = ground.store.db.selectFrom('terms').where('taxonomy', '=', taxonomy).where('count', '>', 0);
  return {
    name: taxonomy,
    async count() {
      const { total } = await terms.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return Number(total);
    },
    async places(offset) {
      const some = terms.select(['id', 'taxonomy', 'slug', 'parent']).orderBy('id').limit(most).offset(offset);
      const links = await ground.content.permalinks.ofTerms(await some.execute());
      return [...links.values()].map((address) => ({ address }));
    },
  };
};

const authorsOf = (ground: Ground): Kind => {
  const { authors, permalinks } = ground.content;
  const known = ground.store.db.selectFrom('users').where(sql<boolean>`${authors.published(['post'])}`);
  return {
    name: 'author',
    async count() {
      const { total } = await known.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return Number(total);
    },
    async places(offset) {
      const some = await known.select(['slug']).orderBy('id').limit(most).offset(offset).execute();
      return some.map(({ slug }) => ({ address: permalinks.ofAuthor(slug) }));
    },
  };
};

const partAddress = ({ url }: Ground, name: string, part: number): string => `${url}/sitemap-${name}-${part}.xml`;

/** Nothing, where it has no such part. */
export async function siteMap(ground: Ground, path: string, url: string): Promise<PageAnswer | undefined> {
  if (path === 'sitemap.xml') return wholeMap(ground, url);
  const [, name, digits] = /^sitemap-([a-z_]{1,40})-([1-9]\d{0,4})\.xml$/.exec(path) ?? [];
  const [kind, part] = [kindsOf(ground).find((one) => one.name === name), Number(digits)];
  if (kind === undefined || part > mostParts) return undefined;
  const places = await kind.places((part - 1) * most);
  if (places.length === 0) return undefined;
  const body = html`<urlset xmlns="${namespace}">
${places.map(({ address, changed }) => html`<url><loc>${address}</loc>${changed && html`<lastmod>${changed}</lastmod>`}</url>\n`)}</urlset>
`;
  return xml({
    body,
    type: 'application/xml',
    isAsked: partAddress(ground, kind.name, part) === `${ground.url}${url}`,
  });
}

async function wholeMap(ground: Ground, url: string): Promise<PageAnswer> {
  const kinds = kindsOf(ground);
  const counts = await Promise.all(kinds.map((kind) => kind.count()));
  const parts: Html[] = kinds.flatMap(({ name }, at) =>
    Array.from(
      { length: Math.min(mostParts, Math.ceil(counts[at]! / most)) },
      (_, part) => html`<sitemap><loc>${partAddress(ground, name, part + 1)}</loc></sitemap>\n`,
    ),
  );
  const body = html`<sitemapindex xmlns="${namespace}">\n${parts}</sitemapindex>\n`;
  return xml({ body, type: 'application/xml', isAsked: url === '/sitemap.xml' });
}

export const robots = ({ url: home, house: { at } }: Ground, url: string): PageAnswer => ({
  status: 200,
  type: 'text/plain; charset=UTF-8',
  body: `User-agent: *\nDisallow: ${at('/wp-admin/')}\nAllow: ${at('/wp-admin/admin-ajax.php')}\n\nSitemap: ${home}/sitemap.xml\n`,
  anybodys: url === '/robots.txt',
  headers: { 'Cache-Control': 'no-cache' },
});
