// Secrets that the site makes up, and the keyed hashes it keeps of them: they are long, so a fast hash keeps them well.
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 24;

/** 24 letters and digits, each as likely as any other. */
export const newSecret = (): string => Array.from({ length }, () => signs[randomInt(signs.length)]).join('');

/** As people read and copy it. */
export const inGroups = (secret: string): string => secret.replace(/.{4}(?=.)/g, '$& ');

/** Without the blanks it is shown with, and whatever else came with it. */
export const bare = (secret: string): string => secret.replace(/[^A-Za-z0-9]+/g, '');

/** Whether a text has the form of such a secret, so that it is better not written down. */
export const looksSecret = (text: string): boolean => bare(text).length === length && /^[A-Za-z0-9\s]*$/.test(text);

export const keyedHash = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex');

/** Takes as long wherever they differ. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
