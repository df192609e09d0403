// What people write who may not write all of HTML: every tag is written anew from what it may have, and everything else
// is text. So a browser finds in it the tags that were found here, and no others.
import { escapeHtml } from '#lib/html.ts';
import { type Attribute, eachToken, meaning, type Opening, spelled } from '#lib/html-tokens.ts';
import { type Mark, markOf, unmarked } from '../marks.ts';
import { isOwnDocument, safeAddress, safeAddresses } from './addresses.ts';
import { type Allowed, addresses, ofCaptions, ofComments, ofPosts } from './lists.ts';
import { safeStyle } from './style.ts';

// The marks of blocks, which are comments: what they say of a block is shown again, so it is filtered too.

const maxBlockDepth = 50;

/** The comment as it may be written. */
function safeMark(mark: Mark, filter: (html: string) => string): string {
  const attributes = mark.attributes === undefined ? undefined : filteredBlock(mark.attributes, filter);
  return `<!-- ${mark.ends ? '/' : ''}wp:${mark.name} ${attributes === undefined ? '' : `${attributes} `}${mark.isAlone ? '/' : ''}-->`;
}

/** As it was written where there is nothing to take out of it; nothing when it is broken. */
function filteredBlock(attributes: string, filter: (html: string) => string): string | undefined {
  try {
    const said: unknown = JSON.parse(attributes);
    const safe = walked(said, filter, maxBlockDepth);
    const isAsItWas = !/[<>]|--/.test(attributes) && JSON.stringify(safe) === JSON.stringify(said);
    return isAsItWas ? attributes : unmarked(JSON.stringify(safe));
  } catch {
    return undefined;
  }
}

function walked(said: unknown, filter: (html: string) => string, room: number): unknown {
  if (room === 0) throw new Error('Blocks are nested too deep.');
  if (typeof said === 'string') return /[<>]/.test(said) ? filter(said) : said;
  if (Array.isArray(said)) return said.map((one) => walked(one, filter, room - 1));
  if (typeof said !== 'object' || said === null) return said;
  return Object.fromEntries(
    Object.entries(said).map(([key, one]) => [/[<>]/.test(key) ? filter(key) : key, walked(one, filter, room - 1)]),
  );
}

/** Content and excerpts. Documents inside of it may lie below the address of the uploads. */
export const filterPost = (html: string, uploads?: string): string => postAt(0, html, uploads);

/** Marks stand in a text, and in what a mark of it says. Deeper in they are text: each level writes out longer what is in it. */
const deepest = 1;

function postAt(depth: number, html: string, uploads?: string): string {
  const within = (text: string): string => postAt(depth + 1, text, uploads);
  return filtered(
    html,
    ofPosts,
    (opening) => attributesOf(opening, ofPosts, uploads),
    (said) => commentOf(said, depth > deepest ? undefined : within),
  );
}

export const filterTitle = (html: string): string =>
  filtered(html, ofComments, (opening) => attributesOf(opening, ofComments));

/** With what tells search engines that the site does not vouch for its links. */
export const filterComment = (html: string): string =>
  filtered(html, ofComments, (opening) => {
    const attributes = attributesOf(opening, ofComments);
    return opening.name === 'a' ? [...attributes, ` rel="${unvouched}"`] : attributes;
  });

export const filterCaption = (html: string): string =>
  filtered(html, ofCaptions, (opening) => {
    const attributes = attributesOf(opening, ofCaptions);
    return attributes.includes(' target="_blank"') ? [...attributes, ' rel="noopener"'] : attributes;
  });

const unvouched = 'nofollow ugc';

/** The same of links alone, where everything may be written: nothing else of it changes. */
export function markLinks(html: string): string {
  const pieces: string[] = [];
  let from = 0;
  eachToken(html, (token) => {
    if (token.kind !== 'open' || token.name !== 'a') return;
    pieces.push(html.slice(from, token.start), markedLink(token));
    from = token.end;
  });
  return pieces.join('') + html.slice(from);
}

const markedLink = ({ attributes, closed }: Opening): string => {
  const said = meaning(attributes.find(({ name }) => name === 'rel')?.written ?? null);
  const words = [...said.split(/\s+/), ...unvouched.split(' ')].filter((word) => word !== '' && word !== 'follow');
  const others = attributes.filter(({ name }) => name !== 'rel').map(asWritten);
  return `<a${others.join('')} rel="${escapeHtml([...new Set(words)].join(' '))}"${closed ? ' /' : ''}>`;
};

function filtered(
  html: string,
  allowed: Allowed,
  attributes: (opening: Opening) => readonly string[],
  comment?: (said: string) => string,
): string {
  const pieces: string[] = [];
  const whole = html.replaceAll('\0', '');
  eachToken(whole, (token) => {
    if (token.kind === 'text') return pieces.push(spelled(whole.slice(token.start, token.end)));
    if (token.kind === 'comment') return comment && pieces.push(comment(token.said));
    if (!allowed.elements.has(token.name)) return;
    if (token.kind === 'close') return pieces.push(`</${token.name}>`);
    return pieces.push(`<${token.name}${attributes(token).join('')}${token.closed ? ' /' : ''}>`);
  });
  return pieces.join('');
}

function commentOf(said: string, within: ((html: string) => string) | undefined): string {
  const mark = markOf(said);
  if (mark === undefined) return `<!--${said.replace(/-{2,}/g, '-').replace(/-$/, '').replace(/[<>]/g, escapeHtml)}-->`;
  return within === undefined ? spelled(`<!--${said}-->`) : safeMark(mark, within);
}

function attributesOf({ name, attributes }: Opening, allowed: Allowed, uploads?: string): string[] {
  const own = allowed.elements.get(name);
  const mayStand = (one: string) =>
    own?.has(one) ||
    allowed.everywhere.has(one) ||
    (allowed.everywhere.size > 0 && /^(?:data|aria)-[a-z\d_.:-]+$/.test(one));
  const standing = attributes.filter((one) => mayStand(one.name));
  if (name === 'object' && !isDocument(standing, uploads)) return standing.filter(isNoDocument).flatMap(safe);
  return standing.flatMap(safe);
}

const isNoDocument = ({ name }: Attribute): boolean => name !== 'data' && name !== 'type';

const isDocument = (attributes: readonly Attribute[], uploads?: string): boolean => {
  const said = (wanted: string) => meaning(attributes.find(({ name }) => name === wanted)?.written ?? null);
  return said('type') === 'application/pdf' && isOwnDocument(safeAddress(said('data')), uploads);
};

function safe(attribute: Attribute): string[] {
  const { name, written } = attribute;
  if (written === null) return [` ${name}`];
  if (addresses.has(name)) return [` ${name}="${quoted(safeAddress(meaning(written)))}"`];
  if (name === 'srcset') return [` ${name}="${quoted(safeAddresses(meaning(written)))}"`];
  if (name !== 'style') return [asWritten(attribute)];
  const style = safeStyle(meaning(written));
  return style === '' ? [] : [` style="${quoted(style)}"`];
}

const asWritten = ({ name, written }: Attribute): string =>
  written === null ? ` ${name}` : ` ${name}="${spelled(written).replaceAll('"', '&quot;')}"`;

/** For what stands between double quotes. */
const quoted = (text: string): string => text.replace(/[&"<>]/g, escapeHtml);

/** The texts of a record. */
type TextOf = 'title' | 'content' | 'excerpt';
export type TextFilter = (html: string, text: TextOf) => string;

/** For a site whose uploads have this address. */
export const createTextFilter =
  (uploads: string): TextFilter =>
  (html, text) =>
    text === 'title' ? filterTitle(html) : filterPost(html, uploads);
