// The shortcodes that every site has.

import { escapeHtml } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import type { Live } from '../live.ts';
import { live } from '../live.ts';
import type { RenderingNeeds } from '../needs.ts';
import { caption } from './caption.ts';
import { gallery } from './gallery.ts';
import { player, playlist } from './players.ts';
import { addressOf } from './said.ts';

/** An address of which nothing is known that could stand in its place. */
export const embed = (site: string): Live =>
  live<undefined>({
    write({ attributes, inner }) {
      const address = addressOf(attributes.src ?? readText(inner), site);
      const url = escapeHtml(address?.text ?? '');
      return url === '' ? '' : `<a href="${url}">${url}</a>`;
    },
  });

export const siteShortcodes = (needs: RenderingNeeds): Record<string, Live> => ({
  caption,
  wp_caption: caption,
  gallery: gallery(needs),
  audio: player('audio', needs),
  video: player('video', needs),
  playlist: playlist(needs),
  embed: embed(needs.url),
});
