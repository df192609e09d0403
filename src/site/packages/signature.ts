// Ed25519: who published a package, and that nobody changed it on the way. Public keys are 32 bytes in base64.
import {
  createPrivateKey,
  createPublicKey,
  sign as ed25519Sign,
  verify as ed25519Verify,
  generateKeyPairSync,
} from 'node:crypto';

export interface KeyPair {
  /** For the site: 44 characters. */
  readonly publicKey: string;
  /** For the publisher alone: the text of a file. */
  readonly privateKey: string;
}

export function makeKeys(): KeyPair {
  const privateKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}

/** The public half. Throws what is no private key of Ed25519. */
export function publicKeyOf(privateKey: string): string {
  const { x, crv } = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' });
  if (crv !== 'Ed25519' || x === undefined) throw new Error('It is not an Ed25519 key.');
  return Buffer.from(x, 'base64url').toString('base64');
}

/** In base64. */
export const sign = (bytes: Uint8Array, privateKey: string): string =>
  ed25519Sign(null, bytes, createPrivateKey(privateKey)).toString('base64');

/** Whatever is no signature, or no key, signed nothing. */
export function isSigned(bytes: Uint8Array, signature: string, publicKey: string): boolean {
  const [given, raw] = [Buffer.from(signature, 'base64'), Buffer.from(publicKey, 'base64')];
  if (given.length !== 64 || raw.length !== 32) return false;
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') } });
  return ed25519Verify(null, bytes, key, given);
}

/** What a package is signed by: its hash stands for its bytes, so that nobody holds all of them at once. */
export interface PackageFacts {
  readonly slug: string;
  readonly version: string;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** The bytes that are signed: five lines, each ended, the first of which says what kind of statement this is. */
const statement = ({ slug, version, size, sha256 }: PackageFacts): Buffer =>
  Buffer.from(`gatehouse-package-1\n${slug}\n${version}\n${size}\n${sha256}\n`);

export const signPackage = (facts: PackageFacts, privateKey: string): string => sign(statement(facts), privateKey);

export const isPackageSigned = (facts: PackageFacts, signature: string, publicKey: string): boolean =>
  isSigned(statement(facts), signature, publicKey);
