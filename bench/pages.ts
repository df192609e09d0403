// Public pages over HTTP, cached and not cached, against a bare node:http server that sends the same bytes and headers.
import { measureReading, type ReadsOf } from './content.ts';
import { onEach } from './databases.ts';
import type { Section } from './report.ts';

export const measurePages = async (): Promise<Section> => ({
  title: 'Public pages',
  about: `The same site as a reader sees it, over HTTP, against a bare \`node:http\` server that sends the same bytes and headers.
"After a change" and "not cached" mean the same as under Reading posts.`,
  figures: await onEach((engine, asked) => measureReading(engine, asked, readsOf)),
});

const readsOf: ReadsOf = async (site, ids) => {
  const origin = `http://127.0.0.1:${await site.call<number>('port')}`;
  const answer = await fetch(`${origin}/api/core/v2/posts?per_page=100&include=${ids.join(',')}&_fields=link`);
  const links = (await answer.json()) as { link: string }[];
  const pages = links.map(({ link }) => new URL(link).pathname);
  const each = (path: string): string[] => pages.map(() => path);
  return [
    { what: 'the page of a post', paths: pages },
    { what: 'the front page', paths: each('/') },
    { what: 'the feed', paths: each('/feed/') },
  ];
};
