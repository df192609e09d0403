// How the page of one record leads programs on: to the record in the interface, to its short address, to how it looks inside of
// another page.
import { apiUrl } from '#kernel/faces.ts';
import { type Html, html } from '#lib/html.ts';
import type { Post } from '../../content/posts/post.ts';
import type { Ground } from './needs.ts';

interface Leading {
  readonly head: Html;
  readonly links: readonly string[];
}

interface Way {
  readonly rel: 'alternate' | 'shortlink';
  readonly href: string;
  readonly type?: string;
  readonly title?: string;
}

export function leading(ground: Ground, post: Post, address: string): Leading {
  const ways = waysOf(ground, post, address);
  return {
    head: html`${ways.map(
      ({ rel, href, type, title }) =>
        html`<link rel="${rel}"${title && html` title="${title}"`}${type && html` type="${type}"`} href="${href}">\n`,
    )}`,
    links: ways.map(({ rel, href, type, title }) =>
      [
        `<${href}>`,
        rel === 'shortlink' ? 'rel=shortlink' : `rel="${rel}"`,
        title && `title="${title}"`,
        type && `type="${type}"`,
      ]
        .filter(Boolean)
        .join('; '),
    ),
  };
}

function waysOf({ url, roots, face, isEmbeddable, content }: Ground, post: Post, address: string): Way[] {
  const { base = '' } = content.kinds.type(post.type) ?? {};
  const record = apiUrl(roots, face, `/core/v2/${base}/${post.id}`);
  const embed = `${apiUrl(roots, face, '/oembed/1.0/embed')}?url=${encodeURIComponent(address)}`;
  const embeds: Way[] = [
    { rel: 'alternate', title: 'oEmbed (JSON)', type: 'application/json+oembed', href: embed },
    { rel: 'alternate', title: 'oEmbed (XML)', type: 'text/xml+oembed', href: `${embed}&format=xml` },
  ];
  return [
    { rel: 'alternate', title: 'JSON', type: 'application/json', href: record },
    { rel: 'shortlink', href: `${url}/?p=${post.id}` },
    ...(isEmbeddable() && post.password === '' ? embeds : []),
  ];
}
