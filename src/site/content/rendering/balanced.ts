import { eachToken } from '#lib/html-tokens.ts';

const alone = new Set([
  'area',
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

/** HTML that ends what it begins, and nothing else: what comes after it on a page stays as it was. */
export function balanced(html: string): string {
  const pieces: string[] = [];
  const open: string[] = [];
  const counts = new Map<string, number>();
  const end = (): string => {
    const name = open.pop()!;
    counts.set(name, counts.get(name)! - 1);
    return name;
  };
  eachToken(html, (token) => {
    const { kind, start } = token;
    if (kind === 'close') {
      if (!counts.get(token.name)) return;
      for (let name = end(); name !== token.name; name = end()) pieces.push(`</${name}>`);
    }
    const isAlone = kind === 'open' && alone.has(token.name);
    pieces.push(isAlone && !token.closed ? `${html.slice(start, token.end - 1)}/>` : html.slice(start, token.end));
    if (kind !== 'open' || isAlone) return;
    open.push(token.name);
    counts.set(token.name, (counts.get(token.name) ?? 0) + 1);
  });
  while (open.length > 0) pieces.push(`</${end()}>`);
  return pieces.join('');
}
