// What an address of the public site asks for, taken apart. Nothing of it is looked up here.
import type { Visit } from '#kernel/http/page.ts';
import { textOf } from '../forms.ts';

export interface Asked {
  /** Of the path, in small letters, spelled as addresses are. */
  readonly parts: readonly string[];
  /** What follows the address of a thing: a page of a list, a part of a text, a page of comments, its feed, its small page. */
  readonly tail: Tail;
  /** The parts before that. */
  readonly stem: readonly string[];
  readonly query: Visit['query'];
  /** As it was asked, for whoever compares it with what it should be. */
  readonly url: string;
}

export interface Tail {
  readonly kind: 'none' | 'page' | 'part' | 'comments' | 'feed' | 'embed';
  readonly number: number;
}

const none: Tail = { kind: 'none', number: 1 };

export function askedOf({ url, query }: Pick<Visit, 'url' | 'query'>): Asked {
  const parts = url.split(/[?#]/, 1)[0]!.toLowerCase().split('/').filter(Boolean);
  const { tail, length } = tailOf(parts);
  return { parts, tail, stem: parts.slice(0, parts.length - length), query, url };
}

const feeds = new Set(['feed', 'rss', 'rss2', 'atom', 'rdf']);

function tailOf(parts: readonly string[]): { tail: Tail; length: number } {
  const [last = '', before = ''] = [parts.at(-1), parts.at(-2)];
  if (last === 'embed') return { tail: { kind: 'embed', number: 1 }, length: 1 };
  if (before === 'feed' && feeds.has(last)) return { tail: { kind: 'feed', number: 1 }, length: 2 };
  if (feeds.has(last)) return { tail: { kind: 'feed', number: 1 }, length: 1 };
  const comments = /^comment-page-([1-9]\d{0,5})$/.exec(last)?.[1];
  if (comments !== undefined) return { tail: { kind: 'comments', number: Number(comments) }, length: 1 };
  if (!/^[1-9]\d{0,5}$/.test(last)) return { tail: none, length: 0 };
  const number = Number(last);
  return before === 'page'
    ? { tail: { kind: 'page', number }, length: 2 }
    : { tail: { kind: 'part', number }, length: 1 };
}

/** The number that a query names so; nothing, where it is none. */
export function numberIn(query: Visit['query'], name: string): number | undefined {
  const text = textOf(query, name);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Spelled the same: escapes in small letters, and nothing behind the path. */
export const spelled = (url: string): string =>
  url.split(/[?#]/, 1)[0]!.replace(/%[\da-f]{2}/gi, (sign) => sign.toLowerCase());
