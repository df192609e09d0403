import { eachToken, type Opening, rawElements } from '#lib/html-tokens.ts';

const alone = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
]);

/** Nothing ends it: all that follows on a page is its text. */
const endless = 'plaintext';

/** Of a tag or a comment, in text: one that never ends would take in what comes after it. */
const beginning = /<(?=[a-z!/?])/gi;
const ended = /--!?>$/;

/** HTML that ends what it begins, and nothing else: what comes after it on a page stays as it was. */
export function balanced(html: string): string {
  const pieces: string[] = [];
  const open: string[] = [];
  const counts = new Map<string, number>();
  const end = (): string => {
    const name = open.pop()!;
    counts.set(name, counts.get(name)! - 1);
    pieces.push(`</${name}>`);
    return name;
  };
  const endUpTo = (name: string): void => {
    while (counts.get(name) && end() !== name);
  };
  const begin = ({ name, closed }: Opening, written: string): void => {
    if (name === endless) return;
    const isAlone = alone.has(name);
    pieces.push(isAlone && !closed ? `${written.slice(0, -1)}/>` : written);
    if (isAlone) return;
    open.push(name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  eachToken(html, (token) => {
    const written = html.slice(token.start, token.end);
    if (token.kind === 'open') begin(token, written);
    else if (token.kind === 'close') endUpTo(token.name);
    else pieces.push(token.kind === 'text' ? safeText(written, open.at(-1)) : safeComment(written));
  });
  while (open.length > 0) end();
  return pieces.join('');
}

const safeText = (text: string, parent = ''): string =>
  rawElements.has(parent) ? text : text.replace(beginning, '&lt;');

const safeComment = (written: string): string => (ended.test(written) ? written : '');
