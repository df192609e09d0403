// What shortcodes and blocks say of themselves in a text, whatever they are called.
import { attributesOf, fullName, piecesOf } from '#site/content/rendering/blocks.ts';
import { attributesIn } from '#site/content/rendering/shortcodes/attributes.ts';
import { isRecord, isScalar, textOf } from './texts.ts';

type Said = Record<string, unknown>;

const newSaid = (): Said => Object.create(null) as Said;

/** Nobody writes more of them into one text. */
const mostTags = 5_000;

const tag = /\[([^\s[\]<>&/="'\0]+)(?=[\s/\]])([^[\]]*)\]/g;

/** By name; those that say nothing are an empty text, and what is said again is added to what was said. */
export function shortcodeAttributes(text: string): Said {
  const all = newSaid();
  for (const [, name = '', inner = ''] of text.matchAll(tag).take(mostTags)) {
    const said = inner.endsWith('/') ? inner.slice(0, -1) : inner;
    const attributes = Object.entries(attributesIn({ text: said, searched: said, start: 0, end: said.length }));
    all[name] ??= '';
    if (attributes.length === 0) continue;
    const known = isRecord(all[name]) ? all[name] : newSaid();
    for (const [key, value] of attributes) known[key] = `${known[key] ?? ''}${isOpen(value) ? '' : value}`;
    all[name] = known;
  }
  return all;
}

/** Whether a tag begins in it that does not end. */
const isOpen = (value: string): boolean => value.lastIndexOf('<') > value.lastIndexOf('>');

/** By name, those within others too; of those that come again, what they say is added to what was said. */
export function blockAttributes(text: string): Said {
  const all = newSaid();
  for (const { mark } of piecesOf(text)) {
    if (mark === undefined || mark.ends) continue;
    const name = fullName(mark.name);
    all[name] ??= newSaid();
    addTo(all[name] as Said, attributesOf(mark), 0);
  }
  return all;
}

const deepest = 64;

/** What was read a moment ago is nobody else's, so it is added to where it is: again and again would be slow otherwise. */
function addTo(said: Said, more: object, depth: number): void {
  for (const [name, value] of Object.entries(more)) {
    const known = Object.hasOwn(said, name) ? said[name] : undefined;
    if (known === undefined || known === null) said[name] = value;
    else if (isScalar(known) && isScalar(value)) said[name] = textOf(known) + textOf(value);
    else if (Array.isArray(known) && Array.isArray(value)) for (const one of value) known.push(one);
    else if (isRecord(known) && isRecord(value) && depth < deepest) addTo(known, value, depth + 1);
    else said[name] = [known, value];
  }
}
