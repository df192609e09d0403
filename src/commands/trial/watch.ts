// Beside a trial, in a thread of its own: what keeps the other thread busy keeps nobody from ending the process. Run by `watched.ts`.
import { parentPort, workerData } from 'node:worker_threads';

/** In milliseconds: what asks for much memory takes longer to get it. */
const glance = 50;

const parent: number = workerData;
let most = Number.POSITIVE_INFINITY;
parentPort?.on('message', (bytes: number) => {
  most = bytes;
});

setInterval(() => {
  const isOrphan = process.ppid !== parent;
  if (isOrphan || process.memoryUsage.rss() > most) process.kill(process.pid, 'SIGKILL');
}, glance);
