// A part of a file that is ours: between two lines of comment, replaced as a whole. What else the file holds stays as it is.

/** What settings a few lines of rules follow from, and the lines. */
export interface Part {
  readonly setting: string;
  readonly lines: readonly string[];
}

const begin = '# BEGIN Gatehouse security suite';
const end = '# END Gatehouse security suite';
/** Of the text, for whoever reads it by a program. */
const version = '# Format: 2';

/** The text of these parts; empty where none has anything to say. */
export function framed(parts: readonly Part[]): string {
  const said = parts.filter(({ lines }) => lines.length > 0);
  if (said.length === 0) return '';
  const body = said.flatMap(({ setting, lines }) => ['', `# ${setting}`, ...lines]);
  return `${[begin, version, ...body, '', end].join('\n')}\n`;
}

/** The file with this text in place of the one before; at its end, where there was none. */
export function replacedIn(file: string, text: string): string {
  const { others, at } = withoutBlocks(file.split('\n'));
  const block = text.split('\n').slice(0, -1);
  if (at !== undefined) return others.toSpliced(at, 0, ...block).join('\n');
  if (block.length === 0) return file;
  const before = others.at(-1) === '' ? others.slice(0, -1) : others;
  return [...before, ...block, ''].join('\n');
}

export const isFramedIn = (file: string): boolean => withoutBlocks(file.split('\n')).at !== undefined;

/**
 * The lines of others, and where the first block stood. A beginning or an end alone is no block: what stands there may be others', and the
 * line goes, so that it never meets another.
 */
function withoutBlocks(lines: readonly string[]): { readonly others: string[]; readonly at: number | undefined } {
  const others: string[] = [];
  let at: number | undefined;
  let open: number | undefined;
  for (const line of lines) {
    const bare = line.trimEnd();
    if (bare === begin) open = others.length;
    else if (bare !== end) others.push(line);
    if (bare !== end || open === undefined) continue;
    others.length = open;
    at ??= open;
    open = undefined;
  }
  return { others, at };
}
