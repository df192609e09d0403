// Text as it is shown. Paragraphs are made and marks of blocks are taken out; what else belongs to a page is not made here.
import { balanced } from './balanced.ts';
import { hasBlocks, withoutMarks } from './blocks.ts';
import { beginningOf, usualWords } from './excerpts.ts';
import { Made } from './made.ts';
import { paragraphs } from './paragraphs.ts';
import type { Rendering } from './rendering.ts';

/** In characters: what is made of some thousands of records. */
const memory = 16 * 1024 * 1024;

export function createRendering(): Rendering {
  const made = new Made(memory);
  return {
    title: (text) => text.trim(),
    content: ({ id, content }) => made.once(`content ${id}`, content, shown),
    excerpt: ({ id, excerpt, content }, words = usualWords) =>
      excerpt.trim() === ''
        ? made.once(`excerpt ${id} ${words}`, content, (text) => paragraphs(beginningOf(text, words)))
        : paragraphs(excerpt),
    caption: paragraphs,
    comment: (text) => paragraphs(balanced(text)),
  };
}

const shown = (content: string): string => (hasBlocks(content) ? withoutMarks(content) : paragraphs(content));
