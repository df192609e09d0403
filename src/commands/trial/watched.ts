// What ends the process of a trial from inside, whatever the extension does there.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { scriptAt } from '#lib/scripts.ts';

export interface Watched {
  /** From now on the process has so many bytes more than it has now. */
  limit(bytes: number): void;
}

/** From here on the process ends with its `parent`, and no other thread is started. */
export async function watched(parent: number): Promise<Watched> {
  const watch = new Worker(scriptAt(new URL('./watch.ts', import.meta.url)), { workerData: parent });
  await once(watch, 'online');
  watch.unref();
  process.permission.drop('worker');
  return { limit: (bytes) => watch.postMessage(process.memoryUsage.rss() + bytes) };
}
