// Processes that move in, as the store names them.
import { hostname } from 'node:os';

export const thisProcess = (): string => `process ${process.pid} on ${hostname()}`;

/** Whether it was a process of this machine, and is there no more. */
export function isGone(holder: string): boolean {
  const [, id, machine] = /^process (\d+) on (.*)$/s.exec(holder) ?? [];
  if (id === undefined || machine !== hostname()) return false;
  try {
    process.kill(Number(id), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
