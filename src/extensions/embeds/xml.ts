// The format spelled as XML: one element for each field, with text alone in it.

import { escapeHtml } from '#lib/html.ts';
import { eachToken, textOf } from '#lib/html-tokens.ts';
import { xmlText } from '#lib/xml.ts';

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
