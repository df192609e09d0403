// Values that are words, letters, numbers, or what people wrote themselves.
import { t } from '#kernel/schema.ts';
import type { Draws } from '#lib/draws.ts';
import { escapeHtml } from '#lib/html.ts';
import { drawing, endsOf, howMany, span } from './kind.ts';
import { bounds, type Pattern, type Range, readPattern } from './pattern.ts';
import { Unreadable } from './seeing.ts';

// Texts drawn by a pattern.

/** Throws `Unreadable`, before anything is drawn. */
export function regexify(template: string): (draws: Draws) => string {
  const pattern = readPattern(template);
  return (draws) => drawn(pattern, draws);
}

function drawn(pattern: Pattern, draws: Draws): string {
  if (pattern.kind === 'one') return letterOf(pattern.of, draws);
  if (pattern.kind === 'choice') return drawn(draws.pick(pattern.among), draws);
  if (pattern.kind === 'sequence') return pattern.parts.map((part) => drawn(part, draws)).join('');
  const times = draws.integer(pattern.least, pattern.most);
  return Array.from({ length: times }, () => drawn(pattern.what, draws)).join('');
}

/** Each letter of a set as likely as the next one. */
function letterOf(ranges: readonly Range[], draws: Draws): string {
  const count = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  let left = draws.integer(0, count - 1);
  for (const [from, to] of ranges) {
    if (left <= to - from) return String.fromCodePoint(from + left);
    left -= to - from + 1;
  }
  throw new RangeError('A character was chosen that is in no set.');
}

/** All of it is drawn at once, for a whole batch and beside up to 50 keys. */
const most = { elements: 1_000, drawn: 100, paragraphs: 20, raw: 10_000, number: 2 ** 52 - 1 };

const template = (usual: string) => t.string({ default: usual, maxLength: bounds.template });
const separator = t.optional(t.string({ maxLength: 100 }));

export const numbers = drawing({ number: span(-most.number, most.number) }, ({ number = [0, 9_999] }) => {
  const [least, greatest] = endsOf(number);
  return (draws) => draws.integer(least, greatest);
});

/** One as it is; of several a text. */
export const elements = drawing(
  {
    elements: t.list(t.untyped(), { minItems: 1, maxItems: most.elements }),
    qty: span(1, most.drawn),
    separator,
  },
  ({ elements: among, qty = 1, separator: between = ', ' }) => {
    if (!among.every(isScalar)) throw new Unreadable('`elements` must be a list of texts, numbers, or true and false.');
    const many = howMany(qty);
    return (draws) => {
      const drawn = draws.picks(among, many(draws));
      return drawn.length === 1 ? drawn[0] : drawn.join(between);
    };
  },
);

type Scalar = string | number | boolean;

/** Throws for one that is too long. */
export function isScalar(value: unknown): value is Scalar {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return false;
  if (String(value).length > most.raw) throw tooLong();
  return true;
}

const tooLong = (): Unreadable => new Unreadable(`It is longer than ${most.raw} characters.`);

const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];

export const letter = drawing({}, () => (draws) => draws.pick(alphabet));

export const words = drawing({ qty: span(1, most.drawn) }, ({ qty = 3 }) => {
  const many = howMany(qty);
  return (draws, fake) => fake.lorem.words(many(draws));
});

export const text = drawing(
  {
    text_type: t.choice(['sentences', 'paragraphs'], { default: 'sentences' }),
    qty: span(1, most.paragraphs),
    separator,
  },
  ({ text_type, qty = 3, separator: said }) => {
    const many = howMany(qty);
    const between = said ?? (text_type === 'sentences' ? ' ' : '\n\n');
    return (draws, fake) => {
      const one = () => (text_type === 'sentences' ? fake.lorem.sentence() : fake.lorem.paragraph());
      return Array.from({ length: many(draws) }, one).join(between);
    };
  },
);

const blocks = ['p', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'pre', 'hr'] as const;
const inline = ['a', 'b', 'strong', 'i', 'em', 'code', 'span', 'div'] as const;

export const html = drawing(
  {
    elements: t.list(t.choice([...blocks, ...inline]), { default: ['p', 'h2', 'ul', 'blockquote'], maxItems: 50 }),
    qty: span(1, most.paragraphs),
  },
  ({ elements: among, qty = 3 }) => {
    if (among.length === 0) throw new Unreadable('`elements` is missing.');
    const many = howMany(qty);
    return (draws, fake) =>
      Array.from({ length: many(draws) }, () => elementOf(draws.pick(among), fake.lorem)).join('\n');
  },
);

interface Lorem {
  words(many: number): string;
  sentence(): string;
  paragraph(): string;
}

function elementOf(name: string, lorem: Lorem): string {
  if (name === 'hr') return '<hr>';
  if (name === 'a') return `<a href="https://example.com/">${escapeHtml(lorem.words(2))}</a>`;
  if (name === 'ul' || name === 'ol')
    return `<${name}>${Array.from({ length: 3 }, () => `<li>${escapeHtml(lorem.words(4))}</li>`).join('')}</${name}>`;
  const said = name === 'p' || name === 'div' || name === 'pre' ? lorem.paragraph() : lorem.sentence();
  return name === 'blockquote'
    ? `<blockquote><p>${escapeHtml(said)}</p></blockquote>`
    : `<${name}>${escapeHtml(said)}</${name}>`;
}

/** Each question mark becomes a letter. */
export const lexify = drawing(
  { template: template('????') },
  ({ template: form }) =>
    (draws) =>
      form.replaceAll('?', () => draws.pick(alphabet)),
);

/** Each star becomes a sign that can be seen. */
export const asciify = drawing(
  { template: template('****') },
  ({ template: form }) =>
    (draws) =>
      form.replaceAll('*', () => String.fromCharCode(draws.integer(33, 126))),
);

export const pattern = drawing({ template: t.string({ maxLength: bounds.template }) }, ({ template: form }) => {
  const drawn = regexify(form);
  return (draws) => drawn(draws);
});

export const raw = drawing({ value: t.untyped() }, ({ value }) => {
  if (value === undefined || value === null) throw new Unreadable('`value` is missing.');
  if (JSON.stringify(value).length > most.raw) throw tooLong();
  return () => value;
});
