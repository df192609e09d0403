// Links of a record, spelled for the face that asked, with what the caller may do there.
import { apiUrl, type Face, type Roots } from './faces.ts';
import type { Link, Links, Relations } from './resource.ts';

const everybodys: Relations = { wp: 'https://api.w.org/{rel}' };

/** Links made here. Only these are ever followed: a document that merely looks as if it had links has none. */
export class RenderedLinks {
  [rel: string]: Record<string, unknown>[];
}

const absolute = (roots: Roots, face: Face, href: string): string =>
  href.startsWith('/') ? apiUrl(roots, face, href) : href;

/** Attributes come before the address; short names, `wp:` and those given, are explained once, last. */
export function renderLinks(links: Links, roots: Roots, face: Face, more: Relations = {}): RenderedLinks {
  const rendered = new RenderedLinks();
  const relations = { ...everybodys, ...more };
  const used = new Set<string>();
  for (const [rel, targets] of Object.entries(links)) {
    if (targets.length === 0) continue;
    rendered[rel] = targets.map(({ href, ...attributes }: Link) => ({
      ...attributes,
      href: absolute(roots, face, href),
    }));
    const [short = ''] = rel.split(':', 1);
    if (rel !== short && Object.hasOwn(relations, short)) used.add(short);
  }
  if (used.size > 0) rendered.curies = [...used].map((name) => ({ name, href: relations[name], templated: true }));
  return rendered;
}
