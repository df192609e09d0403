// Addresses that stand alone in their line or paragraph, or in `[embed]`: what they lead to is shown in their place.
import { html } from '#lib/html.ts';
import { eachToken, type Token, textOf } from '#lib/html-tokens.ts';
import { pictured } from './images.ts';

/** Those that something else may be shown of. */
export function addressesIn(content: string): string[] {
  return standingIn(content).flatMap(({ url }) => (playerOf(url) === undefined ? [url] : []));
}

/**
 * With marks in the place of those of which something was found, until all else is written: what others say of their pages is no
 * text of ours. A sound or a film becomes the shortcode that plays it.
 */
export function addressesShown(content: string, found: ReadonlyMap<string, string>): string {
  const pieces: string[] = [];
  const numbers = new Map(Array.from(found.keys(), (url, number) => [url, number]));
  let from = 0;
  for (const { start, end, url } of standingIn(content)) {
    const number = numbers.get(url);
    const shown = playerOf(url) ?? (number === undefined ? undefined : markOf(number));
    const said = shown ?? content.slice(start, end).replace(embedded, () => String(html`[embed src="${url}"]`));
    pieces.push(content.slice(from, start), said);
    from = end;
  }
  return from === 0 ? content : pieces.join('') + content.slice(from);
}

/** One of which nothing is known says its address where no word is set in type. */
const embedded = /\[embed[^[\]]*\][^[\]]*\[\/embed\]/i;

const markOf = (number: number): string => `<figure data-shown-here="${number}"></figure>`;
const marks = /<figure data-shown-here="(\d{1,3})"><\/figure>/g;

/** In one text, in characters: the same address may stand in it over and over. */
const mostShown = 1024 * 1024;

/** What was found, in the place of the marks. */
export function addressesWritten(text: string, found: ReadonlyMap<string, string>): string {
  if (found.size === 0) return text;
  const all = Array.from(found, ([url, shown]) => ({ url, shown: pictured(shown, nothingOfOurs) }));
  let length = 0;
  return text.replace(marks, (mark, number: string) => {
    const one = all[Number(number)];
    if (one === undefined) return mark;
    length += one.shown.length;
    return length > mostShown ? String(html`<a href="${one.url}">${one.url}</a>`) : one.shown;
  });
}

const nothingOfOurs = { known: new Map(), urlOf: (file: string) => file };

const [sounds, films] = [/\.(?:mp3|m4a|ogg|wav|flac)$/i, /\.(?:mp4|m4v|webm|ogv|flv)$/i];

function playerOf(url: string): string | undefined {
  if (/['[\]]/.test(url)) return undefined;
  const path = url.split(/[?#]/, 1)[0]!;
  if (sounds.test(path)) return `[audio src="${url}"]`;
  return films.test(path) ? `[video src="${url}"]` : undefined;
}

/** An address, and the stretch of text that it stands for. */
interface Standing {
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

/** In these, text is shown as it stands, or leads elsewhere already. */
const silent = new Set('pre code kbd samp script style textarea title select button svg a'.split(' '));

/** Without it there is none of them. */
const hint = /(?:^|[\n>\]])[^\S\n]*https?:\/\//i;

function standingIn(content: string): Standing[] {
  if (!hint.test(content)) return [];
  const tokens: Token[] = [];
  eachToken(content, (token) => void tokens.push(token));
  let depth = 0;
  const found = tokens.values().flatMap((token, at) => {
    if (token.kind === 'open' && silent.has(token.name)) depth += 1;
    if (token.kind === 'close' && silent.has(token.name)) depth = Math.max(0, depth - 1);
    if (token.kind !== 'text' || depth > 0) return [];
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    const isParagraph = isTagOf(before, 'open') && isTagOf(after, 'close');
    return inText(content, token, isParagraph ? { start: before!.start, end: after!.end } : undefined);
  });
  return found.take(mostPlaces).toArray();
}

/** Nobody has more of them shown in one text. */
const mostPlaces = 1_000;

const isTagOf = (token: Token | undefined, kind: 'open' | 'close'): boolean =>
  token?.kind === kind && token.name === 'p';

const alone =
  /(?<!\[)\[embed(?:\s[^[\]]{0,200})?\]\s*(https?:\/\/[^\s<>"[\]]+)\s*\[\/embed\](?!\])|^[^\S\n]*(https?:\/\/[^\s<>"]+)[^\S\n]*$/gim;

type Stretch = Omit<Standing, 'url'>;

/** `paragraph`: that it is all of. */
function inText(content: string, token: Stretch, paragraph: Stretch | undefined): Standing[] {
  const said = content.slice(token.start, token.end);
  // A tag that never ends takes what follows it into itself.
  const torn = said.search(/<[a-z/!?]/i);
  const text = torn < 0 ? said : said.slice(0, torn);
  return text
    .matchAll(alone)
    .flatMap((match) => {
      const [whole, embedded, line = ''] = match;
      const url = addressOf(embedded ?? line);
      const isAll = paragraph !== undefined && whole.trim() === text.trim();
      const start = token.start + match.index;
      const here = { start, end: start + whole.length };
      const stands = isAll || embedded !== undefined || isLine(content, here);
      return url !== undefined && stands ? [{ ...(isAll ? paragraph : here), url }] : [];
    })
    .toArray();
}

/** A text ends where a tag begins, a line does not. */
const isLine = (content: string, { start, end }: Stretch): boolean =>
  (start === 0 || content[start - 1] === '\n') && (end === content.length || content[end] === '\n');

const longest = 2_048;

function addressOf(written: string): string | undefined {
  if (written.length > longest) return undefined;
  const url = textOf(written);
  return /^https?:\/\/[^\s<>"]+$/i.test(url) && URL.canParse(url) ? url : undefined;
}
