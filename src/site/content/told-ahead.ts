// What has changed is made ready at once, where records like it are read: whoever looks next finds it.
import type { Face } from '#kernel/faces.ts';
import type { Events } from '../platform/events.ts';
import type { Content } from './content.ts';

interface Needs {
  readonly events: Events;
  readonly content: Pick<Content, 'told' | 'kinds'>;
  /** Has the answer made that anybody gets at this path, spelled neutrally. */
  ready(face: Face, path: string): void;
}

export function tellAhead({ events, content: { told, kinds }, ready }: Needs): void {
  events.on('post.saved', ({ post: { id, type, status } }) => {
    const faces = status === 'publish' ? told.facesOf(type) : [];
    for (const face of faces) ready(face, `/core/v2/${kinds.type(type)!.base}/${id}`);
  });
}
