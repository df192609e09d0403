// The notes at the foot of a text.
import { notesIn } from '../../footnotes.ts';
import { metaOf } from '../../meta.ts';
import { longest, shortened } from '../excerpts.ts';
import { live } from '../live.ts';
import { classOf, quoted, worded } from './markup.ts';
import type { BlockNeeds } from './open-records.ts';

type Notes = ReturnType<typeof notesIn>;

/** So many of one text, and so much of all of them. */
const most = { notes: 500, characters: 64 * 1024 };

export const footnotes = ({ store }: Pick<BlockNeeds, 'store'>) =>
  live<Notes>({
    rests: ['post_meta'],
    reads: [],
    async find({ of }) {
      const kept = of && (await metaOf(store.db, [of.id])).get(of.id)?.footnotes;
      return typeof kept === 'string' ? shownOf(notesIn(kept)) : [];
    },
    write({ attributes }, notes) {
      if (notes.length === 0) return '';
      const items = notes.map(({ id, content }, at) => {
        const place = worded(id);
        const back = `<a href="#${place}-link" aria-label="Jump to footnote reference ${at + 1}">↩︎</a>`;
        return `<li id="${place}">${quoted(content)} ${back}</li>`;
      });
      return `<ol${classOf('footnotes', attributes)}>${items.join('')}</ol>`;
    },
  });

/** The first of them, each as far as it is shown. */
function shownOf(notes: Notes): Notes {
  let left = most.characters;
  return notes
    .slice(0, most.notes)
    .map(({ id, content }) => ({ id: id.slice(0, longestId), content: shortened(content, longest.note) }))
    .filter(({ content }) => {
      left -= content.length;
      return left >= 0;
    });
}

const longestId = 100;
