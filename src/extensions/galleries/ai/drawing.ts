// Patterns for demonstrations and tests: the same picture for the same text, as a PNG.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const compress = promisify(deflate);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** 256 colors between two of the text. */
function paletteOf(hash: Uint8Array): Uint8Array {
  const palette = new Uint8Array(256 * 3);
  for (let at = 0; at < 256; at++)
    for (let color = 0; color < 3; color++) {
      const [from, to] = [hash[color]!, hash[color + 3]!];
      palette[at * 3 + color] = Math.round(from + ((to - from) * at) / 255);
    }
  return palette;
}

/** Crossing waves whose directions and lengths come from the text. Each line begins with its filter, which is none. */
function rowsOf(hash: Uint8Array, side: number): Uint8Array {
  const rows = new Uint8Array(side * (side + 1));
  const wave = (at: number): number => ((hash[at]! % 23) + 3) / side;
  const [a, b, c, d] = [wave(6), wave(7), wave(8), wave(9)];
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const height = Math.sin(x * a + y * b) + Math.sin(y * c - x * d);
      rows[y * (side + 1) + x + 1] = Math.round((height + 2) * 63.75);
    }
  return rows;
}

export async function drawPattern(text: string, side: number): Promise<Uint8Array> {
  const hash = createHash('sha256').update(text).digest();
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // 8 bits a pixel, which name a color of the palette.
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', paletteOf(hash)),
    chunk('IDAT', await compress(rowsOf(hash, side))),
    chunk('IEND', new Uint8Array()),
  ]);
}
