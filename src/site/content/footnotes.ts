// The notes at the foot of a text: a list kept as JSON, each with HTML of its own.
import type { TextFilter } from './filter/filter.ts';

interface Footnote {
  readonly id: string;
  readonly content: string;
}

const isFootnote = (one: unknown): one is Footnote =>
  typeof one === 'object' &&
  one !== null &&
  typeof (one as Footnote).id === 'string' &&
  typeof (one as Footnote).content === 'string';

/** Those that a text has; what is no list of notes is nothing. */
export const notesIn = (written: string): Footnote[] =>
  listOf(written)
    .filter(isFootnote)
    .map(({ id, content }) => ({ id: id.replace(/[^\w-]/g, ''), content }));

/** As they may be written by people who may not write any HTML. */
export function safeFootnotes(written: string, filter: TextFilter): string {
  const notes = notesIn(written).map(({ id, content }) => ({ id, content: filter(content, 'content') }));
  return notes.length === 0 ? '' : JSON.stringify(notes);
}

function listOf(written: string): unknown[] {
  try {
    const said: unknown = JSON.parse(written);
    return Array.isArray(said) ? said : [];
  } catch {
    return [];
  }
}
