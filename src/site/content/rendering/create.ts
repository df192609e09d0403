// Text as it is shown. Paragraphs are made and marks of blocks are taken out; what else belongs to a page is not made here.
import { Lru } from '#lib/lru.ts';
import { balanced } from './balanced.ts';
import { hasBlocks, withoutMarks } from './blocks.ts';
import { beginningOf, usualWords } from './excerpts.ts';
import { paragraphs } from './paragraphs.ts';
import type { Rendering } from './rendering.ts';

/** What is remembered: so many texts, none of them longer than this. */
const memory = { texts: 1_000, longest: 16_384 };

interface Made {
  readonly from: string;
  readonly html: string;
}

export function createRendering(): Rendering {
  const known = new Lru<string, Made>(memory.texts);

  /** A number alone does not tell a record from its revision, so what it was made from is compared. */
  const once = (key: string, from: string, make: (text: string) => string): string => {
    const made = known.get(key);
    if (made?.from === from) return made.html;
    const html = make(from);
    if (from.length + html.length <= memory.longest) known.set(key, { from, html });
    return html;
  };

  return {
    title: (text) => text.trim(),
    content: ({ id, version, content }) => once(`content ${id} ${version}`, content, shown),
    excerpt: ({ id, version, excerpt, content }, words = usualWords) =>
      excerpt.trim() === ''
        ? once(`excerpt ${id} ${version} ${words}`, content, (text) => paragraphs(beginningOf(text, words)))
        : paragraphs(excerpt),
    caption: paragraphs,
    comment: (text) => paragraphs(balanced(text)),
  };
}

const shown = (content: string): string => (hasBlocks(content) ? withoutMarks(content) : paragraphs(content));
