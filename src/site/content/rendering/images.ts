// Pictures in a text: how large they are, and which copies of them a browser may choose from.
import type { MediaFile } from '../media/media.ts';

export type Pictured = Pick<MediaFile, 'file' | 'width' | 'height' | 'sizes'>;

export interface Pictures {
  readonly known: ReadonlyMap<number, Pictured>;
  urlOf(file: string): string;
}

/** The numbers of the pictures that a text shows, as far as it says them. */
export function imagesIn(_content: string): number[] {
  return [];
}

export function pictured(html: string, _pictures: Pictures): string {
  return html;
}
