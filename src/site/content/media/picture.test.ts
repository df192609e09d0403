import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { decodeMemory } from './picture.ts';

const plain = { depth: 'uchar', channels: 3, isProgressive: false } as const;

const cases: [about: string, said: Parameters<typeof decodeMemory>[0], perPixel: number][] = [
  ['a photograph is read line by line', { ...plain, format: 'jpeg' }, 0],
  ['and so is one of which it is said that it stands upright', { ...plain, format: 'jpeg', orientation: 1 }, 0],
  ['one that has to be turned is held whole', { ...plain, format: 'jpeg', orientation: 2 }, 3],
  ['one that lies on its side is too', { ...plain, format: 'png', channels: 4, orientation: 8 }, 4],
  ['a progressive one is held coded and as pixels', { ...plain, format: 'jpeg', isProgressive: true }, 6],
  ['an interlaced one as pixels', { ...plain, format: 'png', isProgressive: true }, 3],
  ['two bytes a colour weigh twice', { ...plain, format: 'png', depth: 'ushort', isProgressive: true }, 6],
  ['pictures that may move have four colours', { ...plain, format: 'gif' }, 4],
  ['whatever they say of themselves', { ...plain, format: 'webp', depth: 'ushort', orientation: 6 }, 4],
  ['the newest are held in many ways at once', { ...plain, format: 'heif' }, 19],
];

test('the memory to decode a picture depends on its kind', () =>
  checkRows(cases, ([, said, perPixel]) => assert.equal(decodeMemory(said, 1_000), 1_000 * perPixel)));
