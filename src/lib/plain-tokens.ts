// Tags and comments written as nearly all of them are: nobody doubts where they end, and they are read in one look.
import type { Opening, Token } from './html-token.ts';
import { rawElements } from './raw-elements.ts';

/** With that many attributes at most: a pattern that looked further would have to remember too much. */
const openTag =
  /<[a-zA-Z][a-zA-Z\d]*(?:[ \t\n\f\r]+[a-zA-Z_][\w:-]*(?:=(?:"[^"]*"|'[^']*'|[^\s"'`=<>/]+(?=[ \t\n\f\r>])))?){0,40}[ \t\n\f\r]*\/?>/y;
const closeTag = /<\/[a-zA-Z][a-zA-Z\d]*[ \t\n\f\r]*>/y;
const name = /[a-zA-Z\d]+/y;
const attribute = /[ \t\n\f\r]+([a-zA-Z_][\w:-]*)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'`=<>/]+)))?/g;

const bang = 33;
const slash = 47;

/** What begins at this `<`; nothing for what has to be read sign by sign. */
export function plainTokenAt(html: string, at: number): Token | undefined {
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
