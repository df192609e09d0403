// The endpoint of another site is asked, and its answer is read.

import { eachToken, meaning, type Opening } from '#lib/html-tokens.ts';
import { type Fetched, type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import { type Box, type Embed, embedOf, fromXml, webAddress } from './embed.ts';

/** Where a page is told of, and how it is spelled there. */
export interface EmbedEndpoint {
  readonly url: string;
  readonly format: 'json' | 'xml';
}

/** Of a page, no more is read. */
const beginning = 150 * 1024;
/** A page may be longer than what is read of it. */
const largest = 50 * 1024 * 1024;

export async function discover(outgoing: Outgoing, page: string): Promise<EmbedEndpoint | undefined> {
  const fetched = await outgoing.fetch(page, {
    name: 'embed',
    types: ['text/html', 'application/xhtml+xml'],
    most: largest,
  });
  return placeIn(await fetched.beginning(beginning), fetched.url);
}

const formats: Readonly<Record<string, EmbedEndpoint['format']>> = {
  'application/json+oembed': 'json',
  'text/xml+oembed': 'xml',
  'application/xml+oembed': 'xml',
};

/** The first that is JSON, else the first that is XML. */
function placeIn(html: string, base: string): EmbedEndpoint | undefined {
  const places: EmbedEndpoint[] = [];
  eachToken(html, (token) => {
    if (token.kind !== 'open' || token.name !== 'link') return;
    const place = placeOf(token, base);
    if (place !== undefined) places.push(place);
  });
  return places.find(({ format }) => format === 'json') ?? places[0];
}

function placeOf({ attributes }: Opening, base: string): EmbedEndpoint | undefined {
  const said = (wanted: string) => meaning(attributes.find(({ name }) => name === wanted)?.written ?? null).trim();
  const format = formats[said('type').toLowerCase()];
  if (format === undefined || !said('rel').toLowerCase().split(/\s+/).includes('alternate')) return undefined;
  const url = webAddress(URL.parse(said('href'), base)?.href);
  return url === undefined ? undefined : { url, format };
}

interface Question extends Box {
  readonly url: string;
  readonly format: EmbedEndpoint['format'];
  /** The readers shall not be followed. */
  readonly dnt?: boolean | undefined;
}

const types = {
  json: [
    'application/json',
    'application/json+oembed',
    'text/json',
    'text/javascript',
    'application/javascript',
    'text/plain',
  ],
  xml: ['text/xml', 'application/xml', 'text/xml+oembed', 'application/xml+oembed'],
};

const most = 1024 * 1024;

/** What the endpoint says of a page; nothing when it says nothing that can be used. */
export async function ask(outgoing: Outgoing, endpoint: string, question: Question): Promise<Embed | undefined> {
  try {
    return await asked(outgoing, endpoint, question);
  } catch (error) {
    // The status of one that does not speak this.
    if (question.format === 'xml' || !(error instanceof Upstream) || error.status !== 501) throw error;
    return asked(outgoing, endpoint, { ...question, format: 'xml' });
  }
}

async function asked(outgoing: Outgoing, endpoint: string, question: Question): Promise<Embed | undefined> {
  const { href } = addressOf(endpoint, question);
  const fetched = await outgoing.fetch(href, { name: 'embed', types: [...types.json, ...types.xml], most });
  return embedOf(await read(fetched));
}

function addressOf(endpoint: string, { url, format, maxwidth, maxheight, dnt }: Question): URL {
  const address = new URL(endpoint);
  const say = (name: string, value: string | number | undefined): void => {
    if (value !== undefined) address.searchParams.set(name, String(value));
  };
  if (!address.searchParams.has('url')) say('url', url);
  say('maxwidth', maxwidth);
  say('maxheight', maxheight);
  say('format', format);
  if (dnt) say('dnt', 1);
  return address;
}

async function read(fetched: Fetched): Promise<unknown> {
  const text = await fetched.text();
  if (types.xml.includes(fetched.type)) return fromXml(text);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
