// The elements of an export file, gathered: those that hold others become one thing each, and a thing that is broken is told by line
// and element and passed over, up to its end. No text and no thing is longer than there is room for.

import { type XmlToken, XmlTokens, xmlText } from '#lib/xml.ts';

/** What was gathered of one element that holds others. */
export interface Thing {
  readonly name: string;
  readonly line: number;
  readonly texts: Record<string, string>;
  /** Those in it that hold others themselves, and `category` with what its tag says. */
  readonly things: Thing[];
  readonly attributes: string;
  /** What it takes to hold it, in letters. */
  readonly size: number;
}

export type Gathered =
  | { readonly kind: 'text'; readonly name: string; readonly text: string; readonly line: number }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string; readonly line: number }
  /** `isOver`: nothing more of it comes. */
  | { readonly kind: 'thing'; readonly thing: Thing; readonly isOver: boolean }
  | {
      readonly kind: 'broken';
      readonly name: string;
      readonly line: number;
      readonly code: string;
      readonly title: string;
    }
  | { readonly kind: 'doctype'; readonly line: number };

/** Which hold others, and where they stand. */
const holders: Readonly<Record<string, readonly string[]>> = {
  channel: ['wp:author', 'wp:category', 'wp:tag', 'wp:term', 'item'],
  item: ['category', 'wp:postmeta', 'wp:comment'],
  'wp:comment': ['wp:commentmeta'],
  'wp:category': ['wp:termmeta'],
  'wp:tag': ['wp:termmeta'],
  'wp:term': ['wp:termmeta'],
};

/**
 * In letters: of one text, of a thing with all that is in it, and of what is said about a thing before that is handed on. Then, how
 * many remarks are handed on together, and how many other things there may be in one.
 */
const most = { text: 8 * 2 ** 20, thing: 32 * 2 ** 20, held: 2 ** 21, remarks: 500, things: 10_000, depth: 32 };

/** What an element takes besides its letters; and one that holds others. */
const weight = { text: 100, thing: 400 };

const remark = 'wp:comment';

interface Frame extends Thing {
  size: number;
  /** Of `size`, and how many there are: what is said about it. */
  readonly said: { size: number; remarks: number };
}

const frameOf = (name: string, attributes: string, line: number): Frame => ({
  name,
  line,
  attributes,
  texts: Object.create(null),
  things: [],
  size: attributes.length + weight.thing,
  said: { size: 0, remarks: 0 },
});

export class Gathering {
  readonly #tokens = new XmlTokens();
  /** Names of all that is open. */
  readonly #open: string[] = [];
  readonly #frames: Frame[] = [];
  #texts: string[] = [];
  #length = 0;
  #lineOfText = 0;
  /** The name of the outermost thing that is broken: until it ends, all is passed over. */
  #broken: string | undefined;
  #hasBegun = false;

  get line(): number {
    return this.#tokens.line;
  }

