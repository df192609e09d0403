// HTML taken apart into tags, comments and text, as browsers take it apart, and without asking what belongs to what.
import { decodeHTMLAttribute, decodeHTMLStrict } from 'entities';
import { QuoteType, Tokenizer } from 'htmlparser2';
import { escapeHtml } from './html.ts';
import type { Opening, Token } from './html-token.ts';
import { plainTokenAt } from './plain-tokens.ts';

export type { Attribute, Opening, Token } from './html-token.ts';

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
