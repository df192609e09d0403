// Text as people type it, with paragraphs where they left a blank line and breaks where they began a new one.
// What it makes of HTML that stands in the text is fixed by years of stored content, its oddities included.

import { atOnce, type Steps } from './paced.ts';

const blocks =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|' +
  'h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu|summary';

const isBlock = new RegExp(`^(?:${blocks})$`, 'i');
/** A tag of them alone. */
const blockTag = new RegExp(`^</?(?:${blocks})(?:[\\s/][^>]*)?>$`, 'i');
/** Before which nobody wants a break. */
const unbroken = /^<\/?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)(?:[\s/]|>)/i;
/** Those that stand close together, whatever white space is typed between them. */
const close = /^(?:option|param|embed|source|track)$/i;

/** A line end that ends no line: it stands inside of a tag, a script or a style. */
const hidden = '\0';

export const paragraphs = (text: string): string => atOnce(paragraphing(text));

/** The same, step by step. */
export function* paragraphing(text: string): Steps {
  if (text.trim() === '') return '';
  const typed = text.replaceAll(hidden, '').replace(/\r\n?/g, '\n');
  const { rest, kept } = withoutPre(`${typed}\n`);
  yield;
  const parts = separated(rest).split(/\n\s*\n/);
  yield;
  const wrapped = parts.filter((part) => part.trim() !== '').map((part) => `${wrap(unlined(part))}\n`);
  yield;
  const whole = broken(hideScripts(wrapped.join('')));
  yield;
  return restored(whole.replaceAll(hidden, '\n'), kept);
}

/** What is typed as it shall stand is taken out, and put back at the end. */
function withoutPre(text: string): { rest: string; kept: string[] } {
  const kept: string[] = [];
  const rest = eachElement(text, 'pre', (whole) => {
    kept.push(whole);
    return `<pre ${hidden}${kept.length - 1}></pre>`;
  });
  return { rest, kept };
}

/** Those that end: one that does not is looked for once, not once for each beginning. */
function eachElement(text: string, name: string, write: (element: string) => string): string {
  const end = Array.from(text.matchAll(new RegExp(`</${name}>`, 'gi'))).at(-1);
  if (end === undefined) return text;
  const until = end.index + end[0].length;
  const element = new RegExp(`<${name}(?=[\\s>])[\\s\\S]*?</${name}>`, 'gi');
  return text.slice(0, until).replace(element, write) + text.slice(until);
}

const restored = (text: string, kept: readonly string[]): string =>
  kept.length === 0 ? text : text.replace(/<pre \n(\d+)><\/pre>/g, (_, place: string) => kept[Number(place)]!);

const tags = /<!--[\s\S]*?(?:-->|$)|<[^>]*(?:>|$)/g;

/** With a blank line wherever a block begins or ends. */
function separated(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  let isClose = false;
  const say = (until: number, mayTouch: boolean): void => {
    const said = text.slice(from, until);
    const begun = isClose ? said.trimStart() : said;
    pieces.push(mayTouch ? begun.trimEnd() : begun);
  };
  for (const { 0: tag, index } of text.matchAll(tags)) {
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9]*)(?![^\s/>])/i.exec(tag) ?? [];
    const isCaption = /^figcaption$/i.test(name);
    say(
      index,
      close.test(name) ? slash === '' : (isCaption && slash === '') || (/^object$/i.test(name) && slash === '/'),
    );
    isClose = close.test(name) || (isCaption && slash === '/') || (/^object$/i.test(name) && slash === '');
    pieces.push(spaced(tag.replaceAll('\n', hidden), isCaption ? '' : name, slash === '/'));
    from = index + tag.length;
  }
  say(text.length, false);
  return pieces.join('').replace(/<br \/>\s*<br \/>/g, '\n\n');
}

function spaced(tag: string, name: string, ends: boolean): string {
  if (/^br$/i.test(name)) return '<br />';
  if (!isBlock.test(name)) return tag;
  if (/^hr$/i.test(name)) return `\n\n${tag}\n\n`;
  return ends ? `${tag}\n\n` : `\n\n${tag}`;
}

const unlined = (part: string): string => {
  const begun = part.replace(/^\n+/, '');
  return begun.endsWith('\n') ? begun.slice(0, -1) : begun;
};

/** One part as a paragraph, as far as it is one. */
function wrap(part: string): string {
  if (!part.includes('<')) return `<p>${part}</p>`;
  const quote = /^\s*<blockquote[^>]*>/i.exec(part)?.[0] ?? '';
  const endOfQuote = /<\/blockquote>$/i.exec(part)?.[0] ?? '';
  const body = part.slice(quote.length, part.length - endOfQuote.length);
  return `${quote.trimStart()}${paragraph(body)}${endOfQuote}`;
}

function paragraph(text: string): string {
  if (text.trim() === '') return '';
  if (/^<li[\s>]/i.test(text)) return text;
  const begins = beginsWithBlock(text);
  const open = begins ? '' : '<p>';
  const end = endsWithBlock(text) ? '' : '</p>';
  const said = begins ? text.trimStart() : text.replace(/^([^<]+)(?=<\/(?:div|address|form)>)/i, '$1</p>');
  return `${open}${said}${end}`;
}

const beginsWithBlock = (text: string): boolean => {
  const from = text.trimStart();
  return from.startsWith('<') && blockTag.test(from.slice(0, from.indexOf('>') + 1));
};

const endsWithBlock = (text: string): boolean => {
  const until = text.trimEnd();
  return until.endsWith('>') && blockTag.test(until.slice(until.lastIndexOf('<')));
};

/** Lines of scripts and styles get no breaks. */
const hideScripts = (text: string): string =>
  ['script', 'style', 'svg'].reduce(
    (shown, name) => eachElement(shown, name, (element) => element.replaceAll('\n', hidden)),
    text,
  );

/** With a break at the end of each line that needs one. */
function broken(text: string): string {
  const lines = text.split('\n');
  return lines.map((line, at) => (at === lines.length - 1 ? line : `${ended(line, lines[at + 1]!)}\n`)).join('');
}

const isUnbroken = (next: string): boolean => next.startsWith('<') && unbroken.test(next);

function ended(line: string, next: string): string {
  const said = line.trimEnd();
  if (said === '' || next === '' || said.endsWith('<br />')) return line;
  return endsWithBlock(said) || isUnbroken(next.trimStart()) ? line : `${said}<br />`;
}
