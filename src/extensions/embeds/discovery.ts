// A page that says itself where what is to be told of it is told.
import { eachToken, meaning, type Opening } from '#lib/html-tokens.ts';
import type { Outgoing } from '#site/outgoing/outgoing.ts';
import { webAddress } from './embed.ts';

/** Where a page is told of, and how it is spelled there. */
export interface Place {
  readonly url: string;
  readonly format: 'json' | 'xml';
}

/** Of a page, no more is read. */
const beginning = 150 * 1024;
/** A page may be longer than what is read of it. */
const largest = 50 * 1024 * 1024;

export async function discover(outgoing: Outgoing, page: string): Promise<Place | undefined> {
  const fetched = await outgoing.fetch(page, {
    name: 'embed',
    types: ['text/html', 'application/xhtml+xml'],
    most: largest,
  });
  return placeIn(await fetched.beginning(beginning), fetched.url);
}

const formats: Readonly<Record<string, Place['format']>> = {
  'application/json+oembed': 'json',
  'text/xml+oembed': 'xml',
  'application/xml+oembed': 'xml',
};

/** The first that is JSON, else the first that is XML. */
function placeIn(html: string, base: string): Place | undefined {
  const places: Place[] = [];
  eachToken(html, (token) => {
    if (token.kind !== 'open' || token.name !== 'link') return;
    const place = placeOf(token, base);
    if (place !== undefined) places.push(place);
  });
  return places.find(({ format }) => format === 'json') ?? places[0];
}

function placeOf({ attributes }: Opening, base: string): Place | undefined {
  const said = (wanted: string) => meaning(attributes.find(({ name }) => name === wanted)?.written ?? null).trim();
  const format = formats[said('type').toLowerCase()];
  if (format === undefined || !said('rel').toLowerCase().split(/\s+/).includes('alternate')) return undefined;
  const url = webAddress(URL.parse(said('href'), base)?.href);
  return url === undefined ? undefined : { url, format };
}
