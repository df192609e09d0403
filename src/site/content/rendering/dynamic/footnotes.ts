// The notes at the foot of a text.
import { notesIn } from '../../footnotes.ts';
import { metaOf } from '../../meta.ts';
import { live } from '../live.ts';
import { classOf, quoted, worded } from './markup.ts';
import type { BlockNeeds } from './needs.ts';

type Notes = ReturnType<typeof notesIn>;

const most = 500;

export const footnotes = ({ store }: Pick<BlockNeeds, 'store'>) =>
  live<Notes>({
    rests: ['post_meta'],
    async find({ of }) {
      const kept = of && (await metaOf(store.db, [of.id])).get(of.id)?.footnotes;
      return typeof kept === 'string' ? notesIn(kept).slice(0, most) : [];
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
