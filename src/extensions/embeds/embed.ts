// What is told of a page that is shown inside of another: the fields of the format, as they may be passed on, and as XML.

import { escapeHtml } from '#lib/html.ts';
import { eachToken, textOf } from '#lib/html-tokens.ts';
import { withoutSteering } from '#lib/printable.ts';
import { stripTags } from '#lib/tags.ts';
import { xmlText } from '#lib/xml.ts';

export interface Embed {
  readonly type: 'photo' | 'video' | 'link' | 'rich';
  readonly version: '1.0';
  readonly [field: string]: unknown;
}

/** A width or height: in pixels, in percent, or whatever fits. */
export type Length = number | string | null;

const types = new Set(['photo', 'video', 'link', 'rich']);
const texts = ['title', 'author_name', 'provider_name'] as const;
const links = ['author_url', 'provider_url'] as const;

/** An answer in the format, without what the format does not know; nothing when it lacks what it must have. */
export function embedOf(answer: unknown): Embed | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const said = answer as Record<string, unknown>;
  if (typeof said.type !== 'string' || !types.has(said.type) || Number(said.version) !== 1) return undefined;
  const needed = neededOf(said, said.type as Embed['type']);
  if (needed === undefined) return undefined;
  return { version: '1.0', type: said.type as Embed['type'], ...optionalOf(said), ...needed };
}

/** For sites that nobody vouches for: what they say is text, whoever shows it as what. */
export function inPlainText(embed: Embed): Embed {
  const plain: Record<string, unknown> = {};
  for (const name of texts)
    if (typeof embed[name] === 'string') plain[name] = withoutSteering(stripTags(embed[name])).trim();
  return { ...embed, ...plain };
}

function neededOf(said: Record<string, unknown>, type: Embed['type']): Record<string, unknown> | undefined {
  if (type === 'link') return {};
  const [width, height] = [lengthOf(said.width), lengthOf(said.height)];
  if (type !== 'photo') {
    const isWhole = typeof said.html === 'string' && width !== undefined && height !== undefined;
    return isWhole ? { width, height, html: said.html } : undefined;
  }
  const url = webAddress(said.url);
  return url !== undefined && typeof width === 'number' && typeof height === 'number'
    ? { url, width, height }
    : undefined;
}

function optionalOf(said: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of texts) if (typeof said[name] === 'string') kept[name] = said[name];
  for (const name of links) if (webAddress(said[name]) !== undefined) kept[name] = webAddress(said[name]);
  const age = Number(said.cache_age ?? Number.NaN);
  if (Number.isInteger(age) && age >= 0) kept.cache_age = age;
  const url = webAddress(said.thumbnail_url);
  const [width, height] = [lengthOf(said.thumbnail_width), lengthOf(said.thumbnail_height)];
  if (url === undefined || typeof width !== 'number' || typeof height !== 'number') return kept;
  return { ...kept, thumbnail_url: url, thumbnail_width: width, thumbnail_height: height };
}

const longest = 10_000;

function lengthOf(value: unknown): Length | undefined {
  if (value === null) return null;
  const text = String(value ?? '').trim();
  if (/^\d{1,3}%$/.test(text)) return text;
  const pixels = Math.round(Number(/^\d{1,6}(?:\.\d+)?(?:px)?$/.exec(text)?.[0].replace('px', '') ?? Number.NaN));
  return pixels >= 1 && pixels <= longest ? pixels : undefined;
}

/** An address of the web, in full. */
export function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const url = URL.parse(value.trim());
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' ? url.href : undefined;
}

export interface Box {
  readonly maxwidth: number;
  readonly maxheight?: number | undefined;
}

/** As large as it was, or smaller in the same proportion. */
export function fitted(width: Length, height: Length, { maxwidth, maxheight }: Box): [Length, Length] {
  const wide = typeof width === 'number' ? maxwidth / width : 1;
  const high = typeof height === 'number' && maxheight !== undefined ? maxheight / height : 1;
  const scale = Math.min(1, wide, high);
  const scaled = (length: Length): Length =>
    typeof length === 'number' ? Math.max(1, Math.round(length * scale)) : length;
  return [scaled(width), scaled(height)];
}

/** One element for each field, with text alone in it. */
export function toXml(embed: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(embed).map(
    ([name, value]) => `<${name}>${escapeHtml(xmlText(String(value)))}</${name}>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<oembed>${fields.join('')}</oembed>\n`;
}

/** The fields of it. Nothing is expanded or looked up. */
export function fromXml(xml: string): Record<string, string> | undefined {
  const plain = withoutCdata(xml);
  const fields: Record<string, string> = {};
  let name = '';
  let isOne = false;
  eachToken(plain, (token) => {
    if (token.kind === 'text' && name !== '')
      fields[name] = (fields[name] ?? '') + textOf(plain.slice(token.start, token.end));
    if (token.kind !== 'comment' && token.kind !== 'text')
      name = token.kind === 'open' && known.has(token.name) ? token.name : '';
    if (token.kind === 'open' && token.name === 'oembed') isOne = true;
  });
  return isOne ? fields : undefined;
}

const known = new Set(
  (
    'type version title author_name author_url provider_name provider_url cache_age thumbnail_url thumbnail_width ' +
    'thumbnail_height url width height html'
  ).split(' '),
);

/** What stands as it is meant becomes text as it is spelled. */
function withoutCdata(xml: string): string {
  const [first = '', ...rest] = xml.split('<![CDATA[');
  return first + rest.map((part) => spelledUntil(part, part.indexOf(']]>'))).join('');
}

const spelledUntil = (part: string, end: number): string =>
  end < 0 ? escapeHtml(part) : escapeHtml(part.slice(0, end)) + part.slice(end + 3);
