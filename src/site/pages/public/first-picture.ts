// The first large picture of a page is what people wait for: it comes at once, and before others.
import { eachToken, meaning, type Opening } from '#lib/html-tokens.ts';

/** In pixels: smaller ones are seldom what people wait for. */
const large = 50_000;

const late = '<img loading="lazy"';

/** Only what rendering itself put off is brought forward: whoever wrote `loading` meant it. */
export function firstPictureEager(html: string): string {
  if (!html.includes(late)) return html;
  let found: Opening | undefined;
  eachToken(html, (token) => {
    if (found === undefined && token.kind === 'open' && token.name === 'img' && isLarge(token)) found = token;
  });
  if (found === undefined || !html.startsWith(late, found.start)) return html;
  const tag = html
    .slice(found.start, found.end)
    .replace(late, '<img fetchpriority="high"')
    .replace(' sizes="auto, ', ' sizes="');
  return html.slice(0, found.start) + tag + html.slice(found.end);
}

function isLarge({ attributes }: Opening): boolean {
  const sideOf = (side: string): number =>
    Number(meaning(attributes.find(({ name }) => name === side)?.written ?? null));
  return sideOf('width') * sideOf('height') >= large;
}
