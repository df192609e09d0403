/** What `work` comes to, or what `late` says once the limit has passed (in ms; it may be infinite). The work itself goes on. */
export async function inTime<R>(work: Promise<R>, limit: number, late: () => Error): Promise<R> {
  if (!Number.isFinite(limit)) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), limit);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
