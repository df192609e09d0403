// What a page says of itself in its head.
import { eachToken, meaning, type Opening, textOf } from '#lib/html-tokens.ts';
import { withoutSteering } from '#lib/printable.ts';
import { stripTags } from '#lib/tags.ts';

/** Empty where the page says nothing. */
export interface Details {
  readonly title: string;
  readonly icon: string;
  readonly description: string;
  readonly image: string;
}

/** `origin`: what its addresses are relative to. */
export function detailsIn(html: string, origin: string): Details {
  const said: Partial<Record<keyof Details, string>> = {};
  let isOver = false;
  let isTitle = false;
  eachToken(html, (token) => {
    if (isOver) return;
    if (token.kind === 'text') {
      if (isTitle) said.title = (said.title ?? '') + html.slice(token.start, token.end);
      return;
    }
    if (token.kind === 'comment') return;
    isTitle = token.kind === 'open' && token.name === 'title' && said.title === undefined;
    isOver = token.name === (token.kind === 'open' ? 'body' : 'head');
    if (token.kind === 'open') Object.assign(said, { ...told(token), ...said });
  });
  return {
    title: plain(textOf(said.title ?? '')),
    icon: addressOf(said.icon, origin),
    description: plain(said.description ?? ''),
    image: addressOf(said.image, origin),
  };
}

/** What one element says. The first that says something counts. */
function told({ name, attributes }: Opening): Partial<Details> {
  if (name !== 'link' && name !== 'meta') return {};
  const value = (wanted: string) => meaning(attributes.find((one) => one.name === wanted)?.written ?? null).trim();
  if (name === 'link') return isIcon(value('rel')) ? something('icon', value('href')) : {};
  const called = (value('name') || value('property')).toLowerCase();
  if (called === 'description' || called === 'og:description') return something('description', value('content'));
  return called === 'og:image' || called === 'og:image:url' ? something('image', value('content')) : {};
}

const something = (name: keyof Details, value: string): Partial<Details> => (value === '' ? {} : { [name]: value });

const isIcon = (rel: string): boolean => rel.toLowerCase().split(/\s+/).includes('icon');

const plain = (text: string): string => withoutSteering(stripTags(text.replace(/\s+/g, ' '))).trim();

function addressOf(text: string | undefined, origin: string): string {
  const url = text === undefined ? null : URL.parse(text, origin);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : '';
}
