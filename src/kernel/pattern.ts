// Paths are written as the index prints them, `bans/(?P<id>\d+)`, and matched as they are read there: anchored, in any
// letter case, one slash at the end ignored.

export interface Pattern {
  readonly text: string;
  readonly regex: RegExp;
  /** The literal path before the first group, in lower case and whole segments; the whole path when there is no group. */
  readonly head: string;
  readonly names: readonly string[];
}

const group = /\(\?P<(\w+)>/g;

export function compilePattern(text: string): Pattern {
  const names = [...text.matchAll(group)].map((match) => match[1]!);
  const literal = names.length === 0 ? text : text.slice(0, text.indexOf('('));
  const head = names.length === 0 ? literal : literal.slice(0, literal.lastIndexOf('/'));
  return { text, regex: new RegExp(`^${text.replace(group, '(?<$1>')}$`, 'i'), head: head.toLowerCase(), names };
}

/** The root keeps its slash, and two slashes are not the root. */
export const withoutTrailingSlash = (path: string): string =>
  path.length > 2 && path.endsWith('/') ? path.slice(0, -1) : path;

/** Fills the groups of a pattern with the values a request brought, for links back to it. */
export function fillPattern(pattern: Pattern, values: Readonly<Record<string, string>>): string {
  let filled = '';
  let rest = pattern.text;
  for (const name of pattern.names) {
    const start = rest.indexOf(`(?P<${name}>`);
    filled += rest.slice(0, start) + encodeURIComponent(values[name] ?? '').replaceAll('%2F', '/');
    rest = rest.slice(closingOf(rest, start) + 1);
  }
  return filled + rest;
}

function closingOf(text: string, open: number): number {
  let depth = 0;
  let inClass = false;
  for (let index = open; index < text.length; index++) {
    const character = text[index];
    if (character === '\\') index++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return index;
  }
  return text.length - 1;
}

/** A path as the table reads it: decoded once. What is not well encoded names nothing, which is for the table to say. */
export function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    const decoded = decodeURIComponent(path);
    // No name holds one; taken out, two addresses would be one, and whoever looks at the address sees another.
    return decoded.includes('\0') ? path : decoded;
  } catch {
    return path;
  }
}
