// The blocks that every site makes when they are shown.
import type { Live } from '../live.ts';
import type { RenderingNeeds } from '../needs.ts';

export const siteBlocks = (_needs: RenderingNeeds): Record<string, Live> => ({});
