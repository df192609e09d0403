// The shortcodes that every site has.
import type { Live } from '../live.ts';
import type { RenderingNeeds } from '../needs.ts';

export const siteShortcodes = (_needs: RenderingNeeds): Record<string, Live> => ({});
