// HTML taken apart into tags, comments and text, as browsers take it apart, and without asking what belongs to what.
import { decodeHTMLAttribute, decodeHTMLStrict } from 'entities';
import { QuoteType, Tokenizer } from 'htmlparser2';
import { escapeHtml } from './html.ts';

export interface Attribute {
  /** In small letters. */
  readonly name: string;
  /** As it was written, entities and all; nothing for a name alone. */
  readonly written: string | null;
}

interface Stretch {
  /** Where it stands in the text. */
  readonly start: number;
  readonly end: number;
}

export interface Opening extends Stretch {
  readonly kind: 'open';
  /** In small letters. */
  readonly name: string;
  /** The first of each name. */
  readonly attributes: readonly Attribute[];
  /** Whether it was written with a slash at its end. */
  readonly closed: boolean;
}

export type Token =
  | Opening
  | (Stretch & { readonly kind: 'close'; readonly name: string })
  | (Stretch & { readonly kind: 'text' })
  /** What stands between its marks. Whatever else browsers take for one is left out. */
  | (Stretch & { readonly kind: 'comment'; readonly said: string });

/** From the first to the last. What stands inside of scripts, styles and the like is text, and so is a tag that never ends. */
export function eachToken(html: string, take: (token: Token) => void): void {
  let from = 0;
  for (let at = html.indexOf('<'); at >= 0; ) {
    if (!beginsTag(html.charCodeAt(at + 1))) {
      at = html.indexOf('<', at + 1);
      continue;
    }
    const token = plainTokenAt(html, at);
    if (token === undefined) {
      readOn(html, from, take);
      return;
    }
    if (at > from) take({ kind: 'text', start: from, end: at });
    take(token);
    from = token.end;
    at = html.indexOf('<', from);
  }
  if (from < html.length) take({ kind: 'text', start: from, end: html.length });
}

/** A letter, or one of `!`, `/` and `?`: before any other sign `<` is text. */
const beginsTag = (code: number): boolean =>
  ((code | 32) >= 97 && (code | 32) <= 122) || code === 33 || code === 47 || code === 63;

/** From here to the end, sign by sign. */
function readOn(html: string, from: number, take: (token: Token) => void): void {
  if (from === 0) readAll(html, take);
  else readAll(html.slice(from), (token) => take({ ...token, start: token.start + from, end: token.end + from }));
}

