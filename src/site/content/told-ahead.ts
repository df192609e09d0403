// What has changed is told anew at once, where records like it are read: the first who asks finds it ready.
import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatch } from '#kernel/dispatch.ts';
import { type Face, spell } from '#kernel/faces.ts';
import { noSources } from '#kernel/request.ts';
import type { Events } from '../events.ts';
import type { Content } from './content.ts';
import type { Post } from './posts/post.ts';

/** When so many change at once, those who ask have them told. */
const mostAtOnce = 10;

/** In milliseconds: whoever wrote has their answer first. */
const moment = 1;

interface Needs {
  readonly events: Events;
  readonly content: Pick<Content, 'told' | 'kinds'>;
  readonly dispatch: Dispatch;
}

export function tellAhead({ events, content: { told, kinds }, dispatch }: Needs): void {
  let asking = 0;
  const ask = async (face: Face, { id, type }: Post): Promise<void> => {
    const path = spell(face, `/core/v2/${kinds.type(type)!.base}/${id}`);
    const sources = async () => noSources;
    await dispatch({ id: '', face, method: 'GET', path, query: '', headers: {}, address: '', sources });
  };
  events.on('post.saved', async ({ post }) => {
    const faces = post.status === 'publish' ? told.facesOf(post.type) : [];
    if (faces.length === 0 || asking >= mostAtOnce) return;
    asking += 1;
    try {
      await pause(moment);
      for (const face of faces) await ask(face, post);
    } finally {
      asking -= 1;
    }
  });
}
