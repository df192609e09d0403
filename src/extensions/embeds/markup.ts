// What a page shows of another one. A site that is known is taken at its word; of any other a frame is left that can do
// nothing to the page around it.
import { html } from '#lib/html.ts';
import { type Attribute, eachToken, meaning, type Opening, spelled } from '#lib/html-tokens.ts';
import { balanced } from '#site/content/rendering/balanced.ts';
import { type Box, type Embed, fitted, type Length, webAddress } from './embed.ts';

/** For a photo or a link, whoever answered. */
export function ownMarkup(embed: Embed, page: string): string | undefined {
  const title = String(embed.title ?? '');
  if (embed.type === 'link') return String(html`<a href="${page}">${title || page}</a>`);
  if (embed.type !== 'photo') return undefined;
  const { url, width, height } = embed as unknown as { url: string; width: number; height: number };
  return String(html`<a href="${page}"><img src="${url}" alt="${title}" width="${width}" height="${height}"></a>`);
}

/** As it came, but for frames that could be changed on their way. */
export function trusted(said: string): string {
  // First of all: a tag may begin where two lines become one.
  const markup = said.replace(/[\r\n]+/g, '');
  const pieces: string[] = [];
  let isDropped = false;
  eachToken(markup, (token) => {
    if (token.kind === 'open' && token.name === 'iframe') {
      isDropped = !/^https:\/\//i.test(attributeOf(token, 'src').trim());
      // What follows shall not become a tag by what went before.
      if (isDropped) pieces.push(pieces.pop()?.replace(/<$/, '&lt;') ?? '');
      if (isDropped) return;
    }
    if (!isDropped) pieces.push(markup.slice(token.start, token.end));
    if (token.kind === 'close' && token.name === 'iframe') isDropped = false;
  });
  return pieces.join('');
}

const attributeOf = ({ attributes }: Opening, wanted: string): string =>
  meaning(attributes.find(({ name }) => name === wanted)?.written ?? null);

/** The quotation and the frame of it; nothing without a frame. */
export function framed(markup: string, box: Box, secret: () => string): string | undefined {
  const frame = frameOf(markup);
  const quotation = quotationOf(markup);
  const src = frame === undefined ? undefined : webAddress(attributeOf(frame, 'src'));
  if (frame === undefined || src === undefined) return undefined;
  const mark = secret();
  const quote = quotation === undefined ? '' : `<blockquote data-secret="${mark}">${readable(quotation)}</blockquote>`;
  const hiding = quotation === undefined ? '' : ' style="position: absolute; visibility: hidden;"';
  const address = new URL(src);
  address.hash = `?secret=${mark}`;
  const attributes = html` sandbox="allow-scripts" security="restricted" src="${address.href}" data-secret="${mark}"`;
  return `${quote}<iframe${attributes}${hiding}${sizes(frame, box)}${others(frame)}></iframe>`;
}

function sizes(frame: Opening, box: Box): string {
  const [width, height] = fitted(pixels(attributeOf(frame, 'width')), pixels(attributeOf(frame, 'height')), box);
  return `${width === null ? '' : html` width="${width}"`}${height === null ? '' : html` height="${height}"`}`;
}

const pixels = (text: string): Length => {
  const found = /^\s*(\d{1,5})(?:px)?\s*$/.exec(text)?.[1];
  return found === undefined || Number(found) === 0 ? null : Number(found);
};

const kept = new Set(['frameborder', 'marginwidth', 'marginheight', 'scrolling', 'title']);

const others = ({ attributes }: Opening): string =>
  attributes
    .filter(({ name }) => kept.has(name))
    .map(({ name, written }: Attribute) => html` ${name}="${meaning(written)}"`)
    .join('');

/** The first frame there is. */
function frameOf(markup: string): Opening | undefined {
  let frame: Opening | undefined;
  eachToken(markup, (token) => {
    if (token.kind === 'open' && token.name === 'iframe') frame ??= token;
  });
  return frame;
}

/** What stands in the first quotation. */
function quotationOf(markup: string): string | undefined {
  let from: number | undefined;
  let until: number | undefined;
  eachToken(markup, (token) => {
    if (!('name' in token) || token.name !== 'blockquote') return;
    if (token.kind === 'open') from ??= token.end;
    if (token.kind === 'close' && from !== undefined) until ??= token.start;
  });
  return from === undefined ? undefined : markup.slice(from, until);
}

/** Elements whose text nobody sees. */
const silent = new Set(['script', 'style', 'noscript', 'template', 'textarea', 'title', 'iframe']);

/** Its text, and its links to the web. */
function readable(markup: string): string {
  const pieces: string[] = [];
  let isSilent = false;
  eachToken(markup, (token) => {
    if (token.kind === 'text' && !isSilent) pieces.push(spelled(markup.slice(token.start, token.end)));
    if (token.kind === 'open') isSilent = silent.has(token.name);
    if (token.kind === 'close') isSilent = false;
    if (token.kind === 'open' && token.name === 'a') pieces.push(linkTo(webAddress(attributeOf(token, 'href'))));
    if (token.kind === 'close' && token.name === 'a') pieces.push('</a>');
  });
  return balanced(pieces.join('')).replace(/[\r\n]+/g, ' ');
}

const linkTo = (address: string | undefined): string =>
  address === undefined ? '<a>' : String(html`<a href="${address}">`);

/** A film or a sound that lies bare on the web. */
export function player(page: URL): string | undefined {
  const ending = /\.([a-z\d]{3,4})$/i.exec(page.pathname)?.[1]?.toLowerCase() ?? '';
  if (films.has(ending)) return String(html`<video controls src="${page.href}"></video>`);
  return sounds.has(ending) ? String(html`<audio controls src="${page.href}"></audio>`) : undefined;
}

const films = new Set(['mp4', 'webm', 'ogv']);
const sounds = new Set(['mp3', 'm4a', 'ogg', 'wav']);
