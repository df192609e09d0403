// The search over all that is published as it was recorded, replayed.

import type { TestSite } from '#test/site.ts';
import { recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

async function seed(site: TestSite): Promise<void> {
  const admin = site.as('administrator');
  const published = { status: 'publish', content: 'Copper mirror glacier.' };
  const category = await admin.post('/api/core/v2/categories', { name: 'Category River' });
  await admin.post('/api/core/v2/categories', { name: 'Category Copper', parent: category.body.id });
  await admin.post('/api/core/v2/categories', { name: 'Category Engine' });
  await admin.post('/api/core/v2/tags', { name: 'tag-river1' });
  for (let at = 1; at <= 90; at++)
    await admin.post('/api/core/v2/posts', {
      ...published,
      title: `Post ${at} Timber compass river`,
      date: '2026-02-19T12:00:00',
    });
  for (let at = 1; at <= 3; at++)
    await admin.post('/api/core/v2/pages', { ...published, title: `Page ${at} river`, date: '2026-01-19T12:00:00' });
}

replayed({
  topic: 'search',
  exchanges: [
    ...recorded('search'),
    ...recorded('pagination').filter(({ name }) => /^search /.test(name)),
    ...recorded('options').filter(({ name }) => name === 'OPTIONS search'),
  ],
  accepted: [],
  seed,
});
