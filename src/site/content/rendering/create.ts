// Text as it is shown. Paragraphs are made and marks of blocks are taken out; what else belongs to a page is not made here.
import { balanced } from './balanced.ts';
import { hasBlocks, withoutMarks } from './blocks.ts';
import { beginningOf, firstOf, mostWords, usualWords } from './excerpts.ts';
import { Made } from './made.ts';
import { paragraphs } from './paragraphs.ts';
import type { Rendering } from './rendering.ts';

/** In characters: what is made of some thousands of records, or of a few very long ones. */
const memory = 16 * 1024 * 1024;
const memoryOfLong = 64 * 1024 * 1024;
const long = 512 * 1024;

export function createRendering(): Rendering {
  const [short, large] = [new Made(memory), new Made(memoryOfLong)];
  const madeOf = ({ length }: string): Made => (length > long ? large : short);
  return {
    title: (text) => text.trim(),
    content: ({ id, content }) => madeOf(content).once(`content ${id}`, content, shown),
    excerpt: ({ id, excerpt, content }, wanted = usualWords) => {
      if (excerpt.trim() !== '') return madeOf(excerpt).once(`own excerpt ${id}`, excerpt, paragraphs);
      const words = Math.min(wanted, mostWords);
      const first = firstOf(content);
      const goesOn = first.length < content.length;
      return short.once(`excerpt ${id} ${words} ${goesOn}`, first, (text) =>
        paragraphs(beginningOf(text, words, goesOn)),
      );
    },
    caption: paragraphs,
    comment: (text) => paragraphs(balanced(text)),
  };
}

const shown = (content: string): string => (hasBlocks(content) ? withoutMarks(content) : paragraphs(content));
