// The endpoint of another site is asked, and its answer is read.
import type { Fetched, Outgoing } from '#site/outgoing/outgoing.ts';
import { Upstream } from '#site/outgoing/outgoing.ts';
import type { Place } from './discovery.ts';
import { type Box, type Embed, embedOf } from './embed.ts';
import { fromXml } from './xml.ts';

interface Question extends Box {
  readonly url: string;
  readonly format: Place['format'];
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
