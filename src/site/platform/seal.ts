// What is kept unreadable in the database: sealed with the site's own key for it, and bound to what it is.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

export interface Seal {
  /** As text. `about` says what it is and where it belongs: sealed for one place, it opens at no other. */
  close(text: string, about: string): string;
  /** Throws when it was not sealed by this site, or for something else. */
  open(sealed: string, about: string): string;
}

/** Of a text, as 43 characters. Without the key of the site, nobody can make it. */
export type KeyedHash = (text: string) => string;

export interface SiteSeal extends Seal {
  /** Each purpose has a key of its own. */
  keyedHash(purpose: string): KeyedHash;
}

const version = 'v1';

export const createSeal = (key: Buffer): SiteSeal => ({
  close: (text, about) => [version, closed(key, Buffer.from(text), about)].join('.'),
  open(given, about) {
    const [is, ...sealed] = given.split('.');
    if (is !== version) throw neverSealed();
    return opened(key, sealed.join('.'), about).toString('utf8');
  },
  keyedHash(purpose) {
    const own = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `gatehouse hash ${purpose}`, 32)));
    return (text) => createHmac('sha256', own).update(text).digest('base64url');
  },
});

const cipher = 'aes-256-gcm';
const [nonceLength, tagLength] = [12, 16];

/** Nonce, tag and the sealed bytes, as text. A key closes few enough things for nonces by chance. */
export function closed(key: Buffer, bytes: Buffer, about: string): string {
  const nonce = randomBytes(nonceLength);
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([sealing.update(bytes), sealing.final()]);
  return [nonce, sealing.getAuthTag(), sealed].map((part) => part.toString('base64url')).join('.');
}

/** What `closed` made, with the same key and about the same. */
export function opened(key: Buffer, text: string, about: string): Buffer {
  const [nonce, tag, sealed, ...more] = text.split('.').map((part) => Buffer.from(part, 'base64url'));
  // A tag cut short would still be taken by the cipher, and is easier to guess.
  const isWhole = nonce?.length === nonceLength && tag?.length === tagLength && sealed && more.length === 0;
  if (!isWhole) throw neverSealed();
  const opening = createDecipheriv(cipher, key, nonce).setAAD(Buffer.from(about)).setAuthTag(tag);
  return Buffer.concat([opening.update(sealed), opening.final()]);
}

const neverSealed = (): Error => new Error('This value is not sealed.');
