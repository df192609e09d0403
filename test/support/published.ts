// A site with something of everything on it, as readers find it: for tests of the public pages.
import assert from 'node:assert/strict';
import { picture } from './pictures.ts';
import type { Client, TestSite } from './site.ts';

/** The body of what was made. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
export type Made = any;

/** Makes something by the interface, as the person in charge; what is refused fails the test. */
export function makerOf(site: TestSite, as: Client = site.as('administrator')) {
  return async (path: string, body: object): Promise<Made> => {
    const made = await as.post(`/api/core/v2/${path}`, body);
    assert.ok(made.status < 300, `${path}: ${made.text}`);
    return made.body;
  };
}

export async function upload(
  site: TestSite,
  name: string,
  size: readonly [number, number] = [1400, 900],
): Promise<Made> {
  const { body, status, text } = await site.as('administrator').request('POST', '/api/core/v2/media', {
    body: new Uint8Array(await picture(...size)),
    headers: { 'content-type': 'image/jpeg', 'content-disposition': `attachment; filename=${name}.jpg` },
  });
  assert.equal(status, 201, text);
  return body;
}

/** The path and query of an address of the site. */
export const pathOf = ({ config }: TestSite, url: string): string => url.slice(config.url.length);

const paragraph = (text: string): string => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;

export async function published(site: TestSite) {
  const make = makerOf(site);
  const { user } = await authorOf(site);
  const picture = await upload(site, 'garden');
  const school = await make('categories', { name: 'School & Garden', description: 'What grows.' });
  const bed = await make('categories', { name: 'Beds', parent: school.id });
  const tag = await make('tags', { name: 'Summer' });
  const post = await make('posts', {
    title: 'The garden is “open”',
    content: [
      paragraph('Come &amp; see. It is <strong>green</strong>.'),
      `<!-- wp:image {"id":${picture.id}} -->\n<figure class="wp-block-image"><img src="${picture.source_url}" alt="A garden" class="wp-image-${picture.id}"/></figure>\n<!-- /wp:image -->`,
      paragraph('Second part of it.'),
    ].join('\n\n'),
    status: 'publish',
    author: user.id,
    date: '2026-11-10T09:00:00',
    categories: [bed.id],
    tags: [tag.id],
    format: 'aside',
    comment_status: 'open',
  });
  const about = await make('pages', { title: 'About us', content: 'Who we are.', status: 'publish', menu_order: 1 });
  const people = await make('pages', { title: 'People', content: 'All.', status: 'publish', parent: about.id });
  return { picture, school, bed, tag, post, about, people, user, make };
}

async function authorOf(site: TestSite) {
  const user = await site.user({ login: 'ada-signs-in', slug: 'ada', name: 'Ada <Lovelace>', roles: ['author'] });
  return { user };
}