function readAll(html: string, take: (token: Token) => void): void {
  let told = 0;
  const passed = (end: number): void => {
    told = Math.max(told, Math.min(end, html.length));
  };
  const tell = (token: Token): void => {
    passed(token.end);
    take(token);
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ...unused,
      ...openings(html, tell),
      // Of a tag that only begins the last text may be told without its first sign, or with more than is left of it.
      ontext: (begin, end) => {
        const start = begin === told + 1 && html[told] === '<' ? told : Math.max(begin, told);
        if (start < end) tell({ kind: 'text', start, end });
      },
      onclosetag: (start, end) => {
        const stop = html.indexOf('>', end);
        const close = stop < 0 ? html.length : stop + 1;
        tell({ kind: 'close', name: html.slice(start, end).toLowerCase(), start: start - 2, end: close });
      },
      oncomment: (start, end, offset) => {
        const stop = Math.min(end + 1, html.length);
        passed(stop);
        if (!html.startsWith('<!--', start - 4)) return;
        take({ kind: 'comment', said: html.slice(start, Math.max(start, end - offset)), start: start - 4, end: stop });
      },
      ondeclaration: (_start, end) => passed(end + 1),
      oncdata: (_start, end) => passed(end + 1),
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  if (told < html.length) take({ kind: 'text', start: told, end: html.length });
}

/** What the tokenizer does not come to: nothing is decoded, and nothing is XML. */
const unused = {
  onprocessinginstruction: () => {},
  ontextentity: () => {},
  onattribentity: () => {},
  onend: () => {},
};

/** Puts together what the tokenizer tells of a tag bit by bit. */
function openings(html: string, tell: (token: Opening) => void) {
  let name = '';
  let start = 0;
  let attributes = new Map<string, string | null>();
  let attribute = '';
  let written = '';
  const opened = (end: number, closed: boolean): void => {
    const list = Array.from(attributes, ([key, value]) => ({ name: key, written: value }));
    tell({ kind: 'open', name, attributes: list, closed, start, end: end + 1 });
  };
  return {
    onopentagname: (from: number, to: number) => {
      name = html.slice(from, to).toLowerCase();
      start = from - 1;
      attributes = new Map();
    },
    onattribname: (from: number, to: number) => {
      attribute = html.slice(from, to).toLowerCase();
      written = '';
    },
    onattribdata: (from: number, to: number) => {
      written = html.slice(from, to);
    },
    onattribend: (quote: QuoteType) => {
      if (!attributes.has(attribute)) attributes.set(attribute, quote === QuoteType.NoValue ? null : written);
    },
    onopentagend: (end: number) => opened(end, false),
    onselfclosingtag: (end: number) => opened(end, true),
  };
}

/** What an attribute says: its entities read as browsers read them. */
export const meaning = (written: string | null): string => (written === null ? '' : decodeHTMLAttribute(written));

/** What text says. */
export const textOf = (written: string): string => decodeHTMLStrict(written);

/** Text between tags as one may write it: its entities stay, and no other sign of it means anything. */
export const spelled = (text: string): string => text.replace(special, entityOr);

const special = /&(?:#\d{1,7};|#[xX][\da-fA-F]{1,6};|[a-zA-Z][a-zA-Z\d]{1,31};)?|[<>]/g;

const entityOr = (sign: string): string => {
  if (sign === '<' || sign === '>') return escapeHtml(sign);
  return sign !== '&' && isKnown(sign) ? sign : `&amp;${sign.slice(1)}`;
};

const isKnown = (entity: string): boolean => {
  if (!entity.startsWith('&#')) return decodeHTMLStrict(entity) !== entity;
  const hex = /^&#x/i.test(entity);
  const point = Number.parseInt(entity.slice(hex ? 3 : 2), hex ? 16 : 10);
  return point === 9 || point === 10 || (point >= 32 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff));
};

/** What of it is read as text, without its tags. */
export function readText(html: string): string {
  const pieces: string[] = [];
  eachToken(html, (token) => {
    if (token.kind === 'text') pieces.push(textOf(html.slice(token.start, token.end)));
  });
  return pieces.join('');
}

/**
 * Nearly all tags are written like this, so one match reads a whole tag. It allows 40 attributes, because a pattern that looks further
 * has to remember too much.
 */
const openTag =
  /<[a-zA-Z][a-zA-Z\d]*(?:[ \t\n\f\r]+[a-zA-Z_][\w:-]*(?:=(?:"[^"]*"|'[^']*'|[^\s"'`=<>/]+(?=[ \t\n\f\r>])))?){0,40}[ \t\n\f\r]*\/?>/y;
const closeTag = /<\/[a-zA-Z][a-zA-Z\d]*[ \t\n\f\r]*>/y;
const name = /[a-zA-Z\d]+/y;
const attribute = /[ \t\n\f\r]+([a-zA-Z_][\w:-]*)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'`=<>/]+)))?/g;

const bang = 33;
const slash = 47;

/** The tag or comment at this `<`; undefined when it has to be read character by character. */
function plainTokenAt(html: string, at: number): Token | undefined {
  const next = html.charCodeAt(at + 1);
  if (next === bang) return commentAt(html, at);
  if (next === slash) {
    const end = endOf(closeTag, html, at);
    return end < 0 ? undefined : { kind: 'close', name: nameAt(html, at + 2), start: at, end };
  }
  const end = endOf(openTag, html, at);
  if (end < 0) return undefined;
  const called = nameAt(html, at + 1);
  return rawElements.has(called) ? undefined : opening(html, called, at, end);
}

/** Where a match that begins here ends; -1 for none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const nameAt = (html: string, from: number): string => html.slice(from, endOf(name, html, from)).toLowerCase();

function commentAt(html: string, at: number): Token | undefined {
  if (!html.startsWith('<!--', at) || html.startsWith('>', at + 4) || html.startsWith('->', at + 4)) return undefined;
  const stop = html.indexOf('-->', at + 4);
  if (stop < 0) return undefined;
  const said = html.slice(at + 4, stop);
  return said.includes('--!') ? undefined : { kind: 'comment', said, start: at, end: stop + 3 };
}

const nothing: Opening['attributes'] = [];

/** Hardly anybody asks for attributes, so they are read when somebody does. */
function opening(html: string, called: string, start: number, end: number): Opening {
  const closed = html.charCodeAt(end - 2) === slash;
  const from = start + 1 + called.length;
  if (end - from <= 2) return { kind: 'open', name: called, attributes: nothing, closed, start, end };
  let attributes: Opening['attributes'] | undefined;
  return {
    kind: 'open',
    name: called,
    get attributes() {
      attributes ??= attributesIn(html.slice(from, end));
      return attributes;
    },
    closed,
    start,
    end,
  };
}

function attributesIn(tag: string): Opening['attributes'] {
  const written = new Map<string, string | null>();
  for (const [, called = '', double, single, bare] of tag.matchAll(attribute)) {
    const key = called.toLowerCase();
    if (!written.has(key)) written.set(key, double ?? single ?? bare ?? null);
  }
  return Array.from(written, ([key, value]) => ({ name: key, written: value }));
}

/** Browsers take everything inside these elements for text. */
export const rawElements: ReadonlySet<string> = new Set(
  'script style textarea title xmp plaintext iframe noembed noframes'.split(' '),
);
