// Changes the attributes of one tag and leaves the rest of it as it was written.
import { escapeHtml } from './html.ts';

const attribute = /[\s/]*([^\s/>=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?/dgy;

/** `tag`: from `<` to `>`. Each attribute gets its value, in the place where it was or else at the end; null removes it. */
export function withAttributes(tag: string, values: Readonly<Record<string, string | null>>): string {
  const pieces: string[] = [];
  const left = new Map(Object.entries(values));
  const start = /^<[^\s/>]+/.exec(tag)?.[0].length ?? 0;
  const body = new RegExp(attribute);
  body.lastIndex = start;
  let from = 0;
  let end = start;
  for (let found = body.exec(tag); found !== null; found = body.exec(tag)) {
    end = body.lastIndex;
    const name = found[1]!.toLowerCase();
    const value = left.get(name);
    if (value === undefined) continue;
    left.delete(name);
    const [nameStart] = found.indices![1]!;
    const isNamedAlone = found[2] === undefined;
    if (value === null) pieces.push(tag.slice(from, found.index));
    else
      pieces.push(tag.slice(from, isNamedAlone ? nameStart : found.indices![2]![0]), quoted(name, value, isNamedAlone));
    from = end;
  }
  const added = [...left]
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${quoted(name, value!, true)}`);
  return [...pieces, tag.slice(from, end), ...added, tag.slice(end)].join('');
}

const quoted = (name: string, value: string, withName: boolean): string =>
  `${withName ? `${name}=` : ''}"${escapeHtml(value)}"`;
