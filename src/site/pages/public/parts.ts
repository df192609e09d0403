// A long text that its author cut into parts, each with an address of its own.

import { urlBelow } from '#lib/addresses.ts';
import { type Html, html } from '#lib/html.ts';
import type { Ground } from './needs.ts';
import { ours } from './ours.ts';

const cut = '<!--nextpage-->';

/** The block that holds the cut is none of the parts. */
const held = /<!-- wp:nextpage (?:\{[^}]{0,200}\} )?-->\s{0,10}<!--nextpage-->\s{0,10}<!-- \/wp:nextpage -->/g;

/** No text is cut into more. */
const most = 500;

export function partsOf(content: string): string[] {
  if (!content.includes(cut)) return [content];
  const parts = content.replace(held, cut).split(cut, most);
  // One that begins with a cut begins there.
  return parts[0]!.trim() === '' && parts.length > 1 ? parts.slice(1) : parts;
}

export const partAddress = (address: string, part: number): string =>
  part === 1 ? address : urlBelow(address, `${part}/`);

/** A preview has one address, so its parts are told apart by the query. `url`: of another part of it. */
export function previewedPart(url: string, part: number): string {
  const [path, query] = url.split('?', 2);
  const asked = new URLSearchParams(query);
  asked.set('page', String(part));
  return `${path}?${asked}`;
}

/** `at`: the address of each part. */
export function partsNavigation(
  ground: Ground,
  at: (part: number) => string,
  part: number,
  parts: number,
): Html | undefined {
  if (parts < 2) return undefined;
  const ways = Array.from({ length: parts }, (_, index) => index + 1).map((number) =>
    number === part
      ? html`<li><a href="${at(number)}" aria-current="page">${number}</a></li>`
      : html`<li><a href="${at(number)}">${number}</a></li>`,
  );
  return html`<nav aria-label="Parts of this text"${ours(ground)}><ul class="plain ways"><li>Parts:</li>${ways}</ul></nav>\n`;
}
