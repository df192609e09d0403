// Time-based codes of authenticator apps (RFC 6238 with SHA-1, 6 digits and 30 seconds, which is what all apps can do), and the key
// as apps take it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { second } from '#lib/spans.ts';

/** In bytes: as long as the hash, as RFC 4226 asks for. */
export const seedLength = 20;
const period = 30 * second;
/** Codes of the step before and the step after are right as well, because clocks differ. */
const tolerance = [-1, 0, 1];

export function hotp(seed: Buffer, counter: number, digits = 6): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const hash = createHmac('sha1', seed).update(message).digest();
  const offset = hash.readUInt8(hash.length - 1) & 15;
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export const stepAt = (now: Date): number => Math.floor(now.getTime() / period);

/** The step that a code of 6 digits belongs to. Nothing, if it is not the code of a step near this moment. */
export function stepOf(seed: Buffer, code: string, now: Date): number | undefined {
  const steps = tolerance.map((distance) => stepAt(now) + distance);
  const right = steps.filter((step) => timingSafeEqual(Buffer.from(hotp(seed, step)), Buffer.from(code)));
  return right[0];
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, without padding: 20 bytes are 32 characters. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives.map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** What the QR code says. A colon would end the name of the site. */
export function otpauthUri(seed: Buffer, site: string, login: string): string {
  const issuer = site.replaceAll(':', ' ');
  const query = `secret=${base32(seed)}&issuer=${encodeURIComponent(issuer)}`;
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(login)}?${query}`;
}