  *feed(text: string): Generator<Gathered> {
    for (const token of this.#tokens.feed(text)) yield* this.#taken(token);
  }

  *end(): Generator<Gathered> {
    // What is left then is the beginning of something.
    for (const token of this.#tokens.end()) if (token.kind !== 'broken') yield* this.#taken(token);
    const [outer] = this.#frames;
    if (outer !== undefined && this.#broken === undefined) yield this.#fault('truncated', outer.line);
    else if (this.#open.length > 0 && this.#broken === undefined)
      yield { kind: 'broken', name: this.#open[0]!, line: this.line, code: 'truncated', title: this.#open[0]! };
  }

  *#taken(token: XmlToken): Generator<Gathered> {
    if (this.#broken !== undefined) yield* this.#passedOver(token, this.#broken);
    else if (token.kind === 'doctype' && !this.#hasBegun) yield { kind: 'doctype', line: token.line };
    else if (token.kind === 'open') yield* this.#opened(token);
    else if (token.kind === 'close') yield* this.#closed(token);
    else if (token.kind === 'text') yield* this.#said(token);
    else yield* this.#breaks(token.line, 'malformed');
  }

  *#passedOver(token: XmlToken, name: string): Generator<Gathered> {
    const begins = token.kind === 'open' && holders.channel!.includes(token.name);
    const ends = token.kind === 'close' && (token.name === name || token.name === 'channel');
    if (!begins && !ends) return;
    this.#broken = undefined;
    // What holds the broken thing is still open, and no more than that.
    const at = this.#open.indexOf(name);
    if (at !== -1) this.#open.length = begins && name === 'channel' ? at + 1 : at;
    if (begins || (ends && token.name !== name)) yield* this.#taken(token);
  }

  *#opened(token: XmlToken & { kind: 'open' }): Generator<Gathered> {
    const { name, attributes, line, isAlone } = token;
    // The one before was never ended.
    if (name === 'item' && this.#frames.length > 0) {
      yield* this.#breaks(line, 'malformed');
      yield* this.#passedOver(token, this.#broken!);
      return;
    }
    if (this.#open.length >= most.depth) {
      yield* this.#breaks(line, 'malformed');
      return;
    }
    const isOuter = this.#frames.length === 0;
    if (isOuter && holders.channel!.includes(name)) yield* this.#closeLoose(line);
    if (isOuter) yield { kind: 'open', name, attributes, line };
    const parent = this.#open.at(-1);
    this.#open.push(name);
    this.#forget(line);
    const isHolder = parent !== undefined && holders[parent]?.includes(name) === true;
    if (isHolder) this.#frames.push(frameOf(name, attributes, line));
    this.#hasBegun ||= isHolder;
    if (isAlone) yield* this.#closed({ kind: 'close', name, line });
  }

  /** What was never ended before a thing begins, ends there. */
  *#closeLoose(line: number): Generator<Gathered> {
    const at = this.#open.indexOf('channel');
    if (at === -1 || at === this.#open.length - 1) return;
    yield this.#fault('malformed', line);
    this.#open.length = at + 1;
  }

  *#closed({ name, line }: XmlToken & { kind: 'close' }): Generator<Gathered> {
    if (this.#open.at(-1) !== name) {
      yield* this.#breaks(line, 'malformed');
      return;
    }
    this.#open.pop();
    const text = xmlText(this.#texts.join(''));
    const at = this.#lineOfText;
    this.#forget(line);
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      yield { kind: 'text', name, text, line: at };
      return;
    }
    const isThing = frame.name === name && this.#open.at(-1) === this.#parentOf(frame);
    if (!isThing) {
      frame.texts[name] = text;
      frame.size += name.length + weight.text;
      if (frame.size > most.thing) yield* this.#breaks(line, 'too_large');
      return;
    }
    // Of a category, the text in it is its name.
    if (frame.name === 'category') frame.texts[''] = text;
    yield* this.#ended(this.#frames.pop()!);
  }

  #parentOf(frame: Frame): string {
    const above = this.#frames[this.#frames.indexOf(frame) - 1];
    return above?.name ?? 'channel';
  }

  *#ended(frame: Frame): Generator<Gathered> {
    const outer = this.#frames.at(-1);
    if (outer === undefined) {
      yield { kind: 'thing', thing: frame, isOver: true };
      return;
    }
    outer.things.push(frame);
    outer.size += frame.size;
    if (frame.name === remark) {
      outer.said.size += frame.size;
      outer.said.remarks += 1;
    }
    const { size, remarks } = outer.said;
    if (outer.name === 'item' && (remarks >= most.remarks || size > most.held)) {
      yield { kind: 'thing', thing: { ...outer, things: [...outer.things] }, isOver: false };
      outer.things.length = 0;
      outer.size -= size;
      outer.said.size = 0;
      outer.said.remarks = 0;
    } else if (outer.size > most.thing || outer.things.length - remarks > most.things)
      yield* this.#breaks(frame.line, 'too_large');
  }

  *#said({ text, line }: XmlToken & { kind: 'text' }): Generator<Gathered> {
    if (this.#length === 0) this.#lineOfText = line;
    this.#length += text.length;
    const frame = this.#frames.at(-1);
    if (frame !== undefined) frame.size += text.length;
    if (this.#length > most.text) yield* this.#breaks(line, 'text_too_long');
    else this.#texts.push(text);
  }

  #forget(line: number): void {
    this.#texts = [];
    this.#length = 0;
    this.#lineOfText = line;
  }

  /** Within a thing, all of it is broken; outside, only what stands there. */
  *#breaks(line: number, code: string): Generator<Gathered> {
    yield this.#fault(code, line);
    this.#forget(line);
    this.#broken = this.#frames[0]?.name ?? (code === 'text_too_long' ? this.#open.at(-1) : undefined);
    this.#frames.length = 0;
  }

  #fault(code: string, line: number): Gathered {
    const title = this.#frames[0]?.texts.title ?? '';
    return { kind: 'broken', name: this.#open.at(-1) ?? 'rss', line, code, title };
  }
}
