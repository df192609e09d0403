// XML: text that it can hold, and tokens of a file that arrives piece by piece. The tokenizer is made for files that are not trusted
// and are larger than memory: it hands a text on as it comes, holds nothing but the beginning of a tag, reads no document type, and
// goes on with the next character after something that is broken.

/** Characters that XML cannot hold, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
const unknown = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** Drops characters that XML cannot hold. */
export const xmlText = (text: string): string => text.toWellFormed().replace(unknown, '');

export type XmlToken =
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: string;
      readonly isAlone: boolean;
      readonly line: number;
    }
  | { readonly kind: 'close'; readonly name: string; readonly line: number }
  /** Of a longer text a part. */
  | { readonly kind: 'text'; readonly text: string; readonly line: number }
  | { readonly kind: 'doctype'; readonly line: number }
  | { readonly kind: 'broken'; readonly line: number };

/** Tags are no longer, and neither are references in texts. */
const longest = { tag: 8_192, reference: 12 };

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const references = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;

/** References that XML knows by itself; all others stay as they are written. */
export const xmlDecoded = (text: string): string =>
  text.includes('&')
    ? text.replace(references, (whole, name?: string, decimal?: string, hex?: string) => {
        if (name !== undefined) return named[name] ?? whole;
        return printed(decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal));
      })
    : text;

const printed = (code: number): string => (code === 0 || code > 0x10_ffff ? '\ufffd' : String.fromCodePoint(code));

const attribute = /\s*([^\s=]{1,200})\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/** Of a tag, by name; as far as they can be read. */
export function attributesIn(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  attribute.lastIndex = 0;
  for (let next = attribute.exec(text); next !== null; next = attribute.exec(text))
    found[next[1]!] = xmlDecoded(next[2] ?? next[3] ?? '');
  return found;
}

/** What begins and ends with these is no text. */
const passed = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;
const section = ['<![CDATA[', ']]>'] as const;
const doctype = '<!DOCTYPE';

export class XmlTokens {
  #text = '';
  #at = 0;
  #line = 1;
  /** Where it is in something that ends by these signs. */
  #until: string | undefined;

  get line(): number {
    return this.#line;
  }

  /** What can be told once this has come, too. */
  *feed(more: string): Generator<XmlToken> {
    this.#text = this.#text.slice(this.#at) + more;
    this.#at = 0;
    yield* this.#tokens(false);
  }

  /** What is left when no more comes. */
  *end(): Generator<XmlToken> {
    yield* this.#tokens(true);
    if (this.#until !== undefined || this.#at < this.#text.length) yield { kind: 'broken', line: this.#line };
  }

  *#tokens(isLast: boolean): Generator<XmlToken> {
    while (this.#at < this.#text.length) {
      const before = this.#at;
      const token = this.#until === undefined ? this.#outside(isLast) : this.#inside(this.#until);
      if (token !== undefined) yield token;
      if (this.#at === before && token === undefined) return;
    }
  }

  #take(to: number): string {
    const taken = this.#text.slice(this.#at, to);
    this.#at = to;
    for (let at = taken.indexOf('\n'); at !== -1; at = taken.indexOf('\n', at + 1)) this.#line += 1;
    return taken;
  }

  /** In a section, whose text is told, or in a comment, which is not. */
  #inside(end: string): XmlToken | undefined {
    const { line } = this;
    const found = this.#text.indexOf(end, this.#at);
    const to = found === -1 ? Math.max(this.#at, this.#text.length - end.length + 1) : found;
    const text = this.#take(to);
    if (found !== -1) {
      this.#take(found + end.length);
      this.#until = undefined;
    }
    return end === section[1] && text !== '' ? { kind: 'text', text, line } : undefined;
  }

  #outside(isLast: boolean): XmlToken | undefined {
    const { line } = this;
    const tag = this.#text.indexOf('<', this.#at);
    if (tag === this.#at) return this.#markup(isLast);
    const to = tag === -1 ? this.#wholeUntil(isLast) : tag;
    const text = this.#take(to);
    return text === '' ? undefined : { kind: 'text', text: xmlDecoded(text), line };
  }

  /** A reference that has not come whole waits. */
  #wholeUntil(isLast: boolean): number {
    const { length } = this.#text;
    const reference = this.#text.lastIndexOf('&');
    const isHalf =
      reference >= this.#at && length - reference < longest.reference && !this.#text.includes(';', reference);
    return isHalf && !isLast ? reference : length;
  }

  #markup(isLast: boolean): XmlToken | undefined {
    const rest = this.#text.slice(this.#at, this.#at + section[0].length);
    if (!isLast && rest.length < section[0].length && section[0].startsWith(rest)) return undefined;
    for (const [begin, end] of [section, ...passed]) {
      if (!rest.startsWith(begin)) continue;
      this.#take(this.#at + begin.length);
      this.#until = end;
      return undefined;
    }
    if (!rest.startsWith('<!')) return this.#tag(isLast);
    const isHalf = ['<!--', doctype].some((begin) => begin.startsWith(rest.toUpperCase()));
    if (isHalf && rest.length < doctype.length && !isLast) return undefined;
    const { line } = this;
    this.#take(this.#at + 2);
    return { kind: rest.toUpperCase() === doctype ? 'doctype' : 'broken', line };
  }

  #tag(isLast: boolean): XmlToken | undefined {
    const { line } = this;
    const end = endOf(this.#text, this.#at);
    if (end === undefined && !isLast && this.#text.length - this.#at < longest.tag) return undefined;
    const tag = end === undefined ? '' : this.#text.slice(this.#at, end + 1);
    const [head, closes, name] = form.exec(tag) ?? [];
    if (end === undefined || head === undefined || name === undefined) {
      this.#take(this.#at + 1);
      return { kind: 'broken', line };
    }
    this.#take(end + 1);
    if (closes) return { kind: 'close', name, line };
    const isAlone = tag.endsWith('/>');
    return { kind: 'open', name, attributes: tag.slice(head.length, isAlone ? -2 : -1), isAlone, line };
  }
}

const form = /^<(\/?)([A-Za-z_][\w.:-]{0,99})(?=[\s/>])/;

/** Where a tag ends: not within quotes, and not beyond the beginning of another. */
function endOf(text: string, from: number): number | undefined {
  const most = Math.min(text.length, from + longest.tag);
  let quote = '';
  for (let at = from + 1; at < most; at++) {
    const sign = text[at]!;
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return at;
    else if (sign === '<') return undefined;
  }
  return undefined;
}
