import { randomBytes } from 'node:crypto';

/** Ids for requests: unlike those of any other process, and cheap. */
export function requestIds(): () => string {
  const origin = randomBytes(6).toString('base64url');
  let count = 0;
  return () => `${origin}-${(count++).toString(36)}`;
}
