// The shortcodes that every site has.
import type { Live } from '../live.ts';
import type { RenderingNeeds } from '../needs.ts';
import { caption } from './caption.ts';
import { embed } from './embed.ts';
import { gallery } from './gallery.ts';
import { player } from './players.ts';
import { playlist } from './playlist.ts';

export const siteShortcodes = (needs: RenderingNeeds): Record<string, Live> => ({
  caption,
  wp_caption: caption,
  gallery: gallery(needs),
  audio: player('audio', needs),
  video: player('video', needs),
  playlist: playlist(needs),
  embed: embed(needs.url),
});
