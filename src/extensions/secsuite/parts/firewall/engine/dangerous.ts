// Whether the filter of contents would take anything out of a text but spelling.
import { eachToken, meaning } from '#lib/html-tokens.ts';
import { filterPost } from '#site/content/filter/filter.ts';
import { addresses } from '#site/content/filter/lists.ts';

/** A tag, an attribute, or the scheme of an address. */
export const isDangerous = (html: string): boolean =>
  html.includes('<') && signsOf(html).join('\n') !== signsOf(filterPost(html)).join('\n');

function signsOf(html: string): string[] {
  const signs: string[] = [];
  eachToken(html.replaceAll('\0', ''), (token) => {
    if (token.kind === 'close') signs.push(`/${token.name}`);
    if (token.kind !== 'open') return;
    signs.push(token.name);
    for (const { name, written } of token.attributes)
      signs.push(isAddress(name) ? `${name} ${meaning(written).split(':').length}` : name);
  });
  return signs;
}

const isAddress = (name: string): boolean => addresses.has(name) || name === 'srcset';
