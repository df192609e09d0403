import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import { alpha, avif, box, bytesOf, coded, full, grid, type Item, type Parts, sized, turned } from '#test/avif.ts';
import { picture } from '#test/pictures.ts';
import { checkRows } from '#test/rows.ts';
import { avifPixels } from './avif.ts';
import { Malformed } from './picture-errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'avif-'));
after(() => rmSync(folder, { recursive: true }));

const pixels = async (bytes: Buffer): Promise<number> => {
  const path = join(folder, 'a.avif');
  writeFileSync(path, bytes);
  return avifPixels(path);
};

const part = await coded(64, 48);
const large = await coded(640, 480);
const image = (id: number, more: Partial<Item> = {}): Item => ({ id, type: 'av01', ...part, ...more });
const hidden = { isHidden: true };
const size = sized(128, 96);
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth);

/** A grid with parts of its own, number 1, and its parts from number 2. */
function gridded(rows: number, columns: number, more: Partial<Parts> & { readonly parts?: readonly number[] } = {}) {
  const { parts = ids(2, rows * columns + 1), items = [], references = [], ...rest } = more;
  const data = grid(rows, columns, columns * 64, rows * 48);
  const whole = { id: 1, type: 'grid', data, isInside: true, properties: [sized(columns * 64, rows * 48)] };
  return avif({
    ...rest,
    items: [whole, ...[...new Set(parts)].filter((id) => id > 1).map((id) => image(id, hidden)), ...items],
    references: [{ type: 'dimg', from: 1, to: parts }, ...references],
  });
}

const shining = (to: readonly number[], from = 9) => ({ type: 'auxl', from, to });
const shine = image(9, { properties: [...part.properties, alpha] });

/** Of what a sequence says, and of the picture itself. */
function unitsOf(data: Buffer): { readonly sequence: Buffer; readonly frame: Buffer } {
  const start = data.indexOf(0x0a);
  const end = start + 2 + data[start + 1]!;
  return { sequence: data.subarray(start, end), frame: data.subarray(end) };
}
const { frame } = unitsOf(large.data);

describe('A picture of the kind AVIF is taken, and its pixels are counted', () => {
  const clear = sharp({ create: { width: 65, height: 33, channels: 4, background: '#ff000080' } })
    .avif()
    .toBuffer();
  const taken: readonly (readonly [what: string, bytes: Buffer | Promise<Buffer>, pixels: number])[] = [
    ['as it is made', picture(300, 200, 'avif'), 60_000],
    ['with what shines through it', clear, 65 * 33],
    ['put together', avif({ items: [image(1)] }), 64 * 48],
    ['with its bytes among what describes it', avif({ items: [image(1, { isInside: true })] }), 64 * 48],
    ['as a grid', gridded(2, 3), 6 * 64 * 48],
    ['as a grid of very many', gridded(16, 16), 256 * 64 * 48],
    ['as a grid that something shines through', gridded(1, 2, { items: [shine], references: [shining([1])] }), 6_144],
    ['turned once', avif({ items: [image(1, { properties: [...part.properties, turned] })] }), 64 * 48],
    ['that is larger than it says', avif({ items: [image(1, { data: large.data })] }), 640 * 480],
    ['with a larger one beside it', avif({ items: [image(1), image(2, { data: large.data })] }), 640 * 480],
    ['that is drawn twice', avif({ items: [image(1, { data: Buffer.concat([large.data, frame]) })] }), 2 * 640 * 480],
    [
      'with words beside it',
      avif({ items: [image(1), { id: 2, type: 'mime', words: '\0a/b', data: Buffer.from('<x/>') }] }),
      64 * 48,
    ],
    [
      'with a way of showing it brighter',
      avif({
        items: [image(1), image(2, hidden), { id: 3, type: 'tmap', data: bytesOf(1, 0) }],
        references: [{ type: 'dimg', from: 3, to: [1, 2] }],
      }),
      64 * 48,
    ],
  ];
  test('whatever its form', () =>
    checkRows(taken, async ([, bytes, count]) => assert.equal(await pixels(await bytes), count)));
});

