// Exif data that claims more than there is.
import { crc32 } from 'node:zlib';

/** As many entries as fit, each of which claims so much from one place. */
export function greedy(size: number, type: number, count: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write('II*\0\x08', 'latin1');
  const entries = Math.min(65_535, Math.floor((size - 10) / 12));
  bytes.writeUInt16LE(entries, 8);
  const tags = [0x010e, 0x0110, 0x829a, 0x829d, 0x8769, 0x83bb, 0x9003, 0x8827];
  for (let entry = 0; entry < entries; entry++) {
    const at = 10 + entry * 12;
    bytes.writeUInt16LE(tags[entry % tags.length]!, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(16, at + 8);
  }
  return bytes;
}

export function inPicture(png: Buffer, said: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from('eXIf'), said]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(said.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([png.subarray(0, 33), length, named, sum, png.subarray(33)]);
}

/** Bytes, the type of each entry and how many values it claims to have. */
export const falseExif = [
  [1_000_000, 4, 240_000],
  [65_000, 5, 8_000],
  [65_000, 2, 64_000],
  [65_000, 12, 0xffff_ffff],
  [20, 3, 1],
] as const;
