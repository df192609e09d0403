import type { RenderingNeeds } from '../needs.ts';
import type { Prose } from '../rendering.ts';

/** What the blocks of the site are made from. */
export interface BlockNeeds extends RenderingNeeds {
  prose(): Promise<Prose>;
  /** A title as pages show it. */
  title(text: string): string;
}
