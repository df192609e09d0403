// What is kept unreadable in the database: sealed with the site's own key for it, and bound to what it is.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface Seal {
  /** As text. `about` says what it is and where it belongs: sealed for one place, it opens at no other. */
  close(text: string, about: string): string;
  /** Throws when it was not sealed by this site, or for something else. */
  open(sealed: string, about: string): string;
}

const cipher = 'aes-256-gcm';
const version = 'v1';

export const createSeal = (key: Buffer): Seal => ({
  close(text, about) {
    const nonce = randomBytes(12);
    const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(about));
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    return [version, ...[nonce, sealing.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
  },
  open(given, about) {
    const [is, ...parts] = given.split('.');
    const [nonce, tag, sealed] = parts.map((part) => Buffer.from(part, 'base64url'));
    if (is !== version || !nonce || tag?.length !== 16 || !sealed) throw new Error('This was never sealed.');
    const opening = createDecipheriv(cipher, key, nonce).setAAD(Buffer.from(about)).setAuthTag(tag);
    return Buffer.concat([opening.update(sealed), opening.final()]).toString('utf8');
  },
});
