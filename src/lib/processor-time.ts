/**
 * Milliseconds of processor time that this thread has used. Linux updates this figure every few milliseconds only, except for a thread
 * that asks about its whole process: that is why this asks twice.
 */
export function processorTime(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
