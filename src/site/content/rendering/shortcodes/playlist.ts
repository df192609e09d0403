// Sounds or films one after another, each with its player.
import { mediaTopic } from '../../tables.ts';
import { type Live, live, type Placed } from '../live.ts';
import { typography } from '../typography.ts';
import { type Listed, type ListedNeeds, listed, saidOfFiles } from './listed.ts';
import { audio, type Playing, video } from './players.ts';
import { wordOf } from './said.ts';

interface Needs extends ListedNeeds {
  readonly url: string;
}

const kindOf = (attributes: Placed['attributes']): Playing => wordOf(attributes.type, ['audio', 'video']) ?? 'audio';

export const playlist = (needs: Needs): Live =>
  live<readonly Listed[]>({
    rests: [mediaTopic],
    reads: [...saidOfFiles, 'type'],
    find: (asked) => listed(needs, kindOf(asked.attributes), asked),
    write(placed, files) {
      const kind = kindOf(placed.attributes);
      const play = kind === 'audio' ? audio : video;
      const items = files.map(({ title, file }) => {
        const attributes = { src: needs.media.urlOf(file.file) };
        const player = play({ ...placed, attributes, inner: '' }, needs.url);
        return `<li class="wp-playlist-item">${titled(title)}${player}</li>`;
      });
      if (items.length === 0) return '';
      return `<ol class="wp-playlist wp-${kind}-playlist">\n${items.join('\n')}\n</ol>\n`;
    },
  });

const titled = (title: string): string =>
  title.trim() === '' ? '' : `<span class="wp-playlist-item-title">${typography(title.trim(), new Set())}</span> `;
