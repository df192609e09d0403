// What a shortcode says of itself: `name="value"`, `name='value'`, `name=value`, or a value alone.

const attribute =
  /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s'"]+))(?=\s|$)|"([^"]*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+)/dg;

/** A stretch of a text, and of the same text as it is searched. */
export interface Stretch {
  readonly text: string;
  readonly searched: string;
  readonly start: number;
  readonly end: number;
}

/** By name, in small letters; those without one by their place, from 0. */
export function attributesIn({ text, searched, start, end }: Stretch): Record<string, string> {
  const said: [string, string][] = [];
  let place = 0;
  for (const { 1: name, indices } of searched.slice(start, end).matchAll(attribute)) {
    const [from, until] = indices!.findLast((one) => one !== undefined)!;
    const value = unbroken(text.slice(start + from, start + until));
    said.push([name === undefined ? String(place++) : name.toLowerCase(), value]);
  }
  return Object.fromEntries(said);
}

/** Without the breaks that lines are given by paragraphs. */
const unbroken = (value: string): string =>
  value.includes('\n')
    ? value
        .split('\n')
        .map((line, at, { length }) => (at === length - 1 ? line : line.trimEnd().replace(/<br \/>$/, '')))
        .join('\n')
    : value;
