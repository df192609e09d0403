// The texts of notifications: what HTML they may hold, which placeholders stand in them, and how they read as plain text, which is
// how mail leaves this site.
import { escapeHtml } from '#lib/html.ts';
import { eachToken, meaning, type Opening, spelled, textOf } from '#lib/html-tokens.ts';

const elements = new Set(['a', 'i', 'b', 'h2', 'h3', 'h4', 'h5', 'h6', 'p']);

/** Only links, what stands out, headings and paragraphs. */
export function allowedOf(html: string): string {
  const pieces: string[] = [];
  eachToken(html, (token) => {
    if (token.kind === 'text') return void pieces.push(spelled(html.slice(token.start, token.end)));
    if (token.kind === 'comment' || !elements.has(token.name)) return;
    pieces.push(token.kind === 'close' ? `</${token.name}>` : `<${token.name}${linkOf(token)}>`);
  });
  return pieces.join('');
}

const linkOf = (token: Opening): string =>
  token.name !== 'a' ? '' : ['href', 'title'].flatMap((name) => attribute(token, name)).join('');

function attribute({ attributes }: Opening, name: string): string[] {
  const found = attributes.find((one) => one.name === name);
  const value = found && meaning(found.written);
  if (value === undefined || (name === 'href' && !isLink(value))) return [];
  return [` ${name}="${escapeHtml(value)}"`];
}

/** Somewhere on the web, a mail address, or what a placeholder will stand for. */
const isLink = (text: string): boolean => /^(?:https?:\/\/|mailto:|\{\{)/i.test(text.trim());

const placeholder = /\{\{\s*\$([\w-]+)\s*\}\}/g;

/** The placeholders in a text, by name. */
export const tagsIn = (text: string): string[] => [...text.matchAll(placeholder)].map(([, name]) => name!);

const filled = (text: string, tags: Readonly<Record<string, string>>, shown: (value: string) => string): string =>
  text.replace(placeholder, (whole, name: string) => (Object.hasOwn(tags, name) ? shown(tags[name]!) : whole));

/** A subject is a line of text. */
export const subjectWith = (text: string, tags: Readonly<Record<string, string>>): string =>
  filled(text, tags, (value) => value);

const ends = new Set(['p', 'h2', 'h3', 'h4', 'h5', 'h6']);

interface Link {
  readonly to: string;
  /** How many pieces come before its text. */
  readonly from: number;
}

/** Paragraph by paragraph; a link is followed by where it leads, unless it says so itself. */
export function textWith(html: string, tags: Readonly<Record<string, string>>): string {
  const whole = filled(html, tags, escapeHtml);
  const pieces: string[] = [];
  let link: Link | undefined;
  eachToken(whole, (token) => {
    if (token.kind === 'text') pieces.push(whole.slice(token.start, token.end));
    else if (token.kind === 'open' && token.name === 'a') link = { to: hrefOf(token), from: pieces.length };
    else if (token.kind === 'close' && token.name === 'a') {
      pieces.push(...afterLink(link, pieces));
      link = undefined;
    } else if (token.kind === 'close' && ends.has(token.name)) pieces.push('\n\n');
  });
  return textOf(pieces.join(''))
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const hrefOf = ({ attributes }: Opening): string =>
  escapeHtml(meaning(attributes.find(({ name }) => name === 'href')?.written ?? null));

const afterLink = (link: Link | undefined, pieces: readonly string[]): string[] =>
  link === undefined || link.to === '' || link.to === pieces.slice(link.from).join('') ? [] : [` (${link.to})`];
