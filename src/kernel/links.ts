// Links of a record, spelled for the face that asked, with what the caller may do there.
import { apiUrl, type Face, type Roots } from './faces.ts';
import type { Link, Links } from './resource.ts';

const relationBase = 'https://api.w.org/{rel}';

/** Links made here. Only these are ever followed: a document that merely looks as if it had links has none. */
export class RenderedLinks {
  [rel: string]: Record<string, unknown>[];
}

const absolute = (roots: Roots, face: Face, href: string): string =>
  href.startsWith('/') ? apiUrl(roots, face, href) : href;

/** Attributes come before the address; the short name `wp:` is explained once, last. */
export function renderLinks(links: Links, roots: Roots, face: Face): RenderedLinks {
  const rendered = new RenderedLinks();
  let short = false;
  for (const [rel, targets] of Object.entries(links)) {
    if (targets.length === 0) continue;
    rendered[rel] = targets.map(({ href, ...attributes }: Link) => ({
      ...attributes,
      href: absolute(roots, face, href),
    }));
    short ||= rel.startsWith('wp:');
  }
  if (short) rendered.curies = [{ name: 'wp', href: relationBase, templated: true }];
  return rendered;
}
