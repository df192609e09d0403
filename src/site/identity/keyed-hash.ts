// How the store keeps what lets somebody in: as a hash that only the site's key can make. What is kept is long and random,
// so a fast hash keeps it well.
import { createHmac, timingSafeEqual } from 'node:crypto';

export const keyedHash = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex');

/** Takes as long wherever they differ. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
