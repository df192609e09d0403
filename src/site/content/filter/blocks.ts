// The marks of blocks, which are comments: what they say of a block is shown again, so it is filtered too.

import { type Mark, unmarked } from '../marks.ts';

const deepest = 50;

/** The comment as it may be written. */
export function safeMark(mark: Mark, filter: (html: string) => string): string {
  const attributes = mark.attributes === undefined ? undefined : filtered(mark.attributes, filter);
  return `<!-- ${mark.ends ? '/' : ''}wp:${mark.name} ${attributes === undefined ? '' : `${attributes} `}${mark.isAlone ? '/' : ''}-->`;
}

/** As it was written where there is nothing to take out of it; nothing when it is broken. */
function filtered(attributes: string, filter: (html: string) => string): string | undefined {
  try {
    const said: unknown = JSON.parse(attributes);
    const safe = walked(said, filter, deepest);
    const isAsItWas = !/[<>]|--/.test(attributes) && JSON.stringify(safe) === JSON.stringify(said);
    return isAsItWas ? attributes : unmarked(JSON.stringify(safe));
  } catch {
    return undefined;
  }
}

function walked(said: unknown, filter: (html: string) => string, room: number): unknown {
  if (room === 0) throw new Error('Blocks say nothing as deep as that.');
  if (typeof said === 'string') return /[<>]/.test(said) ? filter(said) : said;
  if (Array.isArray(said)) return said.map((one) => walked(one, filter, room - 1));
  if (typeof said !== 'object' || said === null) return said;
  return Object.fromEntries(
    Object.entries(said).map(([key, one]) => [/[<>]/.test(key) ? filter(key) : key, walked(one, filter, room - 1)]),
  );
}