describe('A picture of the kind AVIF is damaged', () => {
  const overlaid = (type: string) =>
    avif({
      items: [{ id: 1, type, data: bytesOf(1, 0), properties: [size] }, image(2, hidden)],
      references: [{ type: 'dimg', from: 1, to: [2] }],
    });
  const whole = avif({ items: [image(1)] });
  const meta = whole.subarray(28, whole.indexOf('mdat') - 4);
  const renumbered = (from: Buffer, to: Buffer) => {
    const bytes = Buffer.from(whole);
    to.copy(bytes, bytes.indexOf(from));
    return bytes;
  };
  const refused: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['that is laid of others', overlaid('iovl')],
    ['that is the same as another', overlaid('iden')],
    ['that is of another kind', overlaid('hvc1')],
    ['beside which such a one lies', avif({ items: [image(1), { id: 2, type: 'iovl', data: bytesOf(1, 0) }] })],
    ['as a grid of one part many times', gridded(2, 2, { parts: [2, 2, 2, 2] })],
    ['as a grid of fewer parts', gridded(2, 2, { parts: [2, 3, 4] })],
    ['as a grid of more parts', gridded(2, 2, { parts: [2, 3, 4, 5, 6] })],
    ['as a grid of too many parts', gridded(16, 16, { parts: ids(2, 258) })],
    ['as a grid of nothing', gridded(1, 1, { parts: [] })],
    ['as a grid of itself', gridded(1, 1, { parts: [1] })],
    [
      'as a grid of grids',
      gridded(1, 2, {
        items: [{ id: 9, type: 'grid', data: grid(1, 1, 64, 48), properties: [size] }],
        references: [{ type: 'dimg', from: 9, to: [1] }],
      }),
    ],
    [
      'as a grid that leads to its parts twice',
      gridded(1, 1, { items: [image(8)], references: [{ type: 'dimg', from: 1, to: [8] }] }),
    ],
    [
      'as grids that share a part',
      gridded(1, 1, {
        items: [{ id: 9, type: 'grid', data: grid(1, 1, 64, 48), properties: [size] }],
        references: [{ type: 'dimg', from: 9, to: [2] }],
      }),
    ],
    ['whose parts something shines through', gridded(1, 2, { items: [shine], references: [shining([2])] })],
    [
      'of which many share what shines through',
      gridded(1, 1, { items: [image(8), shine], references: [shining([1, 8])] }),
    ],
    [
      'through which something shines that something shines through',
      avif({ items: [image(1), shine, image(8)], references: [shining([1]), shining([9], 8)] }),
    ],
    [
      'through which shines what is none',
      avif({ items: [image(1), { id: 9, type: 'Exif', data: bytesOf(1, 0) }], references: [shining([1])] }),
    ],
    [
      'that is turned again and again',
      avif({ items: [image(1, { properties: [...part.properties, turned, turned] })] }),
    ],
    ['that is made larger', avif({ items: [image(1, { properties: [...part.properties, full('iscl', 0)] })] })],
    ['that is not there', avif({ primary: 7, items: [image(1)] })],
    ['of words', avif({ items: [{ id: 1, type: 'mime', data: bytesOf(1, 0) }] })],
    ['of no bytes', avif({ items: [image(1, { data: Buffer.alloc(0) })] })],
    ['of nothing that is drawn', avif({ items: [image(1, { data: unitsOf(part.data).sequence })] })],
    [
      'of endless units',
      avif({ items: [image(1, { data: Buffer.concat([part.data, Buffer.alloc(10_000, '\x12\0')]) })] }),
    ],
    ['of a unit that breaks off', avif({ items: [image(1, { data: part.data.subarray(0, -1) })] })],
    ['of a unit of endless length', avif({ items: [image(1, { data: Buffer.alloc(64, 0xff) })] })],
    ['twice', avif({ items: [image(1), image(1)] })],
    ['that is described twice', Buffer.concat([whole, meta])],
    ['that is described in short too', avif({ items: [image(1)], behind: [box('mini')] })],
    ['that is chosen twice', avif({ items: [image(1)], inside: [full('pitm', 0, bytesOf(2, 1))] })],
    ['that says too much', avif({ items: [image(1)], inside: [box('free', Buffer.alloc(2 ** 20))] })],
    ['of too many boxes', avif({ items: [image(1)], behind: Array<Buffer>(70).fill(box('free')) })],
    ['of too many boxes inside', avif({ items: [image(1)], inside: Array<Buffer>(70).fill(box('free')) })],
    ['with a box that goes beyond', renumbered(Buffer.from('\0\0\0\x0epitm'), Buffer.from('\x0f\0\0\0'))],
    ['with a box of no length', renumbered(Buffer.from('\0\0\0\x0epitm'), Buffer.alloc(4))],
    [
      'with packed words',
      avif({ items: [image(1), { id: 2, type: 'mime', words: '\0a/b\0deflate', data: bytesOf(1, 0) }] }),
    ],
    [
      'whose items lie in one another',
      avif({
        items: ids(1, 1_000).map((id) => image(id, { claimed: 60_000 })),
        behind: [box('free', Buffer.alloc(100_000))],
      }),
    ],
    ['that lies beyond the file', avif({ items: [image(1, { claimed: 60_000 })] })],
    ['that breaks off', whole.subarray(0, 200)],
    ['that only moves', Buffer.concat([box('ftyp', Buffer.from('avis\0\0\0\0avis')), box('moov', box('trak'))])],
  ];
  test('and refused', () => checkRows(refused, async ([, bytes]) => assert.rejects(pixels(bytes), Malformed)));
});
